import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import type { StartReceiver } from './start.ts';
import { closeServer, listen } from '../../../runner/http/listen.ts';

/** Deliveries that it works on at a time. */
const places = 8;

const limit = 16 * 1024 * 1024;

/**
 * In front of a queue: takes any signed JSON with an id, whatever else it is, and answers 200. While eight deliveries
 * are being queued it answers 503 and asks for another attempt.
 */
export const start: StartReceiver = async ({ secrets }) => {
  const effects = new Map<string, number>();
  let inFlight = 0;

  /** Putting it into the queue takes time; that it is there already shows only then. */
  async function enqueue(id: string): Promise<number> {
    if (inFlight >= places) return 503;
    inFlight += 1;
    await delay(2);
    inFlight -= 1;
    effects.set(id, effects.get(id) ?? 1);
    return 200;
  }

  async function take(request: IncomingMessage): Promise<number> {
    const body = await read(request);
    if (body === undefined) return 413;
    if (!isGenuine(request.headers['x-svc-webhook-signature'], body, secrets)) return 401;
    const id = idOf(body);
    return id === undefined ? 400 : enqueue(id);
  }

  const server = createServer(async (request, response) => {
    const probed = /^\/probe\?id=([\w-]+)$/.exec(request.url ?? '')?.[1];
    if (probed !== undefined) {
      response.end(JSON.stringify({ count: effects.get(probed) ?? 0 }));
      return;
    }
    if (request.method !== 'POST') {
      response.writeHead(405, { Allow: 'POST' }).end();
      return;
    }
    const status = await take(request).catch(() => 400);
    response.writeHead(status, status === 503 ? { 'Retry-After': '0' } : {}).end();
  });

  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    url: `${origin}/queue`,
    probe: `${origin}/probe?id={id}`,
    close: () => closeServer(server),
  };
};

/** The body, or nothing where it is too large. @throws Error where it breaks off */
async function read(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  return size <= limit ? Buffer.concat(chunks) : undefined;
}

function isGenuine(given: string | string[] | undefined, body: Buffer, secrets: readonly string[]): boolean {
  if (given?.length !== 64) return false;
  const signature = Buffer.from(given as string, 'latin1');
  return secrets.some((secret) =>
    timingSafeEqual(Buffer.from(createHmac('sha256', secret).update(body).digest('hex')), signature),
  );
}

function idOf(body: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    // The parser of Ruby passes over comments as well.
    const value = JSON.parse(text.replace(/^\/\*.*?\*\//s, '')) as { data: { id: unknown } };
    return typeof value.data.id === 'string' && value.data.id !== '' ? value.data.id : undefined;
  } catch {
    return undefined;
  }
}
