import { createHmac } from 'node:crypto';

import { signingWith } from './bareNode.ts';

/** The service of `bareNode.ts`, whose signature is another one and stands in another header: a kit must learn both. */
export const start = signingWith({
  header: 'X-Tracking-Signature',
  of: (body, secret) => `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`,
});
