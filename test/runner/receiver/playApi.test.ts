import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterEach, describe, expect, test } from 'vitest';

import { freePort } from '../../../runner/catcher/freePort.ts';
import { playApi } from '../../../runner/cli/playApi.ts';
import type { PlayApiOptions } from '../../../runner/receiver/plan.ts';
import { startRecovery } from '../../../runner/receiver/receiverSession.ts';
import { signatureHeaders } from '../../../spec/signature.ts';
import { parseScheme } from '../../../spec/signatureScheme.ts';
import { Unproven } from '../../../suites/check.ts';

const host = '127.0.0.1';
const scheme = parseScheme('sha256=hmac-sha256-hex');
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** The API, and a way to read it as a receiver does. */
async function play(change: Partial<PlayApiOptions> = {}) {
  const port = await freePort(host, new Set());
  const receiver = new URL(`http://${host}:${await freePort(host, new Set([port]))}/hooks`);
  const began = performance.now();
  const api = await playApi({
    listen: { host, port },
    receiver,
    secret: 'played',
    scheme,
    signatureHeader: 'X-Signature',
    headers: [['X-Tenant', '7']],
    access: {},
    addresses: ['127.0.0.6'],
    recover: undefined,
    elapsed: () => performance.now() - began,
    ...change,
  });
  closing.push(() => api.close());
  const read = async (path: string) => {
    const answer = await fetch(`http://${host}:${port}/v2${path}`, { headers: { authorization: 'Token anything' } });
    return (await answer.json()) as { data: readonly { id: string }[]; links: { next?: string } };
  };
  return { api, read, port };
}

/** A receiver that accepts everything. */
async function accepting(): Promise<{
  url: URL;
  requests: (IncomingMessage & { readonly body?: string })[];
  server: Server;
}> {
  const requests: (IncomingMessage & { body?: string })[] = [];
  const server = createServer(async (request, response) => {
    requests.push(Object.assign(request, { body: await text(request) }));
    response.end();
    server.emit('taken');
  });
  server.listen(0, host);
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: new URL(`http://${host}:${(server.address() as AddressInfo).port}/hooks`), requests, server };
}

describe('the API that the kit plays', () => {
  test('lists what failed, and the records that it is about, in short pages, to anyone who asks', async () => {
    const { api, read } = await play();
    const raised = await Promise.all(Array.from({ length: 6 }, () => api.raise('container.updated')));
    const ids = raised.flatMap(({ notifications }) => notifications);
    await api.untilFailed(ids);
    const first = await read('/webhook_notifications');
    const second = await read('/webhook_notifications?page[number]=2');
    expect([...first.data, ...second.data].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(first.data).toHaveLength(5);
    expect(JSON.stringify(first.data)).toContain('"delivery_status":"failed"');
    const shipments = await read('/shipments?page[size]=50');
    expect(shipments.data.map(({ id }) => id).toSorted()).toEqual(
      raised.flatMap(({ records }) => records['listShipments'] ?? []).toSorted(),
    );
    expect(raised[0]!.records['listContainers']).toHaveLength(2);
  });

  test('hears every call, with what was shown', async () => {
    const { api, read } = await play();
    const { notifications } = await api.raise('container.updated');
    await read('/webhook_notifications?page[size]=40');
    await read('/nothing');
    expect(api.calls).toMatchObject([
      { operationId: 'listWebhookNotifications', method: 'GET', status: 200, ids: notifications },
      { operationId: '', path: '/v2/nothing', status: 404, ids: [] },
    ]);
    expect(api.longestPage).toBe(40);
  });

  test('delivers as this run assumes that it is done: signed, with the custom headers, from the published address', async () => {
    const { url, requests, server } = await accepting();
    const taken = once(server, 'taken');
    const { api } = await play({ receiver: url });
    const { notifications } = await api.raise('container.updated');
    await taken;
    const [request] = requests;
    const body = Buffer.from(request!.body!);
    const [[, signature] = []] = signatureHeaders(scheme, 'X-Signature', {
      secret: 'played',
      body,
      id: notifications[0]!,
      timestamp: 0,
    });
    expect(request!.headers).toMatchObject({ 'x-signature': signature, 'x-tenant': '7' });
    expect(request!.socket.remoteAddress).toBe('127.0.0.6');
    await expect(api.untilFailed(notifications)).rejects.toThrow(Unproven);
  });

  test('publishes other sender addresses from one moment to the next', async () => {
    const { api, read } = await play();
    expect((await read('/webhooks/ips')).data).toEqual(['127.0.0.6']);
    api.publish(['127.0.0.9']);
    expect((await read('/webhooks/ips')).data).toEqual(['127.0.0.9']);
  });

  test('says where it cannot listen', async () => {
    const { port } = await play();
    await expect(play({ listen: { host, port } })).rejects.toMatchObject({
      code: 'SW_LISTEN_FAILED',
      message: expect.stringContaining(`--api-listen ${host}:${port}`),
    });
  });
});

describe('the start of a recovery', () => {
  const run = { signal: new AbortController().signal, insecure: false };

  test('is a POST to a URL', async () => {
    const { url, requests } = await accepting();
    await startRecovery(url.href, run);
    expect(requests).toMatchObject([{ method: 'POST', url: '/hooks' }]);
  });

  test('is a command, whose end is awaited', async () => {
    await expect(startRecovery('exit 0', run)).resolves.toBeUndefined();
    await expect(startRecovery('echo no such job >&2; exit 3', run)).rejects.toThrow(
      'ended with 3 and said no such job',
    );
  });

  test('is a function, whose promise is awaited', async () => {
    let recovered = false;
    await startRecovery(async () => void (recovered = await Promise.resolve(true)), run);
    expect(recovered).toBe(true);
    const failing = startRecovery(() => Promise.reject(new Error('no database')), run);
    await expect(failing).rejects.toThrow('could not be started (the function recover): no database');
  });

  test('that fails shows nothing', async () => {
    const port = await freePort(host, new Set());
    await expect(startRecovery(`http://${host}:${port}/`, run)).rejects.toThrow(Unproven);
  });
});
