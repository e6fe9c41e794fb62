import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';

import { Webhooks } from '@octokit/webhooks';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';

import { handle, rawBody, serve } from './served.ts';

const secret = process.env['SECRET'] ?? '';

/** Verifies a text as the libraries do, and throws where they refuse it; as `docs/contracts/` says to use them. */
const verifying: Readonly<Record<string, () => (text: string, headers: IncomingHttpHeaders) => unknown>> = {
  stripe: () => {
    const { webhooks } = new Stripe('sk_test_123');
    return (text, headers) => webhooks.constructEvent(text, headers['stripe-signature'] ?? '', secret);
  },
  standardwebhooks: () => {
    const webhook = new Webhook(secret);
    return (text, headers) => webhook.verify(text, headers as Record<string, string>);
  },
  svix: () => {
    const webhook = new SvixWebhook(secret);
    return (text, headers) => webhook.verify(text, headers as Record<string, string>);
  },
  '@octokit/webhooks': () => {
    const webhooks = new Webhooks({ secret });
    return async (text, headers) => {
      if (!(await webhooks.verify(text, String(headers['x-hub-signature-256'])))) throw new Error('forged');
    };
  },
};

const verify = verifying[process.env['LIBRARY'] ?? '']!();
serve(async (request, response) => {
  const body = await rawBody(request).catch(() => undefined);
  if (body === undefined) return;
  try {
    if (!isUtf8(body)) throw new Error('no UTF-8');
    await verify(body.toString(), request.headers);
    handle('any');
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
});
