import { hash } from 'node:crypto';

import type { Delivery } from '../../suites/delivery.ts';

/**
 * A short text that is the same for requests which go over the wire in the same bytes: a journal tells by it which of them
 * were equal.
 *
 * @param line - the method and the path, as far as they differ between the requests of one run
 */
export function requestDigest(
  line: string,
  { headers, wire, body }: Pick<Delivery, 'headers' | 'body'> & Partial<Pick<Delivery, 'wire'>>,
): string {
  const bytes = Buffer.concat([Buffer.from(`${line}${JSON.stringify([headers, wire])}`), body]);
  return hash('sha1', bytes, 'base64url').slice(0, 12);
}
