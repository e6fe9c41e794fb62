import { isSendable } from './customHeaders.ts';
import type { HeaderParts } from './policies.ts';
import type { Header } from './records.ts';
import { signatureHeader } from './signing.ts';

/**
 * What a request carries: the service's own headers, and the custom ones. These replace none of the service's but the
 * agent's name, and cannot hold what would become another header, should such a thing ever have come into the store.
 */
export function requestHeaders({ signature, custom }: HeaderParts): readonly Header[] {
  const headers = custom.filter(isSendable).map(({ name, value }): Header => [name, value]);
  const namesAgent = headers.some(([name]) => name.toLowerCase() === 'user-agent');
  const agent: readonly Header[] = namesAgent ? [] : [['User-Agent', 'seaworthy-reference-service']];
  const signed: readonly Header[] = signature === undefined ? [] : [[signatureHeader, signature]];
  return [['Content-Type', 'application/json'], ...agent, ...signed, ...headers];
}
