/**
 * A receiver as a process, on nothing but `node:http` and a file: the effect is a line of it, written before the answer,
 * and the file is what it knows. It does not care about SIGTERM, which ends it where it stands.
 *
 * Usage: node appendOnly.ts <port> <file> <secret>
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';

const [port, file, secret] = process.argv.slice(2) as [string, string, string];
const known = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);

const server = createServer(async (request, response) => {
  const counted = /^\/count\/([\w-]+)$/.exec(request.url ?? '')?.[1];
  if (request.method === 'GET' && counted !== undefined) {
    response.end(JSON.stringify({ count: known.has(counted) ? 1 : 0 }));
    return;
  }
  const body = await read(request).catch(() => undefined);
  if (body === undefined) return;
  response.writeHead(take(body, request.headers['x-svc-webhook-signature'])).end();
});

function take(body: Buffer, signature: string | readonly string[] | undefined): number {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(String(signature), 'latin1');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 401;
  const { id } = (JSON.parse(body.toString()) as { data: { id: string } }).data;
  if (known.has(id)) return 200;
  appendFileSync(file, `${id}\n`);
  known.add(id);
  return 204;
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

server.listen(Number(port), '127.0.0.1');
