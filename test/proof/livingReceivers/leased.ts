/**
 * A receiver as a process, with a queue of jobs in SQLite that workers lease: what a killed one was working on is taken up
 * again only when the lease has run out, and may take effect a second time then. It answers 503 while it starts and while it ends.
 *
 * Usage: node leased.ts <port> <file> <secret>
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

const [port, file, secret] = process.argv.slice(2) as [string, string, string];

/** Milliseconds. */
const times = {
  lease: Number(process.env['LEASE'] ?? 500),
  work: Number(process.env['WORK'] ?? 5),
  start: 300,
  end: 100,
};

const database = new DatabaseSync(file);
database.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS jobs (id TEXT PRIMARY KEY, leased INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE IF NOT EXISTS effects (id TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS effects_by_id ON effects (id);
`);
const add = database.prepare('INSERT INTO jobs (id) VALUES (?) ON CONFLICT DO NOTHING');
const free = database.prepare('SELECT id FROM jobs WHERE done = 0 AND leased < ? ORDER BY rowid LIMIT 20');
const lease = database.prepare('UPDATE jobs SET leased = ? WHERE id = ?');
const effect = database.prepare('INSERT INTO effects VALUES (?)');
const done = database.prepare('UPDATE jobs SET done = 1 WHERE id = ?');
const count = database.prepare('SELECT count(*) AS count FROM effects WHERE id = ?');

let ready = false;

const server = createServer(async (request, response) => {
  const counted = /^\/effects\/([\w-]+)$/.exec(request.url ?? '')?.[1];
  if (!ready) response.writeHead(503, { 'Retry-After': '0', Connection: 'close' }).end();
  else if (counted !== undefined) response.end(JSON.stringify(count.get(counted)));
  else {
    const body = await read(request).catch(() => undefined);
    if (body !== undefined) response.writeHead(take(body, request.headers['x-svc-webhook-signature'])).end();
  }
});

function take(body: Buffer, signature: unknown): number {
  if (signature !== createHmac('sha256', secret).update(body).digest('hex')) return 403;
  if (!ready) return 503;
  add.run((JSON.parse(body.toString()) as { data: { id: string } }).data.id);
  return 202;
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Takes a few jobs at a time: leased, worked on, done, each by itself. */
async function work(): Promise<void> {
  for (;;) {
    const jobs = free.all(Date.now()).map(({ id }) => String(id));
    for (const id of jobs) lease.run(Date.now() + times.lease, id);
    await delay(times.work);
    for (const id of jobs) {
      effect.run(id);
      done.run(id);
    }
  }
}

process.once('SIGTERM', () => {
  ready = false;
  setTimeout(() => process.exit(0), times.end);
});
server.listen(Number(port), '127.0.0.1');
setTimeout(() => (ready = true), times.start);
void work();
