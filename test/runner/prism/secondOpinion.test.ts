import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import {
  invalidNeighbour,
  schemaArbitrary,
  trackingRequest,
  trigger,
  webhookCreation,
  type Json,
} from '../../../generators/index.ts';
import { stringsOf } from '../../../generators/contracts/index.ts';
import { createSecondOpinion, type Opinion, type SecondOpinion } from '../../../runner/prism/secondOpinion.ts';
import { type Contract, loadContract, type Operation } from '../../../spec/contract.ts';
import { shippedTexts } from '../../../spec/contractFiles.ts';
import type { Answer, Header } from '../../../suites/delivery.ts';
import type { Call } from '../../../suites/exchange.ts';

const contract = loadContract();
let opinion: SecondOpinion;

beforeAll(async () => {
  opinion = await createSecondOpinion(contract);
});

const vendorJson = 'application/vnd.api+json';

function operation(operationId: string): Operation {
  return contract.operations.find((each) => each.operationId === operationId)!;
}

function typed(mediaType: string): readonly Header[] {
  return [['Content-Type', mediaType]];
}

function call(operationId: string, request: Partial<Call['request']>, answer: Partial<Answer> = {}): Call {
  const { method, path } = operation(operationId);
  return {
    kind: 'call',
    request: { operationId, method, path, headers: [], body: Buffer.alloc(0), ...request },
    answer: { kind: 'broken', code: 'ECONNRESET', ms: 1, ...answer } as Answer,
    at: 0,
  };
}

function sent(operationId: string, mediaType: string, value: unknown): Call {
  return call(operationId, { headers: typed(mediaType), body: Buffer.from(JSON.stringify(value)) });
}

function answered(operationId: string, status: number, mediaType: string, body: string): Call {
  const headers = mediaType === '' ? [] : typed(mediaType);
  return call(operationId, {}, { kind: 'answered', status, headers, body, ms: 1 });
}

function verdicts(opinions: readonly Opinion[]): readonly string[] {
  return opinions.map(({ part, kit, prism }) => `${part}: kit ${kit}, Prism ${prism}`);
}

/** Every schema of JSON that an operation declares, with what makes a call of a value of it. */
const schemas = contract.operations.flatMap(({ operationId, request, responses }) => [
  ...Object.entries(request).map(([mediaType, { schema, validate }]) => ({
    title: `request of ${operationId}, ${mediaType}`,
    schema,
    validate,
    callWith: (value: unknown) => sent(operationId, mediaType, value),
  })),
  ...Object.entries(responses).flatMap(([status, content]) =>
    Object.entries(content)
      .filter(([mediaType]) => mediaType.endsWith('json'))
      .map(([mediaType, { schema, validate }]) => ({
        title: `${status} of ${operationId}, ${mediaType}`,
        schema,
        validate,
        callWith: (value: unknown) =>
          answered(operationId, Number(status.replaceAll('X', '3')), mediaType, JSON.stringify(value)),
      })),
  ),
]);
const restricting = schemas.filter(({ validate }) => [[], {}, 'a', 1, true].some((value) => !validate(value)));

describe('what both call valid', () => {
  it.each(schemas)('$title', ({ schema, callWith }) => {
    fc.assert(
      fc.property(schemaArbitrary(schema, { strings: stringsOf(contract) }), (value) => {
        expect(opinion.compare(callWith(value))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['createWebhook', webhookCreation(contract)],
    ['triggerWebhook', trigger(contract)],
    ['createTrackingRequest', trackingRequest(contract)],
  ])('the bodies that are generated for %s', (operationId, bodies) => {
    const mediaType = Object.keys(operation(operationId).request)[0]!;
    fc.assert(
      fc.property(bodies, (body: Json) => {
        expect(opinion.compare(sent(operationId, mediaType, body))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['an answer whose content is not described', answered('triggerWebhook', 202, 'text/html', '<p>sent</p>')],
    ['an answer without a body where none is described', answered('deleteWebhook', 204, '', '')],
    ['parameters of the media type', answered('listWebhooks', 200, `${vendorJson}; charset=utf-8`, '{"data":[]}')],
    ['XML where it is declared', answered('createWebhook', 201, 'application/xml', '<webhook/>')],
    ['any refusal in JSON', answered('createWebhook', 422, 'application/json', '"no"')],
  ])('%s', (_, exchange) => {
    expect(opinion.compare(exchange)).toEqual([]);
  });
});

describe('what neither calls valid', () => {
  it.each(restricting)('$title', ({ schema, validate, callWith }) => {
    fc.assert(
      fc.property(invalidNeighbour(schema, validate, { strings: stringsOf(contract) }), ({ invalid }) => {
        expect(opinion.compare(callWith(invalid))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['an undeclared status', answered('createWebhook', 200, 'application/json', '{}')],
    ['a server error', answered('createWebhook', 500, 'application/json', '{}')],
    ['an undeclared media type', answered('createWebhook', 201, 'text/html', '<p>created</p>')],
    ['a refusal as text', answered('createWebhook', 404, 'text/plain', 'no such page')],
    ['a refusal without a body', answered('createWebhook', 401, '', '')],
    ['a request of another media type', sent('triggerWebhook', 'text/plain', 'x')],
    ['a body that the operation does not take', sent('listWebhooks', 'application/json', {})],
    ['an empty answer that is announced as JSON', answered('readWebhook', 200, 'application/json', '')],
  ])('%s', (_, exchange) => {
    expect(opinion.compare(exchange)).toEqual([]);
  });
});

describe('what is compared', () => {
  it('is each request with a body and each answer, once', async () => {
    const own = await createSecondOpinion(contract);
    own.compare(sent('triggerWebhook', 'application/json', {}));
    own.compare(answered('listWebhooks', 200, vendorJson, '{"data":[]}'));
    expect(own.compared).toBe(2);
  });

  it.each([
    [
      'a request that is no operation',
      { ...call('listWebhooks', {}), request: { ...call('listWebhooks', {}).request, operationId: '' } },
    ],
    [
      'a body that is not the JSON that it is announced as',
      call('createWebhook', { headers: typed(vendorJson), body: Buffer.from('{') }),
    ],
    ['a body without a media type', call('triggerWebhook', { body: Buffer.from('{}') })],
    [
      'a body with a media type that cannot be read',
      call('triggerWebhook', { headers: typed(';;=/'), body: Buffer.from('{}') }),
    ],
    ['an answer that is not the JSON that it is announced as', answered('listWebhooks', 200, vendorJson, '{"data":')],
    ['a connection that broke', call('listWebhooks', {})],
  ])('is not %s', async (_, exchange) => {
    const own = await createSecondOpinion(contract);
    expect(own.compare(exchange)).toEqual([]);
    expect(own.compared).toBe(0);
  });
});

/** They differ by what Prism is known to do; it is said and not hidden. */
it('agrees that something is not valid, whatever each calls it', () => {
  expect(opinion.compare(sent('triggerWebhook', vendorJson, {}))).toEqual([]);
});

describe('known disagreements', () => {
  it.each([
    [
      'takes any JSON for the declared one, whatever stands before the +',
      answered('createWebhook', 422, 'application/problem+json', '{}'),
      'response: kit undeclared, Prism valid',
    ],
  ])('Prism %s', (_, exchange, expected) => {
    expect(verdicts(opinion.compare(exchange))).toEqual([expected]);
  });

  it('are said each time, and not of another status or media type', async () => {
    const own = await createSecondOpinion(contract);
    const problem = (status: number, mediaType: string) =>
      own.compare(answered('createWebhook', status, mediaType, '{}'));
    const first = problem(422, 'application/problem+json');
    expect(first).toHaveLength(1);
    expect(problem(422, 'application/problem+json')).toEqual(first);
    expect(problem(422, 'text/plain')).toEqual([]);
    expect(problem(599, 'application/problem+json')).not.toEqual(first);
    expect(own.compared).toBe(4);
  });
});

describe('a disagreement', () => {
  /** The contract, but Prism is shown another document. */
  function misread(text: string, other: string): Contract {
    const texts = shippedTexts();
    expect(texts.openapi).toContain(text);
    const { document } = loadContract({ ...texts, openapi: texts.openapi.replace(text, other) });
    return { ...contract, document };
  }

  it('is reported with both complaints', async () => {
    const own = await createSecondOpinion(misread('required: [url, event]', 'required: [url, event, secret]'));
    const body = { url: 'https://example.com/hooks', event: contract.events[0]!.name };
    expect(own.compare(sent('triggerWebhook', 'application/json', body))).toMatchInlineSnapshot(`
      [
        {
          "detail": "the kit: nothing to complain of; Prism: Request body must have required property 'secret'",
          "kit": "valid",
          "operationId": "triggerWebhook",
          "part": "request",
          "prism": "invalid",
        },
      ]
    `);
    expect(own.compare(sent('triggerWebhook', 'application/json', { ...body, secret: 'a' }))).toEqual([]);
  });

  it('is what a fault inside Prism amounts to', () => {
    const exchange = answered('createWebhook', 201, 'json', '{}');
    expect(opinion.compare(exchange)).toMatchInlineSnapshot(`
      [
        {
          "detail": "the kit: media type "json", where application/json, application/xml are declared; Prism: it failed (invalid media type)",
          "kit": "undeclared",
          "operationId": "createWebhook",
          "part": "response",
          "prism": "invalid",
        },
      ]
    `);
  });

  it('about everything is refused at the start: Prism does not say so where it cannot read a schema', async () => {
    const mute = misread("schema: { $ref: '#/components/schemas/Trigger' }", 'schema: true');
    await expect(createSecondOpinion(mute)).rejects.toThrow(
      expect.objectContaining({ code: 'SW_PRISM_SILENT', message: expect.stringContaining('triggerWebhook') }),
    );
  });
});
