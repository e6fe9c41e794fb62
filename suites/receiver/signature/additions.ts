import fc, { type Arbitrary } from 'fast-check';

import type { SignatureScheme } from '../../../spec/signature.ts';
import type { Delivery, Header } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { forge } from '../forgery.ts';
import { isSignature, signatureValue, withSignatureValue } from '../signatureHeader.ts';

/** A text beside the signature, between its prefix and its digest, or beside the timestamp that it covers. */
type TextPlace = 'behind it' | 'before it' | 'before its digest' | 'behind its timestamp' | 'before its timestamp';

/** Another value in a header line of its own, or another timestamp. */
type PartPlace =
  | 'in a second header line'
  | 'in a header line before it'
  | 'in a second timestamp'
  | 'in a timestamp before it';

/** Something that is added to a right signature, as data. `place` is one of the places of the digest, counted round. */
export type Addition =
  | { readonly at: TextPlace; readonly text: string }
  | { readonly at: 'within its digest'; readonly text: string; readonly place: number }
  | { readonly at: PartPlace };

/**
 * Every kind of addition that a scheme leaves no room for. What its format foresees is none: further parts of a list that
 * has its own separator, and the padding of base64.
 */
export function additionsFor({ layout, encoding, prefix }: SignatureScheme): readonly Arbitrary<Addition>[] {
  // What stands at a list's own separator is a part of the list.
  const own = { body: '', timestamped: ',', 'standard-webhooks': ' ' }[layout];
  const separators = [',', '=', ';', ' ', '.', ':'].filter((separator) => separator !== own);
  return [
    texts('behind it', '00'),
    texts('behind it', '~zz', '~'),
    ...separators.map((separator) => texts('behind it', `${separator}x`)),
    texts('behind it', '|x', '&x', '#x', '%00', ';', '.', ...(encoding === 'hex' ? ['=', '=='] : [])),
    texts('before it', ...(prefix === '' ? ['00', 'x'] : ['x', '0'])),
    ...separators.map((separator) => texts('before it', `x${separator}`)),
    ...(prefix === ''
      ? []
      : [texts('before its digest', prefix), texts('before its digest', 'x', '=', ';', 'x=', 'x;')]),
    within(' '),
    within('~'),
    ...(layout === 'body'
      ? lines
      : [texts('behind its timestamp', 'x', '.5', 'e0'), texts('before its timestamp', '+', '0')]),
    ...(layout === 'timestamped' ? timestamps : []),
  ];
}

const lines = [part('in a second header line'), part('in a header line before it')];
const timestamps = [part('in a second timestamp'), part('in a timestamp before it')];

function part(at: PartPlace): Arbitrary<Addition> {
  return fc.constant({ at });
}

function texts(at: TextPlace, ...all: readonly string[]): Arbitrary<Addition> {
  return fc.record({ at: fc.constant(at), text: fc.constantFrom(...all) });
}

function within(text: string): Arbitrary<Addition> {
  return fc.record({
    at: fc.constant('within its digest' as const),
    text: fc.constant(text),
    place: fc.nat({ max: 200 }),
  });
}

/** The same on the other side, where it makes a list of the signature and something else. */
export function mirrored(addition: Addition): Addition | undefined {
  if (!('text' in addition) || !addition.text.includes(',')) return undefined;
  if (addition.at === 'behind it') return { at: 'before it', text: 'x,' };
  return addition.at === 'before it' ? { at: 'behind it', text: ',x' } : undefined;
}

/** In a few words, for a report. */
export function describeAddition(addition: Addition): string {
  const { at } = addition;
  if (at === 'in a second timestamp') return 'another timestamp behind the right one';
  if (at === 'in a timestamp before it') return 'another timestamp before the right one';
  if (!('text' in addition)) return `a second value ${at}`;
  const where = at.replace(/\bits?\b/, (word) => (word === 'it' ? 'the signature' : "the signature's"));
  return `${JSON.stringify(addition.text)} ${where}`;
}

/** The delivery with its right signature, and something added to that. */
export function withAddition(kit: ReceiverKit, delivery: Delivery, addition: Addition): Delivery {
  return { ...delivery, headers: headersWith(kit, delivery, addition) };
}

function headersWith(kit: ReceiverKit, delivery: Delivery, addition: Addition): readonly Header[] {
  switch (addition.at) {
    case 'in a second header line':
      return [...delivery.headers, wrongLine(kit, delivery)];
    case 'in a header line before it':
      return [wrongLine(kit, delivery), ...delivery.headers];
    case 'behind its timestamp':
      return atTimestamp(kit, delivery, (time) => time + addition.text);
    case 'before its timestamp':
      return atTimestamp(kit, delivery, (time) => addition.text + time);
    case 'in a second timestamp':
      return atTimestamp(kit, delivery, (time) => `${time},t=${Number(time) - 1}`);
    case 'in a timestamp before it':
      return atTimestamp(kit, delivery, (time) => `${Number(time) - 1},t=${time}`);
    default:
      return withSignatureValue(kit, delivery, (value) => addedTo(value, kit.scheme, addition));
  }
}

function addedTo(
  value: string,
  { layout, prefix }: SignatureScheme,
  addition: Extract<Addition, { readonly text: string }>,
): string {
  const start = layout === 'timestamped' ? value.indexOf(',') + 1 : 0;
  const [before, digest] = [value.slice(0, start), value.slice(start + prefix.length)];
  switch (addition.at) {
    case 'before it':
      return before + addition.text + prefix + digest;
    case 'before its digest':
      return before + prefix + addition.text + digest;
    case 'within its digest': {
      const at = 2 + 2 * (('place' in addition ? addition.place : 0) % (digest.length / 2 - 2));
      return before + prefix + digest.slice(0, at) + addition.text + digest.slice(at);
    }
    default:
      return value + addition.text;
  }
}

/** The line of a signature that is wrong. */
function wrongLine(kit: ReceiverKit, delivery: Delivery): Header {
  return [kit.signatureHeader, signatureValue(kit, forge(kit, delivery, { kind: 'another secret', secret: 'other' }))];
}

/** The timestamp stands in the signature's own header, or in one that holds nothing else. */
function atTimestamp(kit: ReceiverKit, delivery: Delivery, change: (time: string) => string): readonly Header[] {
  return delivery.headers.map(([name, value]) => {
    if (isSignature(kit, name)) return [name, value.replace(/(?<=^t=)\d+/, change)];
    return [name, /^\d{9,11}$/.test(value) ? change(value) : value];
  });
}
