import { unicodeEscape } from '../../../generators/spelling/editSites.ts';
import type { Delivery, Header } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { signatureSpellings } from '../signatureSpellings.ts';
import { withSignatureValue } from '../signatureHeader.ts';

/** What can be spelt otherwise when the same notification is delivered again, though nothing of it tells two apart. */
export const otherwise = {
  'with its signature spelt otherwise': (kit, delivery) =>
    signatureSpellings(kit.scheme).map(({ spell }) => ({
      ...delivery,
      headers: withSignatureValue(kit, delivery, spell),
    })),
  'with other transport headers': (kit, delivery) => [1, 2].map(() => withTransport(delivery, transportHeaders(kit))),
  'with its id spelt otherwise': (kit, delivery) =>
    idSpellings(delivery.id).map(([compact, other]) =>
      kit.withBody(delivery, Buffer.from(delivery.body.toString().replace(compact, () => other))),
    ),
} as const satisfies Readonly<Record<string, (kit: ReceiverKit, delivery: Delivery) => readonly Delivery[]>>;

/** Headers in which senders and proxies give each request a name of its own, and those that differ with each anyway. */
const names = [
  'X-Request-Id',
  'X-Correlation-Id',
  'X-Delivery-Id',
  'X-Event-Id',
  'X-Webhook-Id',
  'Webhook-Id',
  'X-GitHub-Delivery',
  'X-Amzn-Trace-Id',
  'Idempotency-Key',
];

/** Headers that another hop of a network would add: each request has a name and a time of its own. */
export function transportHeaders(kit: ReceiverKit): readonly Header[] {
  const hex = kit.freshId().replaceAll('-', '');
  const number = Number.parseInt(hex.slice(0, 3), 16);
  return [
    ...names.map((name): Header => [name, kit.freshId()]),
    ['Traceparent', `00-${hex}-${hex.slice(16)}-01`],
    ['User-Agent', `sender/${number}`],
    ['Date', new Date((kit.now() - number) * 1000).toUTCString()],
  ];
}

/** The delivery with these headers, but for those of which it has its own. */
export function withTransport(delivery: Delivery, headers: readonly Header[]): Delivery {
  const own = new Set(delivery.headers.map(([name]) => name.toLowerCase()));
  return { ...delivery, headers: [...delivery.headers, ...headers.filter(([name]) => !own.has(name.toLowerCase()))] };
}

/** The id's member in compact JSON, and the same member in other bytes. */
function idSpellings(id: string): readonly (readonly [compact: string, other: string])[] {
  const member = `"id":"${id}"`;
  const escaped = Array.from(id, (character) => unicodeEscape(character)).join('');
  return [
    [member, `"id":"${escaped}"`],
    [member, `"\\u0069d":"${id}"`],
    [member, `"id" : "${id}"`],
  ];
}
