import { createHmac, timingSafeEqual } from 'node:crypto';

import Fastify from 'fastify';

const secret = process.env['WEBHOOK_SECRET'] ?? 'only-for-trying';
const effects = new Map<string, number>();
const app = Fastify({ bodyLimit: 16 * 1024 * 1024 });

// Wrong: other media types than this one go unread, and are answered with 415.
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

app.post('/hooks', (request, reply) => {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (!isSigned(body, request.headers['x-svc-webhook-signature'])) return reply.code(401).send();
  const id = idOf(body);
  if (id === undefined) return reply.code(400).send();
  if (!effects.has(id)) effects.set(id, 1);
  return reply.code(202).send();
});

// The probe: how often did this notification take effect?
app.get<{ Params: { id: string } }>('/effects/:id', async ({ params }) => ({ count: effects.get(params.id) ?? 0 }));

function isSigned(body: Buffer, signature: unknown): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(String(signature));
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

console.log(await app.listen({ port: Number(process.env['PORT'] ?? 3000) }));
