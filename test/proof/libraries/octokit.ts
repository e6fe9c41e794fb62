import { createNodeMiddleware, Webhooks } from '@octokit/webhooks';

import { handle, serve } from './served.ts';

const webhooks = new Webhooks({ secret: process.env['SECRET'] ?? '', log: { ...console, error: () => undefined } });
webhooks.onAny(({ id }) => {
  handle(id);
});
serve(createNodeMiddleware(webhooks, { path: '/hook' }));
