import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import type { StartReceiver } from './start.ts';
import { closeServer, listen } from '../../../runner/http/listen.ts';

const limit = 16 * 1024 * 1024;

/**
 * Nothing but `node:http`: answers 204, lets a notification take effect before it answers, remembers ids in memory,
 * closes the connection after each answer, reads the time of creation as its bytes stand.
 */
export const start: StartReceiver = async ({ secrets }) => {
  const effects = new Map<string, number>();

  const server = createServer((request, response) => {
    response.setHeader('Connection', 'close');
    const counted = /^\/count\/([\w-]+)$/.exec(request.url ?? '')?.[1];
    if (request.method === 'GET' && counted !== undefined) {
      response.end(JSON.stringify({ count: effects.get(counted) ?? 0 }));
    } else if (request.method === 'POST' && request.url === '/') {
      collect(request, response, (body) => response.writeHead(take(request, body)).end());
    } else {
      response.writeHead(request.url === '/' ? 405 : 404).end();
    }
  });

  function take(request: IncomingMessage, body: Buffer): number {
    if (!isGenuine(request.headers['x-svc-webhook-signature'], body, secrets)) return 403;
    const id = idOf(body);
    if (id === undefined) return 422;
    if (!effects.has(id)) effects.set(id, 1);
    return 204;
  }

  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    url: `${origin}/`,
    probe: `${origin}/count/{id}`,
    close: () => closeServer(server),
  };
};

/** A body that breaks off is never handed over. */
function collect(request: IncomingMessage, response: ServerResponse, whole: (body: Buffer) => void): void {
  let body: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) body.push(chunk);
    else body = [];
  });
  request.on('end', () => (size <= limit ? whole(Buffer.concat(body)) : response.writeHead(413).end()));
}

function isGenuine(signature: string | string[] | undefined, body: Buffer, secrets: readonly string[]): boolean {
  if (typeof signature !== 'string' || !/^[0-9a-f]{64}$/.test(signature)) return false;
  const given = Buffer.from(signature, 'hex');
  return secrets.some((secret) => timingSafeEqual(given, createHmac('sha256', secret).update(body).digest()));
}

function idOf(body: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const data = (JSON.parse(text) as { data?: { id?: unknown; attributes?: { created_at?: unknown } } } | null)?.data;
    const time = data?.attributes?.created_at;
    // `time.Time` of Go reads no escapes either.
    if (typeof time === 'string' && !text.includes(JSON.stringify(time))) return undefined;
    return typeof data?.id === 'string' && data.id !== '' ? data.id : undefined;
  } catch {
    return undefined;
  }
}
