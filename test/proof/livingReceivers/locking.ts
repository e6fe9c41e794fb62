/**
 * A receiver as a process that notes when it began with a notification, works, and commits the effect with the note that it
 * is done. A copy that comes meanwhile is refused with 409, and so is what a killed process had begun, until its time is over.
 *
 * Usage: node locking.ts <port> <file> <secret>
 */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

const [port, file, secret] = process.argv.slice(2) as [string, string, string];

/** Milliseconds. */
const times = { lock: 1000, work: 20 };

const database = new DatabaseSync(file);
database.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS notifications (id TEXT PRIMARY KEY, begun INTEGER NOT NULL, done INTEGER NOT NULL DEFAULT 0);
`);
const known = database.prepare('SELECT begun, done FROM notifications WHERE id = ?');
const begin = database.prepare(
  'INSERT INTO notifications (id, begun) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET begun = excluded.begun',
);
const end = database.prepare('UPDATE notifications SET done = 1 WHERE id = ? AND done = 0');

async function take(body: Buffer, signature: unknown): Promise<number> {
  if (signature !== createHmac('sha256', secret).update(body).digest('hex')) return 403;
  const { id } = (JSON.parse(body.toString()) as { data: { id: string } }).data;
  const { begun, done } = known.get(id) ?? { begun: 0, done: 0 };
  if (done === 1) return 200;
  if (Date.now() - Number(begun) < times.lock) return 409;
  begin.run(id, Date.now());
  await delay(times.work);
  end.run(id);
  return 200;
}

const server = createServer(async (request, response) => {
  const counted = /^\/effects\/([\w-]+)$/.exec(request.url ?? '')?.[1];
  if (counted !== undefined) return response.end(JSON.stringify({ count: known.get(counted)?.['done'] ?? 0 }));
  const body = await buffer(request).catch(() => undefined);
  if (body === undefined) return undefined;
  return response.writeHead(await take(body, request.headers['x-svc-webhook-signature'])).end();
});
server.listen(Number(port), '127.0.0.1');
