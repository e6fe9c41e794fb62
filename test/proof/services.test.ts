import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Client, webhookBody, type Resource } from './services/client.ts';
import { Listener, type Heard } from './services/listener.ts';
import { conformingServices } from './services/index.ts';
import { start as otherSignature } from './services/otherSignature.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(\d{3})?Z$/;
const event = 'container.transport.vessel_arrived';
const document = readFileSync(new URL('../../spec/contracts/tracking/openapi.yaml', import.meta.url), 'utf8');
const catalogue = [...document.matchAll(/^ {8}- ([a-z_]+(?:\.[a-z_]+)+)$/gm)].map(([, name]) => name!);

let listener: Listener;
let client: Client;

beforeAll(async () => {
  listener = await Listener.open();
});
afterAll(() => listener.close());

function notificationIn({ body }: Heard): Resource {
  return JSON.parse(body.toString()).data;
}

function nth(path: string, count: number): Promise<Heard> {
  return client.until(() => listener.at(path)[count - 1]);
}

function signatureOf(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

describe.each(Object.entries(conformingServices))('%s', (name, start) => {
  beforeAll(async () => {
    client = new Client(await start({ backoff: [5], timeout: 200 }));
  });
  afterAll(() => client.service.close());

  test('registers a webhook and lists it', async () => {
    const url = listener.url(`/${name}/registered`, 200);
    const made = await client.create({ url, active: false, events: [event] });
    expect(made).toMatchObject({ type: 'webhook', attributes: { url, active: false, events: [event] } });
    expect(made.id).toMatch(uuid);
    expect(made.attributes['created_at']).toMatch(time);
    expect(made.attributes.secret).not.toBe((await client.create({ url, active: false })).attributes.secret);
    expect(await client.list('/webhooks')).toContainEqual(
      expect.objectContaining({ id: made.id, attributes: expect.objectContaining({ active: false }) }),
    );
  });

  test('takes and answers application/json where a webhook is made', async () => {
    const body = webhookBody({ url: 'https://receiver.example/', active: false });
    const answer = await client.call('POST', '/webhooks', body, { 'content-type': 'application/json' });
    expect(answer).toMatchObject({ status: 201, mediaType: 'application/json' });
  });

  test('delivers each event of the catalogue, signed, and lists it as succeeded', async () => {
    expect(catalogue).toHaveLength(43);
    const path = `/${name}/catalogue`;
    const { id, attributes } = await client.create({ url: listener.url(path, 204), active: true });
    for (const one of catalogue) await client.emit(one);
    // On a busy machine one of them may come twice.
    const events = () => new Set(listener.at(path).map((one) => notificationIn(one).attributes['event']));
    await client.until(() => events().size === catalogue.length || undefined);
    expect(events()).toEqual(new Set(catalogue));
    const heard = listener.at(path);
    expect(new Set(heard.map((one) => notificationIn(one).id)).size).toBe(43);
    for (const { headers, body } of heard) {
      expect(headers['x-svc-webhook-signature']).toBe(signatureOf(body, attributes.secret));
    }
    expect(notificationIn(heard[0]!)).toMatchObject({
      id: expect.stringMatching(uuid),
      type: 'webhook_notification',
      attributes: { delivery_status: 'pending', created_at: expect.stringMatching(time) },
    });
    for (const one of heard) expect(await client.outcome(notificationIn(one).id)).toBe('succeeded');
    await client.update(id, { active: false });
  });

  test('gives up after twelve retries of the same bytes', async () => {
    const path = `/${name}/refusing`;
    const { id, attributes } = await client.create({ url: listener.url(path, 500), active: true, events: [event] });
    await client.emit(event);
    const { id: notified } = notificationIn(await nth(path, 1));
    expect(await client.outcome(notified)).toBe('failed');
    await client.update(id, { url: listener.url(`/${name}/fence`, 200) });
    await client.emit(event);
    await nth(`/${name}/fence`, 1);
    const attempts = listener.at(path);
    expect(attempts).toHaveLength(13);
    for (const { headers, body } of attempts) {
      expect(body.equals(attempts[0]!.body)).toBe(true);
      expect(headers['x-svc-webhook-signature']).toBe(signatureOf(body, attributes.secret));
    }
    await client.update(id, { active: false });
  });

  test('tries again after every answer that does not accept, and follows no redirect', async () => {
    const path = `/${name}/recovering`;
    const steps = [203, 205, 302, 307, 404, 410, 429, 503, 'reset', 'hang', 'cut-off', 202] as const;
    const { id } = await client.create({ url: listener.url(path, ...steps), active: true, events: [event] });
    await client.emit(event);
    const { id: notified } = notificationIn(await nth(path, steps.length));
    expect(await client.outcome(notified)).toBe('succeeded');
    expect(new Set(listener.at(path).map((one) => notificationIn(one).id))).toEqual(new Set([notified]));
    expect(listener.at(path)).toHaveLength(steps.length);
    expect(listener.at('/elsewhere')).toEqual([]);
    await client.update(id, { active: false });
  });

  test('sends custom headers, with a capital, and keeps the signature its own', async () => {
    const path = `/${name}/custom`;
    const url = listener.url(path, 200);
    const custom = { name: 'x-my-label', value: 'Port of Call' };
    const { id, attributes } = await client.create({ url, active: true, events: [event], headers: [custom] });
    await client.emit(event);
    const { rawHeaders } = await nth(path, 1);
    expect(rawHeaders.find((one) => one.toLowerCase() === 'x-my-label')).toMatch(/^X-/);
    expect(rawHeaders).toContain('Port of Call');
    await client.update(id, { headers: [{ name: 'X-Svc-Webhook-Signature', value: '0'.repeat(64) }] });
    await client.emit(event);
    const { headers, body } = await nth(path, 2);
    expect(headers['x-svc-webhook-signature']).toBe(signatureOf(body, attributes.secret));
    await client.update(id, { active: false });
  });

  test('sends nothing to an inactive webhook, and again once it is active', async () => {
    const [path, later] = [`/${name}/asleep`, `/${name}/moved`];
    const { id } = await client.create({ url: listener.url(path, 200), active: false, events: [event] });
    await client.emit(event);
    expect((await client.update(id, { active: true, events: ['document.extracted'] })).status).toBe(
      name === 'python' ? 200 : 204,
    );
    await client.emit(event);
    await client.emit('document.extracted');
    await nth(path, 1);
    await client.update(id, { url: listener.url(later, 200) });
    await client.emit('document.extracted');
    await nth(later, 1);
    expect(listener.at(path).map((one) => notificationIn(one).attributes['event'])).toEqual(['document.extracted']);
    await client.update(id, { active: false });
  });

  const url = 'https://receiver.example/hooks';
  const base = { url, active: false };
  const valid = webhookBody({ ...base, events: [event], headers: [{ name: 'X-A', value: 'b' }] });
  test.each<[string, unknown]>([
    ['no object', []],
    ['null', null],
    ['no data', valid.data],
    ['no type', { data: { attributes: valid.data.attributes } }],
    ['another type', { data: { ...valid.data, type: 'webhooks' } }],
    ['no attributes', { data: { type: 'webhook' } }],
    ['no url', webhookBody({ active: false })],
    ['no active', webhookBody({ url })],
    ['active a text', webhookBody({ url, active: 'false' })],
    ['active null', webhookBody({ url, active: null })],
    ['url a number', webhookBody({ ...base, url: 7 })],
    ['url empty', webhookBody({ ...base, url: '' })],
    ['url no url', webhookBody({ ...base, url: 'not a url' })],
    ['url with a wrong port', webhookBody({ ...base, url: 'https://receiver.example:port/' })],
    ['url without TLS', webhookBody({ ...base, url: 'http://receiver.example/hooks' })],
    ['url of another scheme', webhookBody({ ...base, url: 'ftp://receiver.example/hooks' })],
    ['events empty', webhookBody({ ...base, events: [] })],
    ['events null', webhookBody({ ...base, events: null })],
    ['events a text', webhookBody({ ...base, events: event })],
    ['events repeated', webhookBody({ ...base, events: [event, event] })],
    ['events unknown', webhookBody({ ...base, events: [event, 'container.transport.sunk'] })],
    ['events in capitals', webhookBody({ ...base, events: [event.toUpperCase()] })],
    ['events with a number', webhookBody({ ...base, events: [event, 3] })],
    ['headers an object', webhookBody({ ...base, headers: { name: 'X-A', value: 'b' } })],
    ['headers of texts', webhookBody({ ...base, headers: ['X-A: b'] })],
    ['headers without a name', webhookBody({ ...base, headers: [{ value: 'b' }] })],
    ['headers without a value', webhookBody({ ...base, headers: [{ name: 'X-A' }] })],
    ['headers with a number', webhookBody({ ...base, headers: [{ name: 'X-A', value: 1 }] })],
    ['headers with a line break', webhookBody({ ...base, headers: [{ name: 'X-A', value: 'b\r\nX-C: d' }] })],
    ['headers with a name of two lines', webhookBody({ ...base, headers: [{ name: 'X-A: b\r\nX-C', value: 'd' }] })],
    ['__proto__', JSON.stringify(valid).replace('"url"', '"__proto__":{"active":true},"url"')],
    ['deep', JSON.stringify(valid).replace('"url"', `"a":${'['.repeat(1e5)}${']'.repeat(1e5)},"url"`)],
    ['endlessly deep', '['.repeat(9e5)],
    ['large', JSON.stringify(valid).replace('"url"', `"a":"${'a'.repeat(1e7)}","url"`)],
    ['malformed', JSON.stringify(valid).slice(0, -1)],
    ['invalid UTF-8', Buffer.from(JSON.stringify(valid).replace('hooks', '\u00ff'), 'latin1')],
    ['nothing', ''],
  ])('refuses to make a webhook: %s', async (_what, body) => {
    expect((await client.call('POST', '/webhooks', valid)).status).toBe(201);
    const before = await client.list('/webhooks');
    const { status } = await client.call('POST', '/webhooks', body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(await client.list('/webhooks')).toEqual(before);
  });

  test.each([
    ['POST', '/webhooks'],
    ['GET', '/webhooks'],
    ['POST', '/webhooks/trigger'],
    ['GET', '/webhooks/ips'],
    ['PATCH', '/webhooks/00000000-0000-4000-8000-000000000000'],
    ['GET', '/webhook_notifications'],
    ['POST', '/tracking_requests'],
    ['GET', '/tracking_requests'],
    ['POST', '/tracking_requests/infer_number'],
    ['GET', '/shipments'],
    ['GET', '/containers'],
  ])('asks for the key: %s %s', async (method, path) => {
    const { token } = client.service;
    const wrong = [
      '',
      token,
      'Token',
      `Token ${token}x`,
      `Token ${token.slice(1)}`,
      `Bearer ${token}`,
      `Basic ${token}`,
    ];
    for (const authorization of wrong) {
      expect((await client.call(method, path, undefined, { authorization })).status).toBe(401);
    }
    expect((await client.call(method, path)).status).not.toBe(401);
  });

  test('sends a sample, signed where a secret is given, and keeps nothing of it', async () => {
    const path = `/${name}/sample`;
    const url = listener.url(path, 200);
    const before = await client.list('/webhook_notifications');
    const signed = await client.call('POST', '/webhooks/trigger', { url, event, secret: 'ahoy' });
    expect(signed.status).toBe(name === 'python' ? 202 : 200);
    const { headers, body } = await nth(path, 1);
    expect(headers['x-svc-webhook-signature']).toBe(signatureOf(body, 'ahoy'));
    await client.call('POST', '/webhooks/trigger', { url, event: 'document.extracted' });
    const unsigned = await nth(path, 2);
    expect(notificationIn(unsigned).attributes['event']).toBe('document.extracted');
    expect(unsigned.headers['x-svc-webhook-signature']).toBeUndefined();
    expect(await client.list('/webhook_notifications')).toEqual(before);
  });

  test.each([
    {},
    { url },
    { event },
    { url, event: 'sunk' },
    { url: 'http://a.example', event },
    { data: { url, event } },
  ])('refuses to send a sample: %j', async (body) => {
    expect((await client.call('POST', '/webhooks/trigger', body)).status).toBe(422);
  });

  test('tracks what the carrier knows, and says so once the records can be listed', async () => {
    const path = `/${name}/tracking`;
    const events = ['tracking_request.succeeded', 'tracking_request.failed'];
    const { id } = await client.create({ url: listener.url(path, 200), active: true, events });
    const track = (pair: string): Promise<unknown> => {
      const [scac, number] = pair.split(':');
      const attributes = { request_type: 'bill_of_lading', request_number: number, scac };
      return client.call('POST', '/tracking_requests', { data: { type: 'tracking_request', attributes } });
    };
    expect(await track(client.service.trackable)).toMatchObject({ status: name === 'python' ? 201 : 202 });
    expect(notificationIn(await nth(path, 1)).attributes['event']).toBe(events[0]);
    const isThere = JSON.stringify([await client.list('/shipments'), await client.list('/containers')]);
    expect(isThere).toContain(client.service.trackable.split(':')[1]);
    await track(client.service.untrackable);
    expect(notificationIn(await nth(path, 2)).attributes['event']).toBe(events[1]);
    expect(await client.list('/tracking_requests')).toHaveLength(2);
    expect(await track('XXXX:MAEU123456789')).toMatchObject({ status: 422 });
    expect(await track('maersk:MAEU123456789')).toMatchObject({ status: 422 });
    await client.update(id, { active: false });
  });

  test('names the carrier of a number and the addresses that it sends from', async () => {
    const carrier = await client.call('POST', '/tracking_requests/infer_number', { number: 'MAEU123456789' });
    expect(carrier.text).toMatch(/"scac": ?"MAEU"/);
    expect((await client.call('GET', '/webhooks/ips')).text).toMatch(/"127\.0\.0\.(1|0\/8)"/);
  });
});

test('bareNode turns a webhook off after three notifications that failed', async () => {
  client = new Client(await conformingServices['bareNode']!({ backoff: [1] }));
  const { id } = await client.create({ url: listener.url('/turned-off', 500), active: true, events: [event] });
  for (const round of [1, 2, 3]) {
    await client.emit(event);
    const { id: notified } = notificationIn(await nth('/turned-off', 13 * round));
    expect(await client.outcome(notified)).toBe('failed');
  }
  expect(await client.list('/webhooks')).toMatchObject([{ id, attributes: { active: false } }]);
  await client.service.close();
});

test('python lists page by page, the newest first, and can read and delete a webhook', async () => {
  client = new Client(await conformingServices['python']!());
  const made: Resource[] = [];
  for (const number of [1, 2, 3]) made.push(await client.create({ url: `https://a.example/${number}`, active: false }));
  const pages = [1, 2, 3].map((page) => client.call('GET', `/webhooks?page[number]=${page}&page[size]=2`));
  const lists = (await Promise.all(pages)).map(({ text }) => JSON.parse(text));
  expect(lists).toMatchObject([
    { data: [{ id: made[2]!.id }, { id: made[1]!.id }], meta: { total: 3 } },
    { data: [{ id: made[0]!.id }], meta: { total: 3 } },
    { data: [], meta: { total: 3 } },
  ]);
  const path = `/webhooks/${made[0]!.id}`;
  expect((await client.call('GET', path)).status).toBe(200);
  expect((await client.call('DELETE', path)).status).toBe(204);
  expect((await client.call('GET', path)).status).toBe(404);
  await client.service.close();
});

test('another signature stands in another header', async () => {
  client = new Client(await otherSignature());
  const { attributes } = await client.create({ url: listener.url('/other', 200), active: true });
  await client.emit(event);
  const { headers, body } = await nth('/other', 1);
  const digest = createHmac('sha256', attributes.secret).update(body).digest('base64');
  expect(headers['x-tracking-signature']).toBe(`sha256=${digest}`);
  expect(headers['x-svc-webhook-signature']).toBeUndefined();
  await client.service.close();
});
