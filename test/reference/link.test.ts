import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, expect, test } from 'vitest';

import { startReceiver, type ReceiverOptions } from '../../reference/receiver/receiver.ts';
import { ServiceApi } from '../../reference/receiver/serviceApi.ts';
import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import { Target } from './target.ts';

const secrets = ['whsec-link'];
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function start(options: Partial<ReceiverOptions>) {
  const receiver = await startReceiver({ secrets, ...options });
  closing.push(() => receiver.close());
  return { target: new Target(receiver, secrets), origin: new URL(receiver.url).origin };
}

/** A service of two pages each, which says when it was asked for something. */
async function startService(answers: { ips: readonly string[]; status: string; next?: string }) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    asked.push(`${pathname} ${searchParams.get('page') ?? 1} ${request.headers.authorization}`);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(pathname === '/v2/webhooks/ips' ? { data: answers.ips } : page(pathname, searchParams)),
    );
    server.emit('asked');
  });
  const page = (pathname: string, query: URLSearchParams) => ({
    data: [{ id: `${pathname} ${query.get('page')}`, type: 'any', attributes: { delivery_status: answers.status } }],
    links: query.has('page') ? {} : { next: answers.next ?? `${pathname}?page=2` },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
  return { api: { url, key: 'k' }, asked, server, answers };
}

test('it lets in addresses and blocks of its list only, whatever a header says', async () => {
  const inside = await start({ allow: ['192.0.2.1', '127.0.0.0/30'] });
  expect((await inside.target.send()).status).toBe(202);
  const outside = await start({ allow: ['192.0.2.1', '127.0.0.4/30', '::1'] });
  expect((await outside.target.send()).status).toBe(403);
  expect((await outside.target.send({ headers: ['X-Forwarded-For', '192.0.2.1'] })).status).toBe(403);
});

test('it reads the list from the service before its first delivery, and follows it', async () => {
  const service = await startService({ ips: ['127.0.0.1'], status: 'succeeded' });
  const { target } = await start({ api: service.api, publishedFromApi: true, refresh: 20 });
  expect((await target.send()).status).toBe(202);
  service.answers.ips = ['192.0.2.7'];
  await once(service.server, 'asked');
  await once(service.server, 'asked');
  expect((await target.send()).status).toBe(403);
  expect(service.asked).toContain('/v2/webhooks/ips 1 Token k');
});

test('it lets in nobody as long as it knows no list', async () => {
  const { target } = await start({ api: { url: 'http://127.0.0.1:9/v2', key: 'k' }, publishedFromApi: true });
  expect((await target.send()).status).toBe(403);
});

test('it recovers on request: every page of the notifications, and of shipments and containers where one failed', async () => {
  const service = await startService({ ips: [], status: 'failed' });
  const { origin } = await start({ api: service.api, policies: { recover: onceAsked() } });
  expect((await fetch(`${origin}/recover`, { method: 'POST' })).status).toBe(204);
  const lists = ['webhook_notifications', 'shipments', 'containers'];
  expect(service.asked).toEqual(lists.flatMap((list) => [`/v2/${list} 1 Token k`, `/v2/${list} 2 Token k`]));
});

test('it reads nothing again where nothing failed', async () => {
  const service = await startService({ ips: [], status: 'succeeded' });
  const { origin } = await start({ api: service.api, policies: { recover: onceAsked() } });
  await fetch(`${origin}/recover`, { method: 'POST' });
  expect(service.asked).toHaveLength(2);
});

test('it recovers at its start', async () => {
  const service = await startService({ ips: [], status: 'failed' });
  const asked = once(service.server, 'asked');
  await start({ api: service.api });
  await asked;
  expect(service.asked[0]).toBe('/v2/webhook_notifications 1 Token k');
});

test('it says that a recovery failed', async () => {
  const { origin } = await start({ api: { url: 'http://127.0.0.1:9/v2', key: 'k' } });
  expect((await fetch(`${origin}/recover`, { method: 'POST' })).status).toBe(500);
});

/** Leaves the recovery of the start out, so that what is asked for belongs to the request. */
function onceAsked(): (typeof conformingPolicies)['recover'] {
  let starting = true;
  return async (api) => {
    if (!starting) return conformingPolicies.recover(api);
    starting = false;
    return [];
  };
}

test.each(['http:', ''])('its key goes to no other host, whatever the next page is: %j', async (scheme) => {
  const other = await startService({ ips: [], status: 'failed' });
  const next = `${scheme}${other.api.url.replace('http:', '')}/shipments`;
  const { api, asked } = await startService({ ips: [], status: 'failed', next });
  await expect(new ServiceApi(api).all('shipments')).rejects.toThrow(/next page .* is elsewhere: http:/);
  expect(asked).toEqual(['/v2/shipments 1 Token k']);
  expect(other.asked).toEqual([]);
});
