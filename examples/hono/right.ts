import { createHmac, timingSafeEqual } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';

const secret = process.env['WEBHOOK_SECRET'] ?? 'only-for-trying';
const effects = new Map<string, number>();
const accepted = new Map<string, Promise<void>>();
const app = new Hono();

app.post('/hooks', bodyLimit({ maxSize: 16 * 1024 * 1024 }), async (context) => {
  const body = Buffer.from(await context.req.arrayBuffer());
  if (!isSigned(body, context.req.header('X-SVC-Webhook-Signature'))) return context.body(null, 401);
  const id = idOf(body);
  if (id === undefined) return context.body(null, 400);
  await once(id);
  return context.body(null, 202);
});

// The probe: how often did this notification take effect?
app.get('/effects/:id', (context) => context.json({ count: effects.get(context.req.param('id')) ?? 0 }));

/** The id is taken before the work begins: copies that arrive meanwhile wait for the first. In a database, insert it under a unique index. */
function once(id: string): Promise<void> {
  const work = accepted.get(id) ?? takeEffect(id);
  accepted.set(id, work);
  // What failed may come again.
  work.catch(() => accepted.delete(id));
  return work;
}

/** Stands for what takes a while: a call of another system, for example. */
async function takeEffect(id: string): Promise<void> {
  await setTimeout(5);
  effects.set(id, (effects.get(id) ?? 0) + 1);
}

function isSigned(body: Buffer, signature = ''): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function idOf(body: Buffer): string | undefined {
  try {
    const { data } = JSON.parse(body.toString()) as { data?: { id?: unknown } };
    return typeof data?.id === 'string' && data.id !== '' ? data.id : undefined;
  } catch {
    return undefined;
  }
}

const port = Number(process.env['PORT'] ?? 3000);
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => console.log(`http://localhost:${port}/hooks`));
