import { fromPointer } from '../../../generators/json/jsonPointer.ts';
import { unicodeEscape } from '../../../generators/spelling/edit.ts';
import { placeOf } from '../../../spec/delivery.ts';
import type { Delivery, Header } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { freshHex, freshNumber } from '../unlikeBefore.ts';
import { signatureSpellings, withSignatureValue } from '../signatureHeader.ts';

/** What can be spelt otherwise when the same notification is delivered again, though none of it distinguishes two. */
export const otherwise = {
  'with its signature spelt otherwise': (kit, delivery) =>
    signatureSpellings(kit.scheme).map(({ spell }) => ({
      ...delivery,
      headers: withSignatureValue(kit, delivery, spell),
    })),
  'with other transport headers': (kit, delivery) => [1, 2].map(() => withTransport(delivery, transportHeaders(kit))),
  'with its id spelt otherwise': (kit, delivery) =>
    idSpellings(kit, delivery).map(([compact, other]) =>
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
  const hex = freshHex(kit, 48);
  const number = freshNumber(kit, 4096);
  return [
    ...names.map((name): Header => [name, kit.freshId()]),
    ['Traceparent', `00-${hex.slice(16)}-${hex.slice(0, 16)}-01`],
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
function idSpellings(
  { contract }: ReceiverKit,
  { id, body }: Delivery,
): readonly (readonly [compact: string, other: string])[] {
  const name = fromPointer(placeOf(contract, 'id')).at(-1) ?? '';
  const isNumber = !body.includes(`"${name}":"${id}"`);
  const value = isNumber ? id : `"${id}"`;
  const member = `"${name}":${value}`;
  const escaped = (text: string): string => `"${Array.from(text, (character) => unicodeEscape(character)).join('')}"`;
  return [
    ...(isNumber ? [] : [[member, `"${name}":${escaped(id)}`] as const]),
    [member, `${escaped(name.slice(0, 1)).slice(0, -1)}${name.slice(1)}":${value}`],
    [member, `"${name}" : ${value}`],
  ];
}
