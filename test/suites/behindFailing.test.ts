import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';

import { expect, test } from 'vitest';

import { closeServer, listen } from '../../runner/http/listen.ts';
import { brokenIn } from '../brokenIn.ts';
import type { StartedReceiver } from '../proof/receivers/start.ts';
import { secret, testReceiver } from '../proof/testReceiver.ts';

/** Milliseconds until the receiver behind the proxy is there again. */
const restart = 500;

/** What a request does to the receiver. */
type EndsIt = (body: string, isKnown: boolean) => boolean;

/** A receiver behind a proxy, which answers 502 while the receiver starts again. */
async function behindProxy(endsIt: EndsIt): Promise<StartedReceiver> {
  const effects = new Set<string>();
  let upAt = 0;
  const server = createServer(async (request, response) => {
    const counted = /^\/count\/([\w-]+)$/.exec(request.url ?? '')?.[1];
    if (counted !== undefined) return response.end(JSON.stringify({ count: effects.has(counted) ? 1 : 0 }));
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    if (performance.now() < upAt) return response.writeHead(502).end();
    if (request.method !== 'POST') return response.writeHead(405).end();
    const digest = createHmac('sha256', secret).update(body).digest('hex');
    if (request.headers['x-svc-webhook-signature'] !== digest) return response.writeHead(401).end();
    const id = idOf(body.toString());
    if (endsIt(body.toString(), effects.has(id ?? ''))) {
      upAt = performance.now() + restart;
      return response.writeHead(502).end();
    }
    if (id === undefined) return response.writeHead(400).end();
    effects.add(id);
    return response.writeHead(204).end();
  });
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  return { url: `${origin}/hooks`, probe: `${origin}/count/{id}`, close: () => closeServer(server) };
}

function idOf(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { data?: { id?: string } } | null)?.data?.id;
  } catch {
    return undefined;
  }
}

const only = [
  'receiver/idempotency/redelivery-accepted',
  'receiver/idempotency/takes-effect-once',
  'receiver/robustness/other-methods',
  'receiver/robustness/content-type',
  'receiver/robustness/malformed-json',
];

test.concurrent('what a redelivery ends is not blamed on hostile requests that find it ended', async () => {
  const summary = await testReceiver(await behindProxy((_, isKnown) => isKnown), { only, seed: 7, intensity: 'quick' });
  expect(brokenIn(summary)).toEqual(['IDM-1']);
  expect(summary.requirements.find(({ id }) => id === 'ROB-1')?.outcome).toBe('holds');
});

test.concurrent('what a hostile request ends is', async () => {
  const endsIt: EndsIt = (body) => idOf(body) === undefined;
  const summary = await testReceiver(await behindProxy(endsIt), { only, seed: 7, intensity: 'quick' });
  expect(brokenIn(summary)).toEqual(['ROB-1']);
});
