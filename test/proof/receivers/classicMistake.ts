import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import express, { type ErrorRequestHandler } from 'express';

import type { StartReceiver } from './start.ts';
import { closeServer } from '../../../runner/http/listen.ts';

/**
 * The mistake that is made most often: a JSON parser has read the body, and the signature is verified over what
 * `JSON.stringify` makes of it.
 */
export const start: StartReceiver = async ({ secrets }) => {
  const effects = new Map<string, number>();

  const isGenuine = (body: unknown, signature = ''): boolean =>
    secrets.some((secret) => {
      const expected = createHmac('sha256', secret)
        .update(JSON.stringify(body) ?? '')
        .digest('hex');
      return (
        signature.length === expected.length && timingSafeEqual(Buffer.from(expected), Buffer.from(signature, 'latin1'))
      );
    });

  const app = express();
  app.use(express.json());
  app.post('/hooks', (req, res) => {
    if (!isGenuine(req.body, req.get('x-svc-webhook-signature'))) {
      res.status(401).send('invalid signature');
      return;
    }
    const id = (req.body as { data?: { id?: unknown } } | undefined)?.data?.id;
    if (typeof id !== 'string') {
      res.status(400).send('no id');
      return;
    }
    if (!effects.has(id)) effects.set(id, 1);
    res.status(200).send('ok');
  });
  app.get('/effects/:id', (req, res) => {
    res.json({ count: effects.get(req.params.id) ?? 0 });
  });
  app.use(refuse);

  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/hooks`,
    probe: `${origin}/effects/{id}`,
    close: () => closeServer(server),
  };
};

const refuse: ErrorRequestHandler = (error: { status?: number }, _req, res, _next) => {
  res.status(error.status ?? 500).send('refused');
};
