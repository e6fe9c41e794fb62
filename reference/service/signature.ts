import { createHmac } from 'node:crypto';

/** The header that carries the signature (section 5.2). */
export const signatureHeader = 'X-SVC-Webhook-Signature';

/** Lower-case hex HMAC-SHA256 over the raw bytes, keyed with the secret as UTF-8: what fills GAP-14. */
export function sign(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}
