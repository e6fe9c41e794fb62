import { createHmac, timingSafeEqual } from 'node:crypto';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import Fastify, { type FastifyRequest } from 'fastify';

import type { StartReceiver } from './start.ts';

/**
 * Works on each notification for 5 ms before it answers 200, one after the other, and writes its effects to a file:
 * its probe is a command.
 */
export const start: StartReceiver = async ({ secrets }) => {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-slow-'));
  const ledger = join(folder, 'effects');
  await writeFile(ledger, '');
  const done = new Map<string, Promise<void>>();
  let turn: Promise<void> = Promise.resolve();

  const work = async (id: string) => {
    await delay(5);
    await appendFile(ledger, `${id}\n`);
  };
  const once = (id: string): Promise<void> => {
    const known = done.get(id);
    if (known !== undefined) return known;
    turn = turn.then(() => work(id));
    done.set(id, turn);
    return turn;
  };

  const app = Fastify({ bodyLimit: 16 * 1024 * 1024, forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request: FastifyRequest, body, next) => next(null, body));
  app.post('/api/hooks', async (request, reply) => {
    const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
    if (!isGenuine(request.headers['x-svc-webhook-signature'], body, secrets)) return reply.code(403).send();
    const id = idOf(body);
    if (id === undefined) return reply.code(400).send();
    await once(id);
    return reply.code(200).send();
  });

  await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/hooks`,
    probe: `awk -v ledger='${ledger}' 'BEGIN { while ((getline id < ledger) > 0) n[id]++ } { print $0, n[$0] + 0 }'`,
    close: async () => {
      await app.close();
      await turn;
      await rm(folder, { recursive: true });
    },
  };
};

function isGenuine(given: string | string[] | undefined, body: Buffer, secrets: readonly string[]): boolean {
  const signature = Buffer.from(String(given), 'latin1');
  return secrets
    .map((secret) => Buffer.from(createHmac('sha256', secret).update(body).digest('hex')))
    .some((expected) => expected.length === signature.length && timingSafeEqual(expected, signature));
}

/** Ids become lines of a file, so that only those without odd characters are taken. */
function idOf(body: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const id = (JSON.parse(text) as { data?: { id?: unknown } } | null)?.data?.id;
    return typeof id === 'string' && /^[\w-]+$/.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
