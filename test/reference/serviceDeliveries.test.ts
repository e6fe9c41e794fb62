import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type RunningService, startService } from '../../reference/service/service.ts';
import { makeCertificate } from '../runner/certificate.ts';
import { catalogue, ServiceClient } from './serviceClient.ts';
import { deliveryProblem, ServiceEndpoints, type Script, type Treatment } from './serviceEndpoints.ts';

/** Milliseconds of a service that does not wait long; all others wait as long as a busy machine may need. */
const timeout = 800;

let endpoints: ServiceEndpoints;
let service: RunningService;
let client: ServiceClient;

beforeAll(async () => {
  endpoints = await new ServiceEndpoints().start();
  service = await startService({ backoff: [10, 20], timeout: 20_000 });
  client = new ServiceClient(service);
});

afterAll(async () => {
  await service.close();
  await endpoints.close();
});

/** A webhook for one event at an endpoint with this script. */
async function hook(event: string, ...script: Script) {
  return hookOf(client, event, script);
}

async function hookOf(by: ServiceClient, event: string, script: Script) {
  const endpoint = endpoints.add(...script);
  const webhook = await by.webhook(endpoint.url, { events: [event] });
  return { endpoint, webhook, secret: webhook.attributes.secret };
}

/** A notification for each of these scripts, and what came of them; `emitted` is when the triggered event was about to be reported. */
async function deliver(event: string, scripts: readonly Script[], by = client) {
  const hooks = await Promise.all(scripts.map((script) => hookOf(by, event, script)));
  const emitted = performance.now();
  expect(await by.emit(event)).toBe(scripts.length);
  const notifications = await by.settled(1);
  await Promise.all(hooks.map(({ webhook }) => by.call('deleteWebhook', { id: webhook.id })));
  return hooks.map(({ endpoint: { attempts }, secret }) => {
    const found = notifications.find(({ id }) => id === attempts[0]!.json.data.id);
    return { attempts, emitted, secret, status: found?.attributes.delivery_status };
  });
}

test('every event comes in the shape of the contract, signed with the webhook’s own secret', async () => {
  const [one, two] = [endpoints.add(200), endpoints.add(200)];
  const webhooks = await Promise.all([one, two].map(({ url }) => client.webhook(url)));
  for (const event of catalogue) expect(await client.emit(event)).toBe(2);
  for (const [at, endpoint] of [one, two].entries()) {
    const attempts = await endpoint.caught(catalogue.length);
    const { secret } = webhooks[at]!.attributes;
    expect(attempts.map((attempt) => deliveryProblem(attempt, secret)).filter((problem) => problem)).toEqual([]);
    expect(attempts.map(({ json }) => json.data.attributes.event).toSorted()).toEqual(catalogue.toSorted());
  }
  const ids = [...one.attempts, ...two.attempts].map(({ json }) => json.data.id);
  expect(new Set(ids).size).toBe(2 * catalogue.length);
  const listed = await client.settled(ids.length);
  for (const { json } of one.attempts) {
    const { id, type, attributes } = json.data;
    expect(attributes.delivery_status).toBe('pending');
    const shown = { ...attributes, delivery_status: 'succeeded' };
    expect(listed.find((each) => each.id === id)).toEqual({ id, type, attributes: shown });
  }
  await Promise.all(webhooks.map(({ id }) => client.call('deleteWebhook', { id })));
});

test('200, 201, 202 and 204 end a delivery', async () => {
  const results = await deliver('container.created', [[200], [201], [202], [204]]);
  for (const { attempts, status } of results) expect([attempts.length, status]).toEqual([1, 'succeeded']);
});

const refusals = [
  [203, 205, 206, 207, 226, 300, 301, 302, 303, 304, 305, 307, 308],
  [400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 418, 422, 425, 429, 451, 499],
  [500, 501, 502, 503, 504, 511, 599, 999],
].flat();

test('every other status is tried again, with the same bytes', async () => {
  const results = await deliver(
    'container.updated',
    refusals.map((refusal) => [refusal, 202]),
  );
  for (const [at, { attempts, status, secret }] of results.entries()) {
    expect([refusals[at], attempts.length, status]).toEqual([refusals[at], 2, 'succeeded']);
    const [first, second] = attempts;
    expect(second!.body).toEqual(first!.body);
    expect(second!.rawHeaders).toEqual(first!.rawHeaders);
    expect(deliveryProblem(second!, secret)).toBeUndefined();
  }
});

test.each([
  ['hang', timeout - 5],
  ['drip', timeout - 5],
  ['reset', 0],
  ['half', 0],
] as const)('a receiver that does this is tried again: %s', async (treatment, least) => {
  const impatient = await startService({ backoff: [10, 20], timeout });
  const by = new ServiceClient(impatient);
  const [result] = await deliver('document.extracted', [[treatment, treatment, 200]], by);
  await impatient.close();
  const { attempts, emitted, status } = result!;
  expect([attempts.length, status]).toEqual([3, 'succeeded']);
  expect(attempts[1]!.at - emitted).toBeGreaterThan(least);
});

test('what is no HTTP is tried again', async () => {
  const answers = [
    'nonsense\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    '',
  ];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const answer = answers.shift() ?? 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n';
    socket.on('error', () => {}).once('data', () => socket.end(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const webhook = await client.webhook(`http://localhost:${port}/`, { events: ['document.extraction_failed'] });
  await client.emit('document.extraction_failed');
  const listed = await client.settled(1);
  expect([connections, listed[0]!.attributes.delivery_status]).toEqual([4, 'succeeded']);
  await client.call('deleteWebhook', { id: webhook.id });
  server.close();
});

test('an endless answer is not read to its end', async () => {
  const results = await deliver('container.transport.rail_loaded', [
    ['endless'],
    [{ status: 200, body: 'x'.repeat(60_000) }],
  ]);
  for (const { attempts, status } of results) expect([attempts.length, status]).toEqual([1, 'succeeded']);
});

test('redirects are not followed', async () => {
  const elsewhere = endpoints.add(200);
  const headers = { location: elsewhere.url };
  const statuses = [301, 302, 303, 307, 308];
  const results = await deliver(
    'container.transport.rail_departed',
    statuses.map((status) => [{ status, headers }, 200]),
  );
  for (const { attempts } of results) expect(attempts).toHaveLength(2);
  expect(elsewhere.attempts).toEqual([]);
});

test('after n failures, n from 0 to 12, it succeeds; after 13 it has failed for good', async () => {
  const counts = Array.from({ length: 13 }, (_, at) => at);
  const scripts = counts.map((failures): Script => [...Array<Treatment>(failures).fill(500), 200] as unknown as Script);
  const results = await deliver('container.transport.empty_out', [...scripts, [500]]);
  for (const failures of counts) {
    const { attempts, status } = results[failures]!;
    expect([attempts.length, status]).toEqual([failures + 1, 'succeeded']);
  }
  const { attempts, status } = results.at(-1)!;
  expect([attempts.length, status]).toEqual([13, 'failed']);
  expect(new Set(attempts.map(({ body }) => body.toString())).size).toBe(1);
  // Anything after the end would come within one pause: another notification takes longer than that.
  await deliver('container.transport.full_in', [[500, 500, 500, 200]]);
  expect(attempts).toHaveLength(13);
});

test('connections that are refused are tried again; a new url holds for later attempts', async () => {
  const closed = createServer();
  await once(closed.listen(0, '127.0.0.1'), 'listening');
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const webhook = await client.webhook(`http://127.0.0.1:${port}/`, { events: ['container.transport.full_out'] });
  expect(await client.emit('container.transport.full_out')).toBe(1);
  const endpoint = endpoints.add(200);
  const headers = [{ name: 'x-late', value: 'yes' }];
  expect((await client.update(webhook.id, { url: endpoint.url, headers })).status).toBe(200);
  const [attempt] = await endpoint.caught(1);
  expect(attempt!.rawHeaders.join()).toContain('X-Late,yes');
  expect(deliveryProblem(attempt!, webhook.attributes.secret)).toBeUndefined();
  await client.call('deleteWebhook', { id: webhook.id });
});

test('what is pending for a webhook that is deleted has failed', async () => {
  const { endpoint, webhook } = await hook('container.transport.empty_in', 500);
  await client.emit('container.transport.empty_in');
  const [attempt] = await endpoint.caught(1);
  await client.call('deleteWebhook', { id: webhook.id });
  const listed = await client.settled(1);
  expect(listed.find(({ id }) => id === attempt!.json.data.id)!.attributes.delivery_status).toBe('failed');
});

test('over https, the receiver’s certificate has to be trusted', async () => {
  const certificate = await makeCertificate();
  const secure = await new ServiceEndpoints(certificate).start();
  const trusting = await startService({ backoff: [10], ca: certificate.cert });
  const trusted = new ServiceClient(trusting);
  const [known, unknown] = [secure.add(200), secure.add(200)];
  const webhook = await trusted.webhook(known.url, { events: ['container.created'] });
  const { id } = await client.webhook(unknown.url, { events: ['container.created'] });
  expect([await trusted.emit('container.created'), await client.emit('container.created')]).toEqual([1, 1]);
  const [attempt] = await known.caught(1);
  expect(deliveryProblem(attempt!, webhook.attributes.secret)).toBeUndefined();
  const [refused] = await client.settled(1);
  expect(refused!.attributes.delivery_status).toBe('failed');
  expect(unknown.attempts).toEqual([]);
  await Promise.all([client.call('deleteWebhook', { id }), trusting.close(), secure.close(), certificate.remove()]);
});

describe('custom headers', () => {
  test('go out with each attempt, capitalised, and leave the service’s own alone', async () => {
    const endpoint = endpoints.add(500, 200);
    const headers = [
      { name: 'x-custom-name', value: 'one, two' },
      { name: 'authorization', value: 'Bearer ü' },
      { name: 'X-Twice', value: 'a' },
      { name: 'X-Twice', value: 'b' },
      { name: 'user-agent', value: 'mine' },
      { name: 'X-Empty', value: '' },
    ];
    const { id, attributes } = await client.webhook(endpoint.url, { headers, events: ['container.created'] });
    await client.emit('container.created');
    for (const attempt of await endpoint.caught(2)) {
      const { rawHeaders } = attempt;
      const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []));
      const expected = [
        'X-Custom-Name: one, two',
        'Authorization: Bearer ü',
        'X-Twice: a',
        'X-Twice: b',
        'User-Agent: mine',
      ];
      expect(lines).toEqual(expect.arrayContaining([...expected, 'X-Empty: ']));
      expect(deliveryProblem(attempt, attributes.secret)).toBeUndefined();
    }
    await client.call('deleteWebhook', { id });
  });

  test('that have come into the store all the same do no harm', async () => {
    const careless = await startService({ policies: { headerProblems: () => [], headerName: (name) => name } });
    const other = new ServiceClient(careless);
    const endpoint = endpoints.add(200);
    const headers = [
      { name: 'x-svc-webhook-signature', value: 'forged' },
      { name: 'Content-Length', value: '3' },
      { name: 'Transfer-Encoding', value: 'chunked' },
      { name: 'Connection', value: 'upgrade' },
      { name: 'X-A', value: 'a\r\nX-Evil: 1' },
      { name: 'X-B\r\nX-Evil', value: '1' },
      { name: 'X-Fine', value: 'c' },
    ];
    const webhook = await other.webhook(endpoint.url, { headers });
    await other.emit('container.created');
    const [attempt] = await endpoint.caught(1);
    expect(deliveryProblem(attempt!, webhook.attributes.secret)).toBeUndefined();
    expect(attempt!.rawHeaders.join()).not.toMatch(/evil|forged|chunked|X-A|X-B/i);
    expect(attempt!.headers['x-fine']).toBe('c');
    await careless.close();
  });
});
