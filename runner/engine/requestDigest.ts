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
  // Of the body on its own: bodies of many mebibytes are not copied for it.
  const text = `${line}${JSON.stringify([headers, wire])}${hash('sha1', body)}`;
  return hash('sha1', text, 'base64url').slice(0, 12);
}
