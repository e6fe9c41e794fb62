import type { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { serve, type ServerType } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';

import type { StartReceiver } from './start.ts';

/** Hono on web standards (Web Crypto, fetch's Request): answers 202 and puts the work into a queue. */
export const start: StartReceiver = async ({ secrets }) => {
  const keys = await Promise.all(secrets.map(importKey));
  const queue: string[] = [];
  const queued = new Set<string>();
  const effects = new Map<string, number>();

  const work = () => {
    const id = queue.shift();
    if (id === undefined) return;
    effects.set(id, (effects.get(id) ?? 0) + 1);
    setImmediate(work);
  };

  const app = new Hono();
  app.post('/in', bodyLimit({ maxSize: 16 * 1024 * 1024 }), async (context) => {
    const body = await context.req.arrayBuffer().catch(() => undefined);
    if (body === undefined) return context.text('the body broke off', 400);
    const signature = context.req.header('x-svc-webhook-signature');
    if (!(await isGenuine(keys, body, signature))) return context.text('unauthorized', 401);
    const id = idOf(body);
    if (id === undefined) return context.text('unprocessable', 422);
    if (!queued.has(id)) {
      queued.add(id);
      if (queue.push(id) === 1) setImmediate(work);
    }
    return context.text('queued', 202);
  });
  app.get('/effects', (context) => context.json({ count: effects.get(context.req.query('of') ?? '') ?? 0 }));
  app.onError((_error, context) => context.text('failed', 500));

  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `${origin}/in`, probe: `${origin}/effects?of={id}`, close: () => close(server) };
};

async function close(server: ServerType): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  if ('closeAllConnections' in server) server.closeAllConnections();
  await closed;
}

function importKey(secret: string): Promise<webcrypto.CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify']);
}

async function isGenuine(keys: readonly webcrypto.CryptoKey[], body: ArrayBuffer, signature = ''): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  const digest = Uint8Array.from(signature.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const verdicts = await Promise.all(keys.map((key) => crypto.subtle.verify('HMAC', key, digest, body)));
  return verdicts.includes(true);
}

function idOf(body: ArrayBuffer): string | undefined {
  try {
    const { data } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as { data: { id: unknown } };
    return typeof data.id === 'string' && data.id !== '' ? data.id : undefined;
  } catch {
    return undefined;
  }
}
