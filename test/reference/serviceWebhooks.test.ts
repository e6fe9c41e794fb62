import { XMLParser } from 'fast-xml-parser';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { invalidNeighbour, webhookCreation } from '../../generators/index.ts';
import { operationBody } from '../../generators/calls/requestBodies.ts';
import { type RunningService, startService } from '../../reference/service/service.ts';
import { catalogue, contract, creation, dataOf, type Item, pointersOf, ServiceClient } from './serviceClient.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const url = 'https://example.com/hooks?a=1#part';

let service: RunningService;
let client: ServiceClient;

beforeAll(async () => {
  service = await startService();
  client = new ServiceClient(service);
});

afterAll(() => service.close());

describe('createWebhook', () => {
  test.each(['application/json', 'application/vnd.api+json', 'Application/JSON; charset=utf-8'])(
    'takes %s, and answers in application/json',
    async (mediaType) => {
      const before = Date.now();
      const attributes = { url, active: false, events: [catalogue[3]!, catalogue[0]!], headers: [] };
      const answered = await client.call('createWebhook', { body: creation(attributes), mediaType });
      expect(answered).toMatchObject({ status: 201, mediaType: 'application/json' });
      const { id, type, attributes: shown } = dataOf(answered) as Item;
      expect({ id, type }).toEqual({ id: expect.stringMatching(uuid) as string, type: 'webhook' });
      expect(shown).toMatchObject(attributes);
      expect(Date.parse(shown.created_at)).toBeGreaterThanOrEqual(before);
    },
  );

  test('gives each webhook an id and a secret of its own, of 32 random bytes', async () => {
    const created = await Promise.all(Array.from({ length: 20 }, () => client.webhook(url)));
    expect(new Set(created.map(({ id }) => id)).size).toBe(20);
    const secrets = new Set(created.map(({ attributes }) => attributes.secret));
    expect(secrets.size).toBe(20);
    for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{64}$/);
  });

  test('subscribes to all events where none are named, and takes null for no headers', async () => {
    const { attributes } = await client.webhook(url, { headers: null });
    expect(attributes).toMatchObject({ events: catalogue, headers: null });
  });

  test('stores nothing that the contract does not list', async () => {
    const extra = { secret: 'mine', created_at: 'never', note: 'x', failures: 9, unlisted: { a: 1 } };
    const headers = [{ name: 'X-A', value: 'b', more: 1 }];
    const body = {
      data: { id: 'mine', type: 'webhook', meta: {}, attributes: { url, active: true, headers, ...extra } },
      extra,
    };
    const created = dataOf(await client.call('createWebhook', { body })) as Item;
    const read = dataOf(await client.call('readWebhook', { id: created.id })) as Item;
    expect(read).toEqual(created);
    expect(Object.keys(read.attributes).toSorted()).toEqual([
      'active',
      'created_at',
      'events',
      'headers',
      'secret',
      'url',
    ]);
    expect(read.attributes).toMatchObject({ headers: [{ name: 'X-A', value: 'b' }] });
    expect(read.attributes.secret).not.toBe('mine');
  });

  test('capitalises each part of a custom header name', async () => {
    const names = ['x-custom-name', 'X-API-key', 'authorization', 'x_y', '1-a'];
    const { attributes } = await client.webhook(url, { headers: names.map((name) => ({ name, value: '' })) });
    const shown = (attributes['headers'] as { name: string }[]).map(({ name }) => name);
    expect(shown).toEqual(['X-Custom-Name', 'X-API-Key', 'Authorization', 'X_y', '1-A']);
  });

  test('takes whatever the schema allows and a url can be', async () => {
    await fc.assert(
      fc.asyncProperty(webhookCreation(contract), async (body) => {
        const answered = await client.call('createWebhook', { body });
        expect(answered.status).toBe(201);
        const { events, url: given, active } = (body as unknown as { data: Item }).data.attributes;
        const shown = (dataOf(answered) as Item).attributes;
        expect(shown).toMatchObject({ url: given, active, events: events ?? catalogue });
      }),
      { numRuns: 50 },
    );
  });

  test('refuses what differs from that in one place, says where, and creates nothing', async () => {
    const operation = contract.operations.find(({ operationId }) => operationId === 'createWebhook')!;
    const { validate } = operation.request['application/json']!;
    const schema = operationBody(contract, 'create');
    const before = await client.all('listWebhooks');
    const taken = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        invalidNeighbour(schema, validate, { valid: webhookCreation(contract) }),
        async ({ invalid, at }) => {
          const answered = await client.call('createWebhook', { body: JSON.stringify(invalid) });
          if (at === '/data/attributes/headers' && answered.status === 201) {
            taken.add((JSON.parse(answered.text) as { data: { id: string } }).data.id);
            return;
          }
          expect(answered.status).toBe(422);
          expect(pointersOf(answered)).toContain(at === '' ? undefined : at);
        },
      ),
      { numRuns: 100 },
    );
    const after = await client.all('listWebhooks');
    expect(after.filter(({ id }) => !taken.has(id))).toEqual(before);
  });

  test.each([
    ['http to another host', 'http://example.com/hooks'],
    ['http to an address that only begins like loopback', 'http://127.0.0.1.example.com/'],
    ['http to the metadata address', 'http://169.254.169.254/'],
    ['another scheme', 'ftp://example.com/'],
    ['no host', 'https://'],
    ['a mail address', 'mailto:someone@example.com'],
    ['a relative one', '/hooks'],
    ['user and password', 'https://user:secret@example.com/'],
    ['not even ASCII', 'https://exämple.com/'],
    ['nothing', ''],
  ])('refuses a url: %s', async (_, bad) => {
    const answered = await client.call('createWebhook', { body: creation({ url: bad, active: false }) });
    expect(answered.status).toBe(422);
    expect(pointersOf(answered)).toEqual(['/data/attributes/url']);
  });

  test.each(['http://localhost:1/a', 'http://127.9.8.7/', 'http://[::1]:8080/', 'http://hooks.localhost/', url])(
    'takes %s',
    async (good) => expect((await client.webhook(good)).attributes.url).toBe(good),
  );

  test.each([
    ['X-SVC-Webhook-Signature', 'a'],
    ['x-svc-webhook-signature', 'a'],
    ['Content-Type', 'text/plain'],
    ['content-length', '1'],
    ['HOST', 'example.com'],
    ['Connection', 'close'],
    ['Transfer-Encoding', 'chunked'],
    ['expect', '100-continue'],
    ['Upgrade', 'h2c'],
  ])('refuses the custom header %s, which is not the client’s to set', async (name, value) => {
    const body = creation({
      url,
      active: true,
      headers: [
        { name: 'X-Fine', value },
        { name, value },
      ],
    });
    const answered = await client.call('createWebhook', { body });
    expect(answered.status).toBe(422);
    expect(pointersOf(answered)).toEqual(['/data/attributes/headers/1/name']);
  });

  test.each([
    ['X-A', 'a\r\nX-Evil: 1', 'value'],
    ['X-A', 'a\nb', 'value'],
    ['X-A', '\u0000', 'value'],
    ['X-A', '漢', 'value'],
    ['X-A\r\nX-Evil', 'a', 'name'],
    ['X A', 'a', 'name'],
    ['X-A:', 'a', 'name'],
    ['', 'a', 'name'],
    ['Ünicode', 'a', 'name'],
  ])('refuses the custom header %j with the value %j', async (name, value, place) => {
    const body = creation({ url, active: true, headers: [{ name, value }] });
    const answered = await client.call('createWebhook', { body });
    expect(answered.status).toBe(422);
    expect(pointersOf(answered)).toEqual([`/data/attributes/headers/0/${place}`]);
  });

  test('names everything that is wrong, in plain words', async () => {
    const body = creation({ url: 'http://example.com', active: 'yes', events: ['container.created', 'nope'] });
    expect((await client.call('createWebhook', { body: creation({ url }) })).json).toEqual({
      errors: [
        {
          status: '422',
          code: 'required',
          title: 'The request is invalid',
          detail: '/data/attributes/active is missing. Add it.',
          source: { pointer: '/data/attributes/active' },
        },
      ],
    });
    const answered = await client.call('createWebhook', { body });
    expect(pointersOf(answered)).toEqual(['/data/attributes/active', '/data/attributes/events/1']);
    expect(answered.text).toContain('is \\"nope\\"; valid are container.transport.vessel_arrived, ');
  });
});

describe('the XML variant', () => {
  const parser = new XMLParser({ parseTagValue: false, isArray: (name) => ['events', 'headers'].includes(name) });

  test('says the same as the JSON', async () => {
    const headers = [
      { name: 'X-First', value: `<&> " ' ]]> ä` },
      { name: 'X-Second', value: '' },
    ];
    const attributes = { url: 'https://example.com/?a=1&b=2', active: true, events: catalogue.slice(2, 5), headers };
    const answered = await client.call('createWebhook', {
      body: creation(attributes),
      headers: { accept: 'application/xml' },
    });
    expect(answered).toMatchObject({ status: 201, mediaType: 'application/xml' });
    expect(answered.text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<webhook>/);
    const { webhook } = parser.parse(answered.text) as { webhook: { data: Item } };
    const { data } = (await client.call('readWebhook', { id: webhook.data.id })).json as { data: Item };
    expect(webhook.data).toEqual({ ...data, attributes: { ...data.attributes, active: 'true' } });
  });

  test('leaves out what is null', async () => {
    const answered = await client.call('createWebhook', {
      body: creation({ url, active: false, events: [catalogue[0]] }),
      headers: { accept: 'text/html, application/xml;q=0.9, */*;q=0.8' },
    });
    expect(answered.text).not.toContain('headers');
    expect(answered.text).toContain('<active>false</active>');
  });

  test.each([
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/xml, application/json', 'application/json'],
    ['application/xml;q=0.5, application/json', 'application/json'],
    ['application/xml;q=0, */*;q=0', 'application/json'],
    ['text/html', 'application/json'],
    ['application/json;q=0.5, application/xml', 'application/xml'],
    ['application/xml;q=0.6, application/*;q=0.5', 'application/xml'],
  ])('Accept: %s leads to %s', async (accept, mediaType) => {
    const answered = await client.call('createWebhook', {
      body: creation({ url, active: false }),
      headers: { accept },
    });
    expect(answered.mediaType).toBe(mediaType);
  });
});

describe('updateWebhook', () => {
  test('changes what it names and leaves the rest', async () => {
    const headers = [{ name: 'X-A', value: 'b' }];
    const created = await client.webhook(url, { events: [catalogue[0]], headers });
    const steps = [
      { active: false },
      { events: [catalogue[1]!, catalogue[2]!] },
      { url: 'https://example.com/other' },
      { headers: [{ name: 'X-B', value: 'c' }] },
      { headers: null },
      { active: true, events: catalogue },
    ];
    let expected = created.attributes;
    for (const step of steps) {
      expected = { ...expected, ...step };
      const answered = await client.update(created.id, step);
      expect(answered.status).toBe(200);
      expect(dataOf(answered)).toEqual({ ...created, attributes: expected });
      expect(dataOf(await client.call('readWebhook', { id: created.id }))).toEqual(dataOf(answered));
    }
  });

  test('leaves alone what is not the client’s to change', async () => {
    const created = await client.webhook(url);
    const answered = await client.update(created.id, {
      active: true,
      secret: 'x',
      created_at: 'y',
      failures: 3,
      id: 'z',
    });
    expect(dataOf(answered)).toEqual(created);
  });

  test.each([
    [{ url: 'http://example.com' }, '/data/attributes/url'],
    [{ url: 7 }, '/data/attributes/url'],
    [{ events: [] }, '/data/attributes/events'],
    [{ events: ['nope'] }, '/data/attributes/events/0'],
    [{ active: null }, '/data/attributes/active'],
    [{ headers: [{ name: 'Host', value: '' }] }, '/data/attributes/headers/0/name'],
    [{}, '/data/attributes'],
  ])('refuses %j', async (attributes, pointer) => {
    const created = await client.webhook(url);
    const answered = await client.update(created.id, attributes);
    expect(answered.status).toBe(422);
    expect(pointersOf(answered)).toEqual([pointer]);
    expect(dataOf(await client.call('readWebhook', { id: created.id }))).toEqual(created);
  });

  test('refuses another id in the body than in the path', async () => {
    const [one, two] = await Promise.all([client.webhook(url), client.webhook(url)]);
    const body = { data: { id: two.id, type: 'webhook', attributes: { active: false } } };
    expect((await client.call('updateWebhook', { id: one.id, body })).status).toBe(409);
  });
});

test('a webhook that is deleted is gone', async () => {
  const { id } = await client.webhook(url);
  expect((await client.call('deleteWebhook', { id })).status).toBe(204);
  for (const operationId of ['readWebhook', 'deleteWebhook']) {
    expect((await client.call(operationId, { id })).status).toBe(404);
  }
  expect((await client.update(id, { active: true })).status).toBe(404);
  expect((await client.all('listWebhooks')).map((each) => each.id)).not.toContain(id);
});

test('the list shows all but the secrets', async () => {
  const { id, type, attributes } = await client.webhook(url, { active: false });
  const { secret: _, ...shown } = attributes;
  expect((await client.all('listWebhooks')).find((each) => each.id === id)).toEqual({ id, type, attributes: shown });
});
