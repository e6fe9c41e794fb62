import { createHmac, timingSafeEqual } from 'node:crypto';

import { handle, rawBody, serve } from './served.ts';

// As https://shopify.dev/docs/apps/build/webhooks/subscribe/https verifies a delivery.
serve(async (request, response) => {
  const body = await rawBody(request).catch(() => undefined);
  if (body === undefined) return;
  const calculated = createHmac('sha256', process.env['SECRET'] ?? '')
    .update(body)
    .digest();
  const received = Buffer.from(String(request.headers['x-shopify-hmac-sha256'] ?? ''), 'base64');
  if (calculated.length !== received.length || !timingSafeEqual(calculated, received)) {
    response.writeHead(401).end();
    return;
  }
  handle(String(request.headers['x-shopify-event-id']));
  response.writeHead(200).end();
});
