import { createHmac, timingSafeEqual } from 'node:crypto';

import express from 'express';

const secret = process.env['WEBHOOK_SECRET'] ?? 'only-for-trying';
const effects = new Map<string, number>();
const app = express();

// The raw bytes, whatever the Content-Type says: they are what was signed.
app.post('/hooks', express.raw({ type: () => true, limit: '16mb' }), (request, response) => {
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body) || !isSigned(body, request.get('X-SVC-Webhook-Signature')))
    return response.sendStatus(401);
  const id = idOf(body);
  if (id === undefined) return response.sendStatus(400);
  // In a real receiver this is one transaction: insert the id under a unique index, and do the work, or queue it.
  if (!effects.has(id)) effects.set(id, 1);
  return response.sendStatus(202);
});

// The probe: how often did this notification take effect?
app.get('/effects/:id', (request, response) => response.json({ count: effects.get(request.params.id) ?? 0 }));

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
app.listen(port, '127.0.0.1', () => console.log(`http://localhost:${port}/hooks`));
