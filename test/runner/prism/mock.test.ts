import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { notification, schemaArbitrary } from '../../../generators/index.ts';
import { stringsOf } from '../../../generators/contracts/index.ts';
import { openContract } from '../../../runner/options/openContract.ts';
import { startMock, type RunningMock } from '../../../runner/prism/mock/mock.ts';
import { type CatalogueEvent, loadContract } from '../../../spec/contract.ts';
import { libraryContract } from '../../spec/libraryContract.ts';
import { runCli } from '../runCli.ts';
import { runHere } from '../runHere.ts';

const contract = loadContract();
let mock: RunningMock;

beforeAll(async () => {
  mock = await startMock(contract, { host: '127.0.0.1', port: 0 });
});

afterAll(() => mock.close());

const authorization = 'Token any-key';
const someId = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

function call(method: string, path: string, init: { headers?: Record<string, string>; body?: string } = {}) {
  const { headers = {}, ...rest } = init;
  return fetch(mock.url + path, { method, headers: { authorization, ...headers }, ...rest });
}

function deliver(body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(mock.receiver, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
}

const creation = JSON.stringify({
  data: { type: 'webhook', attributes: { url: 'https://example.com', active: true } },
});

describe('the API', () => {
  it('stands below the path of the real one', () => {
    expect(mock.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2$/);
  });

  it.each(contract.operations)(
    '$operationId answers what the contract allows, and always the same',
    async (operation) => {
      const { method, path, request, responses } = operation;
      const [mediaType, content] = Object.entries(request)[0] ?? [];
      const body =
        content && JSON.stringify(fc.sample(schemaArbitrary(content.schema, { strings: stringsOf(contract) }), 1)[0]);
      const init = body === undefined ? {} : { headers: { 'content-type': mediaType! }, body };
      const answers = await Promise.all([1, 2].map(() => call(method, path.replace('{id}', someId), init)));
      const texts = await Promise.all(answers.map((answer) => answer.text()));
      expect(texts[0]).toBe(texts[1]);
      const [{ status, headers }] = answers as [Response];
      const declared = responses[status] ?? responses['2XX'] ?? {};
      const schema = declared[headers.get('content-type') ?? ''];
      expect(schema === undefined ? texts[0] : schema.validate(JSON.parse(texts[0]!))).toBe(
        schema === undefined ? '' : true,
      );
      expect(schema === undefined).toBe(Object.keys(declared).length === 0);
      expect(Math.floor(status / 100)).toBe(2);
    },
  );

  it('needs a key', async () => {
    const answer = await fetch(`${mock.url}/webhooks`);
    expect(answer.status).toBe(401);
  });

  it('refuses what the contract does not allow, and says why', async () => {
    const init = { headers: { 'content-type': 'application/json' }, body: '{"data":{"type":"é"}}' };
    const answer = await call('POST', '/webhooks', init);
    expect(answer.status).toBe(422);
    expect(JSON.parse(answer.headers.get('sl-violations')!)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ message: 'Request body property data.type must be equal to constant' }),
      ]),
    );
  });

  it.each([
    ['another media type', 'POST', '/webhooks', 'text/plain', 415],
    ['a path that is no operation', 'GET', '/nowhere', '', 404],
    ['a method that the path does not have', 'PUT', '/webhooks', '', 405],
  ])('refuses %s', async (_, method, path, mediaType, status) => {
    const init = mediaType === '' ? {} : { headers: { 'content-type': mediaType }, body: creation };
    const answer = await call(method, path, init);
    expect(answer.status).toBe(status);
  });

  it('does not hang on JSON that cannot be parsed', async () => {
    const answer = await call('POST', '/webhooks', {
      headers: { 'content-type': 'application/json' },
      body: '{"data":',
    });
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 400,
      body: { status: 400, title: 'Not JSON', detail: expect.stringContaining('cannot be parsed') },
    });
  });

  it('takes JSON of any length of chunks, and refuses more than 16 MiB', async () => {
    const padded = (bytes: number): string => creation.replace('{', `{${' '.repeat(bytes)}`);
    const headers = { 'content-type': 'application/json' };
    expect((await call('POST', '/webhooks', { headers, body: padded(1024 * 1024) })).status).toBe(201);
    expect(await statusOfLong(`${mock.url}/webhooks`, padded(17 * 1024 * 1024))).toBe(413);
  });

  it.each(['json', ';'])('survives the Content-Type "%s"', async (mediaType) => {
    const answer = await call('POST', '/webhooks', { headers: { 'content-type': mediaType }, body: creation });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect((await call('GET', '/webhooks')).status).toBe(200);
  });

  it('answers in XML where that is asked for', async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/xml' };
    const answer = await call('POST', '/webhooks', { headers, body: creation });
    expect(answer.headers.get('content-type')).toBe('application/xml');
    expect(await answer.text()).toContain('<type>webhook</type>');
  });

  it('does not remember what one request preferred', async () => {
    const headers = { 'content-type': 'application/json' };
    await call('POST', '/webhooks', { headers: { ...headers, accept: 'application/xml' }, body: creation });
    const answer = await call('POST', '/webhooks', { headers, body: creation });
    expect(answer.headers.get('content-type')).toBe('application/json');
    const refused = await call('POST', '/webhooks', { headers: { ...headers, prefer: 'code=422' }, body: creation });
    expect(refused.status).toBe(422);
  });

  it('says what there is, beside its base address', async () => {
    const answer = await fetch(new URL('/webhooks', mock.url));
    expect({ status: answer.status, ...((await answer.json()) as object) }).toMatchObject({
      status: 404,
      detail: 'Nothing is at /webhooks. The API is below /v2/, and /receiver takes notifications.',
    });
  });
});

describe('the receiver', () => {
  function sampleOf(event: CatalogueEvent): string {
    return JSON.stringify(fc.sample(notification(contract, event), { numRuns: 1, seed: 1 })[0]!.value);
  }

  it.each(contract.events)('takes $name', async (event) => {
    const answer = await deliver(sampleOf(event));
    expect(contract.delivery.acceptedStatuses).toContain(answer.status);
  });

  it('refuses a notification that is not as the contract has it, with the violations', async () => {
    const event = contract.events[0]!.name;
    const data = { id: someId, type: 'webhook', attributes: { event, delivery_status: 'lost' } };
    const answer = await deliver(JSON.stringify({ data }));
    expect(answer.status).toBe(422);
    const { validation } = (await answer.json()) as { validation: readonly { message: string }[] };
    expect(validation.map(({ message }) => message)).toMatchInlineSnapshot(`
      [
        "Request body property data.type must be equal to constant",
        "Request body property data.attributes must have required property 'created_at'",
        "Request body property data.attributes.delivery_status must be equal to one of the allowed values: pending, succeeded, failed",
      ]
    `);
  });

  it.each([
    [
      'an unknown event',
      '{"data":{"attributes":{"event":"ship.sunk"}}}',
      422,
      String.raw`has \"ship.sunk\" at /data/attributes/event`,
    ],
    ['no event', '{"data":{}}', 422, 'names no event at /data/attributes/event'],
    ['no object', '7', 422, 'names no event'],
    ['no body', '', 422, 'names no event'],
    ['no JSON', '{', 400, 'cannot be parsed'],
  ])('refuses %s', async (_, body, status, says) => {
    const answer = await deliver(body);
    expect({ status: answer.status, text: await answer.text() }).toEqual({
      status,
      text: expect.stringContaining(says),
    });
  });

  it('refuses another media type and another method', async () => {
    expect((await deliver(sampleOf(contract.events[0]!), { 'content-type': 'text/plain' })).status).toBe(415);
    const read = await fetch(mock.receiver);
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

it('serves any contract', async () => {
  const other = await startMock(loadContract(libraryContract), { host: '127.0.0.1', port: 0 });
  try {
    // Its notifications come by PUT.
    expect(await answerTo(other.trials.at(-1)!)).toMatch(/^2\d\d$/);
    expect((await fetch(other.receiver)).status).toBe(405);
  } finally {
    await other.close();
  }
});

/** Of a request whose answer may come before all of it was sent. */
function statusOfLong(url: string, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const sent = httpRequest(url, { method: 'POST', headers }, (answer) => resolve(answer.resume().statusCode));
    sent.on('error', reject).end(body);
  });
}

describe('seaworthy mock', () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'seaworthy-mock-'));
  });
  afterAll(() => rm(cwd, { recursive: true }));

  it('prints where it listens and what to try, and ends with 0', async () => {
    const { code, stdout } = await runCli(['mock', '--port', '0'], {
      cwd,
      onOutput: (text, child) => text.includes('Ctrl-C') && child.kill('SIGINT'),
    });
    expect(stdout.replaceAll(/:\d{4,5}\//g, ':<port>/')).toMatchInlineSnapshot(`
      "Prism 5.16.0 serves Shipment Tracking Service 0.2.0: valid answers that never change.

        API       http://127.0.0.1:<port>/v2
        receiver  http://127.0.0.1:<port>/receiver  (notifications of any event)

      Try it:
        curl -i -H 'Authorization: Token any-key' http://127.0.0.1:<port>/v2/webhooks
        curl -i -H 'Authorization: Token any-key' -H 'Content-Type: application/vnd.api+json' -d '{"data":{"type":"webhook","attributes":{"url":"http://example.com","active":true,"events":["container.transport.vessel_arrived"],"headers":[{"name":"string","value":"string"}]}}}' http://127.0.0.1:<port>/v2/webhooks
        curl -i -H 'Content-Type: application/json' -d '{"data":{"id":"497f6eca-6276-4993-bfeb-53cbbbba6f08","type":"webhook_notification","attributes":{"event":"container.transport.vessel_arrived","delivery_status":"pending","created_at":"2019-08-24T14:15:22Z"}},"included":[{}]}' http://127.0.0.1:<port>/receiver

      What is wrong with a refused request stands in the header sl-violations. Ctrl-C ends it.
      "
    `);
    expect(code).toBe(0);
  });

  it('says that a port is taken', async () => {
    const { code, stdout, stderr } = await runHere(['mock', '--port', new URL(mock.url).port], cwd);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.replaceAll(/port \d{4,5}/g, 'port <port>')).toMatchInlineSnapshot(`
      "seaworthy: 127.0.0.1 port <port> cannot be listened on (EADDRINUSE)
        valid: a free port of an address of this machine; port 0 takes any free one
        do:    choose another with --port or --host, or end what listens there
        code:  SW_LISTEN_FAILED
      "
    `);
  });
});

describe('a contract whose events Prism does not read', () => {
  const press = fileURLToPath(new URL('../../../reference/press/contract.yaml', import.meta.url));

  it.each([
    ['of an API and events of its own', press, 3],
    ['of deliveries alone', 'stripe', 1],
  ])('takes what its own trials send: %s', async (_, name, count) => {
    const other = await startMock(openContract({ contract: name }), { host: '127.0.0.1', port: 0 });
    try {
      expect(other.trials).toHaveLength(count);
      for (const trial of other.trials) expect(await answerTo(trial)).toMatch(/^2\d\d$/);
      const [last] = other.trials.slice(-1);
      expect(await answerTo(last!.replace(/ -d '.*' /, " -d '{}' "))).toBe('422');
    } finally {
      await other.close();
    }
  });
});

/** The status that curl shows for one of the lines. */
async function answerTo(line: string): Promise<string> {
  const silent = `${line} -s -o /dev/null -w '%{http_code}'`.replace('curl -i', 'curl');
  return (await promisify(execFile)('sh', ['-c', silent])).stdout;
}
