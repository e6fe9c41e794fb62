/**
 * A service as a process, without a framework: its queue is a table in SQLite, of which a worker leases what is due. What a
 * killed one was sending is sent again only when the lease has run out. Each attempt is counted as it is leased.
 *
 * Usage: node leased.ts <host> <port> <file> <key> [<milliseconds of a lease>]
 */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

const [host, port, file, key, leased = '550'] = process.argv.slice(2) as [string, string, string, string, string?];

/** Milliseconds. */
const times = { timeout: 250, lease: Number(leased), backoff: 25, look: 5 };
const most = 13;
const accepting = [200, 201, 202, 204];

const database = new DatabaseSync(file);
database.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS webhooks (id TEXT PRIMARY KEY, attributes TEXT NOT NULL, secret TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS queue (
    id TEXT PRIMARY KEY, webhook TEXT NOT NULL, event TEXT NOT NULL, created TEXT NOT NULL, body TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'pending', attempts INTEGER NOT NULL DEFAULT 0, due INTEGER NOT NULL DEFAULT 0
  );
`);
const put = database.prepare(
  'INSERT INTO webhooks VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET attributes = excluded.attributes',
);
const remove = database.prepare('DELETE FROM webhooks WHERE id = ?');
const webhooks = database.prepare('SELECT * FROM webhooks');
const webhook = database.prepare('SELECT * FROM webhooks WHERE id = ?');
const add = database.prepare('INSERT INTO queue (id, webhook, event, created, body) VALUES (?, ?, ?, ?, ?)');
const queue = database.prepare('SELECT * FROM queue ORDER BY rowid DESC');
const due = database.prepare("SELECT * FROM queue WHERE status = 'pending' AND due <= ? ORDER BY rowid LIMIT 50");
const lease = database.prepare('UPDATE queue SET attempts = attempts + 1, due = ? WHERE id = ?');
const postpone = database.prepare('UPDATE queue SET due = ? WHERE id = ?');
const end = database.prepare('UPDATE queue SET status = ? WHERE id = ?');

type Row = Record<string, string>;
interface Attributes {
  readonly url: string;
  readonly active: boolean;
  readonly events: readonly string[];
  readonly headers?: readonly { readonly name: string; readonly value: string }[] | null;
}

const server = createServer(async (request, response) => {
  const body = await read(request).catch(() => '');
  const [status, value] = answer(request, body);
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(value && JSON.stringify(value));
});

function answer({ method = '', url = '', headers }: IncomingMessage, body: string): readonly [number, unknown?] {
  const call = `${method} ${url.replace(/\?.*/, '')}`;
  const [, id = ''] = / \/v2\/webhooks\/([\w-]+)$/.exec(call) ?? [];
  if (call === 'POST /emit') return raise((JSON.parse(body) as { event: string }).event);
  if (headers.authorization !== `Token ${key}`) return [401];
  if (call === 'POST /v2/webhooks') return [201, { data: create(JSON.parse(body)) }];
  if (call === 'GET /v2/webhooks') return [200, { data: webhooks.all().map((row) => resourceOf(row as Row)) }];
  if (call === 'GET /v2/webhook_notifications') return [200, { data: queue.all().map((row) => listed(row as Row)) }];
  if (method === 'PATCH' && id !== '') return update(id, JSON.parse(body));
  if (method === 'DELETE' && id !== '') return [remove.run(id).changes > 0 ? 204 : 404];
  return [404];
}

function create({ data: { attributes } }: { data: { attributes: Attributes } }): unknown {
  const id = randomUUID();
  const secret = randomBytes(24).toString('base64url');
  put.run(id, JSON.stringify({ ...attributes, created_at: new Date().toISOString() }), secret);
  return resourceOf(webhook.get(id) as Row);
}

function update(id: string, { data }: { data: { attributes: Partial<Attributes> } }): readonly [number, unknown?] {
  const row = webhook.get(id) as Row | undefined;
  if (row === undefined) return [404];
  put.run(
    id,
    JSON.stringify({ ...(JSON.parse(row['attributes']!) as Attributes), ...data.attributes }),
    row['secret']!,
  );
  return [200, { data: resourceOf(webhook.get(id) as Row) }];
}

function resourceOf({ id, attributes, secret }: Row): unknown {
  return { id, type: 'webhook', attributes: { ...(JSON.parse(attributes!) as object), secret } };
}

function listed({ id, event, created, status }: Row): unknown {
  return { id, type: 'webhook_notification', attributes: { event, delivery_status: status, created_at: created } };
}

function raise(event: string): readonly [number] {
  database.exec('BEGIN');
  for (const row of webhooks.all() as Row[]) {
    const { active, events } = JSON.parse(row['attributes']!) as Attributes;
    if (!active || !events.includes(event)) continue;
    const [id, created] = [randomUUID(), new Date().toISOString()];
    const body = JSON.stringify({ data: listed({ id, event, created, status: 'pending' }), included: [] });
    add.run(id, row['id']!, event, created, body);
  }
  database.exec('COMMIT');
  return [202];
}

/** Leases what is due, sends it, and stores what came of it. */
function work(): void {
  const now = Date.now();
  for (const row of due.all(now) as Row[]) {
    if (Number(row['attempts']) >= most) end.run('failed', row['id']!);
    else {
      lease.run(now + times.lease, row['id']!);
      void deliver(row, Number(row['attempts']) + 1);
    }
  }
}

async function deliver({ id, webhook: to, body }: Row, attempt: number): Promise<void> {
  const row = webhook.get(to!) as Row | undefined;
  const status = row && (await post(JSON.parse(row['attributes']!) as Attributes, row['secret']!, body!));
  if (status !== undefined && accepting.includes(status)) end.run('succeeded', id!);
  else if (attempt >= most || row === undefined) end.run('failed', id!);
  else postpone.run(Date.now() + times.backoff, id!);
}

/** The status of the answer; 0 where none came in time. */
function post({ url, headers: custom }: Attributes, secret: string, body: string): Promise<number> {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const own = { 'Content-Type': 'application/json', 'X-SVC-Webhook-Signature': signature };
  const headers = { ...Object.fromEntries((custom ?? []).map(({ name, value }) => [name, value])), ...own };
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(times.timeout);
    const sending = httpRequest(url, { method: 'POST', headers, signal }, (response) => {
      response.resume().once('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 0));
    });
    sending.once('error', () => resolve(0));
    sending.end(body);
  });
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

process.once('SIGTERM', () => process.exit(0));
server.listen(Number(port), host, () => void setInterval(work, times.look));
