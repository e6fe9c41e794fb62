import type { Caught } from '../exchange.ts';
import type { ServiceKit } from '../serviceKit.ts';
import type { Mismatch } from './bodyMismatch.ts';

/** Sections 1 and 4.4: a push is a POST. @returns nothing where the request has the method of deliveries */
export function methodMismatch({ contract: { delivery } }: ServiceKit, { method }: Caught): Mismatch | undefined {
  if (method === delivery.method) return undefined;
  return { expected: `the delivery is a ${delivery.method}`, actual: `it is a ${method}` };
}

/** Section 4.4 with GAP-23: JSON, whole, and said to be JSON. @returns nothing where it is */
export function jsonMismatch(kit: ServiceKit, caught: Caught): Mismatch | undefined {
  if (kit.deliveredJson(caught) === undefined) {
    const actual =
      caught.bytes < 0
        ? 'the body broke off before the length that was announced'
        : `the ${caught.bytes} bytes that came are no JSON`;
    return { expected: 'the body is JSON', actual };
  }
  const mediaType = kit.header(caught, 'Content-Type');
  if (mediaType !== undefined && isJson(mediaType)) return undefined;
  return { expected: 'the Content-Type is a JSON media type', actual: mediaType ?? 'there is no Content-Type' };
}

/** RFC 6839, 3.1: application/json, or anything that ends in +json. */
function isJson(mediaType: string): boolean {
  return /^\s*(application\/json|text\/json|[^\s/;]+\/[^\s;]*\+json)\s*(;|$)/i.test(mediaType);
}

/**
 * Section 1: what is registered is where deliveries go, query included. Parameters may be in any order, and written with
 * other escapes.
 *
 * @param query - what follows the path of the registered URL: `?tenant=a%2Fb`
 * @returns nothing where the request has them all, and no others
 */
export function queryMismatch({ path }: Caught, query: string): Mismatch | undefined {
  const [, came = ''] = path.split(/\?(.*)/s, 2);
  if (parametersOf(came) === parametersOf(query)) return undefined;
  const actual = came === '' ? 'it has no query' : `its query is ?${came}`;
  return { expected: `the delivery goes to the registered URL, with its query ${query}`, actual };
}

function parametersOf(query: string): string {
  return JSON.stringify([...new URLSearchParams(query)].map(([name, value]) => `${name}=${value}`).toSorted());
}
