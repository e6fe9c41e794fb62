import { createHash } from 'node:crypto';
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
  const hash = createHash('sha1')
    .update(line)
    .update(JSON.stringify([headers, wire]))
    .update(body);
  return hash.digest('base64url').slice(0, 12);
}
