import { createHash } from 'node:crypto';

import type { Delivery } from '../../suites/delivery.ts';

/** A short text that is the same for deliveries which go over the wire in the same bytes. */
export function deliveryDigest({ method, headers, wire, body }: Delivery): string {
  const hash = createHash('sha1')
    .update(method)
    .update(JSON.stringify([headers, wire]))
    .update(body);
  return hash.digest('base64url').slice(0, 12);
}
