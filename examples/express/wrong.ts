import { createHmac, timingSafeEqual } from 'node:crypto';

import express from 'express';

const secret = process.env['WEBHOOK_SECRET'] ?? 'only-for-trying';
const effects = new Map<string, number>();
const app = express();

// Wrong: the parser takes the bytes away, and leaves the body undefined where the media type is another.
app.use(express.json({ limit: '16mb' }));

app.post('/hooks', (request, response) => {
  const notification = request.body as { data?: { id?: unknown } } | undefined;
  // Wrong: these are other bytes than those that were signed. White space and escapes are gone.
  const body = JSON.stringify(notification ?? null);
  if (!isSigned(body, request.get('X-SVC-Webhook-Signature'))) return response.sendStatus(401);
  const id = notification?.data?.id;
  if (typeof id !== 'string' || id === '') return response.sendStatus(400);
  if (!effects.has(id)) effects.set(id, 1);
  return response.sendStatus(202);
});

// The probe: how often did this notification take effect?
app.get('/effects/:id', (request, response) => response.json({ count: effects.get(request.params.id) ?? 0 }));

function isSigned(body: string, signature = ''): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const port = Number(process.env['PORT'] ?? 3000);
app.listen(port, '127.0.0.1', () => console.log(`http://localhost:${port}/hooks`));
