import { Webhook } from 'standardwebhooks';

import { handle, rawBody, serve } from './served.ts';

const webhook = new Webhook(process.env['SECRET'] ?? '');
serve(async (request, response) => {
  const body = await rawBody(request).catch(() => undefined);
  if (body === undefined) return;
  try {
    webhook.verify(body.toString(), request.headers as Record<string, string>);
    handle(String(request.headers['webhook-id']));
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
});
