import Stripe from 'stripe';

import { handle, rawBody, serve } from './served.ts';

const stripe = new Stripe('sk_test_123');
serve(async (request, response) => {
  const signature = request.headers['stripe-signature'] ?? '';
  const body = await rawBody(request).catch(() => undefined);
  if (body === undefined) return;
  try {
    const event = stripe.webhooks.constructEvent(body, signature, process.env['SECRET'] ?? '');
    handle(event.id);
    response.end('{"received":true}');
  } catch (error) {
    response.writeHead(400).end(`Webhook Error: ${error instanceof Error ? error.message : ''}`);
  }
});
