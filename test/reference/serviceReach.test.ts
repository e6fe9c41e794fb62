import { afterAll, beforeAll, expect, test } from 'vitest';

import type { MadeAttempt } from '../../reference/service/records.ts';
import { type RunningService, startService } from '../../reference/service/service.ts';
import { ServiceClient } from './serviceClient.ts';

const event = 'container.created';
let service: RunningService;
let client: ServiceClient;
let heard: (attempt: MadeAttempt) => void = () => {};

beforeAll(async () => {
  service = await startService({ backoff: [60_000], onAttempt: (attempt) => heard(attempt) });
  client = new ServiceClient(service);
});

afterAll(() => service.close());

test.each([
  '10.0.0.1',
  '192.0.2.1',
  '169.254.169.254',
  '[::ffff:169.254.169.254]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[2001:db8::1]',
  '2852039166',
])('by itself it sends nothing to https://%s', async (host) => {
  const attempt = new Promise<MadeAttempt>((resolve) => (heard = resolve));
  const { id } = await client.webhook(`https://${host}/hooks`, { events: [event] });
  await client.emit(event);
  expect((await attempt).outcome).toEqual({ kind: 'broken', code: 'ADDRESS_REFUSED' });
  await client.call('deleteWebhook', { id });
});
