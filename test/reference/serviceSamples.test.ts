import { createHmac } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type RunningService, startService } from '../../reference/service/service.ts';
import { catalogue, pointersOf, ServiceClient } from './serviceClient.ts';
import { deliveryProblem, ServiceEndpoints } from './serviceEndpoints.ts';

let endpoints: ServiceEndpoints;
let service: RunningService;
let client: ServiceClient;

beforeAll(async () => {
  endpoints = await new ServiceEndpoints().start();
  service = await startService({ backoff: [1], timeout: 500 });
  client = new ServiceClient(service);
});

afterAll(async () => {
  await service.close();
  await endpoints.close();
});

test('every event can be tried, signed with the secret that is given', async () => {
  const endpoint = endpoints.add(200);
  for (const event of catalogue) {
    const answered = await client.call('triggerWebhook', { body: { url: endpoint.url, event, secret: 'geheim ü' } });
    expect(answered).toMatchObject({ status: 202, mediaType: 'application/json' });
  }
  const attempts = await endpoint.caught(catalogue.length);
  expect(attempts.map(({ json }) => json.data.attributes.event).toSorted()).toEqual(catalogue.toSorted());
  expect(attempts.map((attempt) => deliveryProblem(attempt, 'geheim ü')).filter((problem) => problem)).toEqual([]);
});

test('without a secret it is not signed; an empty one is a secret too', async () => {
  const [unsigned, signed] = [endpoints.add(200), endpoints.add(200)];
  await client.call('triggerWebhook', { body: { url: unsigned.url, event: catalogue[0] } });
  await client.call('triggerWebhook', { body: { url: signed.url, event: catalogue[0], secret: '' } });
  const [first] = await unsigned.caught(1);
  expect(first!.headers).not.toHaveProperty('x-svc-webhook-signature');
  const [second] = await signed.caught(1);
  const digest = createHmac('sha256', '').update(second!.body).digest('hex');
  expect(second!.headers['x-svc-webhook-signature']).toBe(digest);
});

test('it goes to no webhook, leaves no trace, and is sent once whatever the answer', async () => {
  const registered = endpoints.add(200);
  const { id } = await client.webhook(registered.url);
  const before = await client.all('listWebhookNotifications');
  const receivers = [endpoints.add(500), endpoints.add('hang'), endpoints.add('reset'), endpoints.add(302)];
  for (const { url } of receivers) await client.call('triggerWebhook', { body: { url, event: catalogue[0] } });
  for (const endpoint of receivers) await endpoint.caught(1);
  await client.call('triggerWebhook', { body: { url: 'http://127.0.0.1:1/', event: catalogue[0] } });
  expect(await client.all('listWebhookNotifications')).toEqual(before);
  // Twice the pause before a retry and more: the webhook's own notification comes after the samples.
  await client.emit(catalogue[1]!);
  const attempts = await registered.caught(1);
  expect(attempts.map(({ json }) => json.data.attributes.event)).toEqual([catalogue[1]]);
  for (const endpoint of receivers) expect(endpoint.attempts).toHaveLength(1);
  await client.call('deleteWebhook', { id });
});

test.each([
  [{}, ['/url', '/event']],
  [{ event: catalogue[0] }, ['/url']],
  [{ url: 'https://example.com' }, ['/event']],
  [{ url: 'https://example.com', event: 'nope' }, ['/event']],
  [{ url: 'https://example.com', event: catalogue }, ['/event']],
  [{ url: 'http://example.com', event: catalogue[0] }, ['/url']],
  [{ url: 'https://example.com', event: catalogue[0], secret: 7 }, ['/secret']],
  [{ data: { url: 'https://example.com', event: catalogue[0] } }, ['/url', '/event']],
])('%j is refused', async (body, pointers) => {
  const answered = await client.call('triggerWebhook', { body });
  expect(answered.status).toBe(422);
  expect(pointersOf(answered)).toEqual(pointers);
});

test('more than 256 at once are put off', async () => {
  const slow = await startService({ timeout: 30_000 });
  const other = new ServiceClient(slow);
  const endpoint = endpoints.add('hang');
  const send = () => other.call('triggerWebhook', { body: { url: endpoint.url, event: catalogue[0] } });
  const answers = await Promise.all(Array.from({ length: 260 }, send));
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(256);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  await slow.close();
});
