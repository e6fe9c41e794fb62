import { describe, expect, it } from 'vitest';

import type { DocumentWarning } from '../../spec/contractError.ts';
import { webhookBodies, type WebhookBodiesOptions } from '../../spec/webhookBodies.ts';
import { documentOf } from './foreign/documentOf.ts';

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });

const document = {
  openapi: '3.1.0',
  webhooks: {
    'order.created': {
      parameters: [{ $ref: '#/components/parameters/Signature' }],
      post: {
        operationId: 'orderCreated',
        tags: ['orders'],
        summary: 'An order was created',
        'x-group': { name: 'orders' },
        parameters: [
          { name: 'X-Attempt', in: 'header', schema: { type: 'integer', nullable: true } },
          { name: 'page', in: 'query' },
        ],
        requestBody: { $ref: '#/components/requestBodies/Order' },
        responses: { '2xx': {}, 410: {}, default: {}, 'x-note': 'n' },
      },
    },
    bare: { put: { requestBody: json(true) } },
    shared: { $ref: '#/components/pathItems/Shared' },
  },
  'x-webhooks': { bare: { post: {} }, older: { post: { requestBody: json({ type: 'null' }) } } },
  components: {
    parameters: {
      Signature: {
        name: 'X-Signature',
        in: 'header',
        required: true,
        description: 'An HMAC',
        schema: { type: 'string' },
      },
    },
    requestBodies: {
      Order: {
        content: {
          'application/x-www-form-urlencoded': { schema: { type: 'string' } },
          'application/vnd.shop+json': { schema: { $ref: '#/components/schemas/Order' } },
        },
      },
    },
    pathItems: { Shared: { post: { requestBody: json({ type: 'array' }) } } },
    schemas: {
      Order: {
        type: 'object',
        properties: {
          parts: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
          'a/b': { $ref: '#/components/schemas/a~1b%2050%25' },
        },
      },
      'a/b 50%': { type: 'null' },
      OrderEvent: { title: 'An order', type: 'object' },
    },
  },
};

describe('the webhooks of a document', () => {
  const { bodies, warnings } = read(document);

  it('are all of webhooks, then those of x-webhooks that are not there', () => {
    expect(bodies.map(({ key, method }) => `${method} ${key}`)).toEqual([
      'POST order.created',
      'PUT bare',
      'POST shared',
      'POST older',
    ]);
    expect(warnings).toEqual([]);
  });

  it('say what their operation says', () => {
    const { headers, ...first } = bodies[0]!;
    expect(first).toMatchObject({
      operationId: 'orderCreated',
      mediaType: 'application/vnd.shop+json',
      tags: ['orders'],
      summary: 'An order was created',
      description: undefined,
      pointer: '#/components/requestBodies/Order/content/application~1vnd.shop+json/schema',
      responses: ['410', '2XX', 'default'],
      extensions: { 'x-group': { name: 'orders' } },
    });
    expect(headers.map(({ name, isRequired, description }) => [name, isRequired, description])).toEqual([
      ['X-Signature', true, 'An HMAC'],
      ['X-Attempt', false, undefined],
    ]);
  });

  it('need no operationId, tags or responses', () => {
    expect(bodies[1]).toMatchObject({ key: 'bare', operationId: undefined, tags: [], responses: [], headers: [] });
    expect(bodies[1]?.schema).toBe(true);
  });

  it('have schemas that stand for themselves, also recursive ones', () => {
    const { schema, validate } = bodies[0]!;
    expect(schema).toMatchObject({ properties: { parts: { items: { $ref: '#/$defs/Order' } }, 'a/b': {} } });
    expect(validate({ parts: [{ parts: [{ 'a/b': null }] }] })).toBe(true);
    expect(validate({ parts: [{ parts: [{ 'a/b': 1 }] }] })).toBe(false);
  });

  it('are warned of when a schema is first asked for', () => {
    expect(bodies[0]?.headers[1]?.schema).toEqual({ type: 'integer' });
    expect(warnings.map(({ pointer }) => pointer)).toEqual([
      '#/webhooks/order.created/post/parameters/0/schema/nullable',
    ]);
  });

  it('report a place of their schema by where it stands in the document, once', () => {
    const problem = { keyword: 'k', effect: 'narrowed', message: 'm' } as const;
    for (const place of ['/properties/parts', '/$defs/a~1b 50%/type', '/properties/parts'])
      bodies[0]?.report(place, problem);
    expect(warnings.slice(1).map(({ pointer }) => pointer)).toEqual([
      '#/components/schemas/Order/properties/parts',
      '#/components/schemas/a~1b 50%/type',
    ]);
  });
});

describe('what is no webhook is left out', () => {
  it.each([
    ['no operation', {}, 'The webhook a has no operation. It is left out.'],
    ['no body', { post: {} }, 'The webhook a has no body. It is left out.'],
    [
      'no JSON',
      { post: { requestBody: { content: { 'text/xml': { schema: true }, 'text/plain': { schema: true } } } } },
      'The webhook a has a body of text/xml or text/plain, and only JSON is sent. It is left out.',
    ],
    ['no schema', { post: { requestBody: json(undefined) } }, 'The webhook a has a body without a schema.'],
    ['a reference to nothing', { $ref: '#/a' }, 'The $ref "#/a" leads nowhere.'],
    ['a reference to itself', { $ref: '#/webhooks/a' }, 'The $ref "#/webhooks/a" leads back to itself.'],
  ])('%s', (_, entry, words) => {
    const { bodies, warnings } = read({
      openapi: '3.1.0',
      webhooks: { a: entry, b: { post: { requestBody: json(true) } } },
    });
    expect(bodies.map(({ key }) => key)).toEqual(['b']);
    expect(warnings[0]).toMatchObject({ effect: 'left-out' });
    expect(warnings.map(({ message }) => message).join()).toContain(words);
  });
});

describe('a document without webhooks', () => {
  it('has none', () => {
    expect(read({ openapi: '3.0.0', paths: {} }).bodies).toEqual([]);
    expect(read({ openapi: '3.0.0', components: document.components }).bodies).toEqual([]);
  });

  it('has those of its schemas that are named so', () => {
    const { bodies } = read({ openapi: '3.0.0', components: document.components }, { components: /Event$/ });
    expect(bodies).toMatchObject([
      { key: 'OrderEvent', summary: 'An order', pointer: '#/components/schemas/OrderEvent' },
    ]);
    expect(bodies[0]?.schema).toEqual({ title: 'An order', type: 'object' });
  });
});

describe('a discriminator', () => {
  const cat = { type: 'object', properties: { name: { type: 'string' } } };
  const dog = { type: 'object', properties: { kind: { const: 'hound' } } };
  const oneOf = [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }];
  const tagged = (kind: string) => ({ properties: { kind: { enum: [kind] } }, required: ['kind'] });

  it.each([
    ['by the names of the schemas', undefined, 'Cat'],
    ['by its mapping', { tom: '#/components/schemas/Cat', hound: '#/components/schemas/Dog' }, 'tom'],
    ['by names in its mapping', { tom: 'Cat' }, 'tom'],
  ])('says which alternative is meant, %s', (_, mapping, name) => {
    const schema = { oneOf, discriminator: { propertyName: 'kind', ...(mapping && { mapping }) } };
    const { bodies, warnings } = read(documentOf(schema, { schemas: { Cat: cat, Dog: dog } }));
    expect(bodies[0]?.schema).toMatchObject({
      oneOf: [{ allOf: [{ $ref: '#/$defs/Cat' }, tagged(name)] }, { $ref: '#/$defs/Dog' }],
    });
    expect(warnings.map(({ message }) => message)).toEqual([
      `The discriminator says that kind is ${name} here. It is taken as an enum.`,
    ]);
    expect(bodies[0]?.validate({ kind: name, name: 'a' })).toBe(true);
  });
});

function read(from: Readonly<Record<string, unknown>>, options: WebhookBodiesOptions = {}) {
  const warnings: DocumentWarning[] = [];
  const bodies = webhookBodies(from, { ...options, warn: (warning) => warnings.push(warning) });
  return { bodies, warnings };
}
