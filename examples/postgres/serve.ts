import { createHmac, timingSafeEqual } from 'node:crypto';

import Fastify, { type FastifyRequest } from 'fastify';

import { countEffects, database, type Notification, prepareDatabase } from './database.ts';

const secret = process.env['WEBHOOK_SECRET'] ?? 'only-for-trying';

/** Serves until SIGTERM. @param accept - resolves once the notification may be acknowledged */
export async function serve(accept: (notification: Notification) => Promise<void>): Promise<void> {
  await prepareDatabase();
  const app = Fastify({ bodyLimit: 16 * 1024 * 1024 });

  // The raw bytes, whatever the Content-Type says: they are what was signed.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.post('/hooks', async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    if (!isSigned(body, request)) return reply.code(401).send();
    const notification = read(body);
    if (notification === undefined) return reply.code(400).send();
    await accept(notification);
    return reply.code(202).send();
  });

  // The probe: how often did this notification take effect?
  app.get<{ Params: { id: string } }>('/effects/:id', async ({ params }) => ({ count: await countEffects(params.id) }));

  // Takes no new deliveries, answers those that have arrived, and exits.
  process.once('SIGTERM', () => void app.close().then(() => database.end()));

  console.log(
    await app.listen({ host: process.env['HOST'] ?? '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) }),
  );
}

function isSigned(body: Buffer, { headers }: FastifyRequest): boolean {
  const given = Buffer.from(String(headers['x-svc-webhook-signature']));
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The notification, if it can be stored: PostgreSQL allows no U+0000 in a text, for example. */
function read(body: Buffer): Notification | undefined {
  try {
    const { data } = JSON.parse(body.toString()) as { data?: { id?: unknown; attributes?: { event?: unknown } } };
    if (typeof data?.id !== 'string' || !/^[\w-]{1,100}$/.test(data.id)) return undefined;
    return { id: data.id, event: String(data.attributes?.event).replaceAll('\0', ''), body };
  } catch {
    return undefined;
  }
}
