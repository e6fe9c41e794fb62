import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type RunningService, startService } from '../../reference/service/service.ts';
import { contract, creation, dataOf, pointersOf, ServiceClient } from './serviceClient.ts';

const uuid = '00000000-0000-4000-8000-000000000000';
const url = 'https://example.com/hooks';

let service: RunningService;
let client: ServiceClient;

beforeAll(async () => {
  service = await startService({ token: 'the-key' });
  client = new ServiceClient(service);
});

afterAll(() => service.close());

const operationIds = contract.operations.map(({ operationId }) => operationId);

describe('the key', () => {
  const wrong = [
    null,
    '',
    'the-key',
    'Token',
    'Token ',
    'Token the-kez',
    'Token the-key2',
    'Token the-ke',
    'Token the key',
  ];
  const schemes = ['Bearer the-key', 'Basic the-key', 'Token: the-key', 'Tokenthe-key', 'token="the-key"'];

  test.each(operationIds)('%s needs it', async (operationId) => {
    for (const authorization of [...wrong, ...schemes]) {
      const answered = await client.call(operationId, { id: uuid, authorization });
      expect(answered.status).toBe(401);
      expect(answered.text).not.toContain('the-key');
    }
  });

  test('is asked for below the base address whatever the path and method', async () => {
    for (const path of ['/nope', '/webhooks/a/b', '', '/webhooks?x', '/..%2f']) {
      for (const method of ['GET', 'PUT', 'OPTIONS']) {
        expect((await client.send(method, path, { authorization: null })).status).toBe(401);
      }
    }
  });

  test('may stand behind any spelling of the scheme', async () => {
    for (const authorization of ['Token the-key', 'token the-key', 'TOKEN  the-key']) {
      expect((await client.call('listWebhooks', { authorization })).status).toBe(200);
    }
  });

  test('is random where none is given', async () => {
    const other = await startService();
    try {
      expect(other.token).toMatch(/^[0-9a-f]{32}$/);
      expect((await new ServiceClient(other).call('listWebhooks')).status).toBe(200);
      expect((await new ServiceClient({ ...other, token: 'the-key' }).call('listWebhooks')).status).toBe(401);
    } finally {
      await other.close();
    }
  });
});

test('what there is not is not found', async () => {
  const paths = ['/nope', '/webhooks/', '/webhooks/a/b', '/webhooks/%00', `/webhooks/${uuid}`];
  for (const path of [...paths, `/webhooks/${'x'.repeat(300)}`]) {
    const answered = await client.send('GET', path);
    expect(answered).toMatchObject({ status: 404, mediaType: 'application/vnd.api+json' });
  }
});

test('other methods are refused, with those that are allowed', async () => {
  for (const { path } of contract.operations) {
    const answered = await client.send('PUT', path.replace('{id}', uuid));
    expect(answered.status).toBe(405);
    const methods = contract.operations.filter((each) => each.path === path).map(({ method }) => method);
    for (const method of methods) expect(answered.headers.get('allow')).toContain(method);
  }
});

describe('a body', () => {
  const withBody = contract.operations.filter(({ request }) => Object.keys(request).length > 0);

  test.each(withBody.map((operation) => [operation.operationId, Object.keys(operation.request)] as const))(
    '%s takes %j alone',
    async (operationId, mediaTypes) => {
      for (const mediaType of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'json', 'a/b/c']) {
        const answered = await client.call(operationId, { id: uuid, body: '{}', mediaType });
        expect(answered.status).toBe(415);
        for (const valid of mediaTypes) expect(answered.text).toContain(valid);
      }
      for (const mediaType of mediaTypes) {
        expect([404, 422]).toContain((await client.call(operationId, { id: uuid, body: '{}', mediaType })).status);
      }
    },
  );

  test.each([
    ['nothing', ''],
    ['half of an object', '{"data":'],
    ['a comma too many', '{"data":{},}'],
    ['a comment', '{} // a'],
    ['two values', '{}{}'],
    ['bytes that are not UTF-8', Buffer.from('{"data":"\u00ff"}', 'latin1')],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['NaN', '{"data":NaN}'],
  ])('that is no JSON is refused: %s', async (_, body) => {
    const answered = await client.call('createWebhook', { body });
    expect(answered).toMatchObject({ status: 400, json: { errors: [{ code: 'json', status: '400' }] } });
  });

  test('that is missing is refused', async () => {
    expect((await client.call('createWebhook')).status).toBe(415);
    const headers = { 'content-type': 'application/json' };
    expect((await client.send('POST', '/webhooks', { headers })).status).toBe(400);
  });

  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const deepObject = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;

  test.each([
    ['null', 'null'],
    ['a number', '1e400'],
    ['a text', '"data"'],
    ['a list', '[]'],
    ['a hundred thousand lists', deep],
    ['lists as the url', `{"data":{"type":"webhook","attributes":{"active":true,"url":${deep}}}}`],
    ['lists as the events', `{"data":{"type":"webhook","attributes":{"active":true,"url":"${url}","events":${deep}}}}`],
    [
      'lists in the events',
      `{"data":{"type":"webhook","attributes":{"active":true,"url":"${url}","events":[${deep},${deep}]}}}`,
    ],
    ['objects as data', `{"data":${deepObject}}`],
    [
      'members on the prototype',
      `{"__proto__":{"data":{"type":"webhook","attributes":{"active":true,"url":"${url}"}}}}`,
    ],
    [
      'attributes on the prototype',
      `{"data":{"type":"webhook","attributes":{"__proto__":{"active":true,"url":"${url}"}}}}`,
    ],
    [
      'a prototype that is text',
      '{"data":{"type":"webhook","__proto__":"x","constructor":{"prototype":{"attributes":{}}}}}',
    ],
    ['the same member twice', `{"data":{"type":"webhook","attributes":{"active":true,"url":"${url}","url":7}}}`],
    ['a great many events', JSON.stringify(creation({ url, active: true, events: Array(90_000).fill('nope') }))],
    ['a great many lists', JSON.stringify(creation({ url, active: true, events: Array(90_000).fill([]) }))],
    ['a long text', JSON.stringify(creation({ url, active: 'x'.repeat(1_000_000) }))],
    [
      'a lone surrogate',
      `{"data":{"type":"webhook","attributes":{"active":true,"url":"https://example.com/\\ud800"}}}`,
    ],
  ])('that is hostile is refused, and hurts nobody: %s', async (_, body) => {
    const before = await client.all('listWebhooks');
    for (const operationId of ['createWebhook', 'triggerWebhook', 'createTrackingRequest', 'inferTrackingNumber']) {
      expect((await client.call(operationId, { body })).status).toBe(422);
    }
    expect(await client.all('listWebhooks')).toEqual(before);
    expect({}).not.toHaveProperty('attributes');
  });

  test('of more than 1 MiB is refused, however it comes; one of 1 MiB is taken', async () => {
    const sized = (size: number) => {
      const body = JSON.stringify(creation({ url, active: true }));
      return body + ' '.repeat(size - body.length);
    };
    const mebibyte = 1024 * 1024;
    expect((await client.call('createWebhook', { body: sized(mebibyte) })).status).toBe(201);
    for (const size of [mebibyte + 1, 8 * mebibyte]) {
      expect((await client.call('createWebhook', { body: sized(size) })).status).toBe(413);
    }
    expect((await client.call('createWebhook', { body: sized(8 * mebibyte), authorization: null })).status).toBe(401);
  });
});

test.each([
  ['another version', 'GET /v2/webhooks HTTP/9.9\r\n\r\n'],
  ['nonsense', 'NONSENSE\r\n\r\n'],
  ['a negative length', 'POST /v2/webhooks HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
  ['a long header', `GET /v2/webhooks HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`],
  [
    'two lengths',
    'POST /v2/webhooks HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  [
    'a path that cannot be decoded',
    'GET /v2/%zz HTTP/1.1\r\nHost: a\r\nAuthorization: Token the-key\r\nConnection: close\r\n\r\n',
  ],
])('illegal HTTP is refused: %s', async (_, bytes) => {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => {});
  socket.write(bytes);
  await closed;
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect((await client.call('listWebhooks')).status).toBe(200);
});

describe('/emit', () => {
  test.each([
    [{ event: 'nope' }, '"nope"'],
    [{ event: 7 }, '7'],
    [{}, 'missing'],
    [[], 'missing'],
    [{ event: '__proto__' }, '"__proto__"'],
  ])('refuses %j', async (body, given) => {
    const answered = await client.send('POST', service.emit, { body, mediaType: 'application/json' });
    expect(answered.status).toBe(422);
    expect(pointersOf(answered)).toEqual(['/event']);
    expect(JSON.stringify(answered.json)).toContain(JSON.stringify(`/event is ${given}. Valid are `).slice(1, -1));
  });

  test('takes JSON alone, and POST alone', async () => {
    const body = '{"event":"container.created"}';
    expect((await client.send('POST', service.emit, { body, mediaType: 'text/plain' })).status).toBe(415);
    expect((await client.send('POST', service.emit, { body: '{', mediaType: 'application/json' })).status).toBe(400);
    const got = await client.send('GET', service.emit);
    expect(got.status).toBe(404);
    expect(JSON.stringify(got.json)).toContain(
      'There is no GET /emit. There are the operations of the contract, below /v2, and POST /emit.',
    );
  });

  test('says how many notifications come of it, and needs no key', async () => {
    const mediaType = 'application/json';
    const body = { event: 'container.created' };
    const inactive = await client.webhook(url, { active: false });
    const answered = await client.send('POST', service.emit, { body, mediaType, authorization: null });
    expect(answered).toMatchObject({ status: 202 });
    expect(answered.json).toEqual({ notifications: expect.any(Number) as number });
    await client.call('deleteWebhook', { id: inactive.id });
  });
});

test('it is found under the base address that it names', async () => {
  expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2$/);
  expect(Array.isArray(dataOf(await client.call('listWebhookIps')))).toBe(true);
  expect((await client.send('GET', service.url.replace('/v2', '/v1/webhooks'))).status).toBe(404);
});
