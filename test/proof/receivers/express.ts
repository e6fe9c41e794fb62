import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isUtf8 } from 'node:buffer';

import express, { type ErrorRequestHandler, type RequestHandler } from 'express';

import type { StartReceiver } from './start.ts';
import { closeServer } from '../../../runner/http/listen.ts';

/** Express 5 on `express.raw`: answers 200 with a JSON body, and lets notifications take effect 30 ms later. */
export const start: StartReceiver = async ({ secrets }) => {
  const known = new Set<string>();
  const effects = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();

  const later = (id: string) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      effects.set(id, (effects.get(id) ?? 0) + 1);
    }, 30);
    timers.add(timer);
  };

  const app = express();
  // Bodies are inflated by nobody: the signature covers them as they were sent.
  app.post(
    '/webhooks',
    express.raw({ type: () => true, limit: '16mb', inflate: false }),
    verify(secrets),
    (req, res) => {
      const id = idOf(req.body as Buffer);
      if (id === undefined) {
        res.status(400).json({ error: 'expected JSON with data.id' });
        return;
      }
      if (!known.has(id)) {
        known.add(id);
        later(id);
      }
      res.status(200).json({ received: true });
    },
  );
  app.get('/webhooks/:id/effects', (req, res) => {
    res.json({ count: effects.get(req.params.id) ?? 0 });
  });
  app.use(refuse);

  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/webhooks`,
    probe: `${origin}/webhooks/{id}/effects`,
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      await closeServer(server);
    },
  };
};

function verify(secrets: readonly string[]): RequestHandler {
  return (req, res, next) => {
    // Without a body no parser has run.
    const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    const given = Buffer.from(req.get('x-svc-webhook-signature') ?? '', 'latin1');
    const genuine = secrets.some((secret) => {
      const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
    if (!genuine) {
      // What was sent is no news to the sender.
      res.status(401).json({ error: 'not signed', given: given.toString('latin1') });
      return;
    }
    req.body = body;
    next();
  };
}

function idOf(body: Buffer): string | undefined {
  if (!isUtf8(body)) return undefined;
  try {
    const value = JSON.parse(body.toString('utf8')) as { data?: { id?: unknown } } | null;
    const id = value?.data?.id;
    return typeof id === 'string' && id.length > 0 ? id : undefined;
  } catch {
    return undefined;
  }
}

const refuse: ErrorRequestHandler = (error: { status?: number }, _req, res, _next) => {
  res.status(error.status ?? 500).json({ error: 'refused' });
};
