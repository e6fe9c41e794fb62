import fc, { type Arbitrary } from 'fast-check';

import { hasTimestamp, type SignatureScheme } from '../../../spec/signature.ts';
import { fillTemplate, readElements, templateParts } from '../../../spec/signatureTemplate.ts';
import type { Delivery, Header } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { forge } from '../forgery.ts';
import { signatureValue, withSignatureField, withSignatureValue } from '../signatureHeader.ts';

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
export function additionsFor(scheme: SignatureScheme): readonly Arbitrary<Addition>[] {
  const { prefix } = ownPart(scheme);
  // What stands at a list's own separator is a part of the list.
  const isFree = (text: string): boolean => scheme.several?.startsWith(text.slice(0, 1)) !== true;
  const separators = [',', '=', ';', ' ', '.', ':'].filter(isFree);
  return [
    texts('behind it', '00'),
    texts('behind it', '~zz', '~'),
    ...separators.map((separator) => texts('behind it', `${separator}x`)),
    texts(
      'behind it',
      ...['|x', '&x', '#x', '%00', ';', '.', ...(scheme.digest === 'hex' ? ['=', '=='] : [])].filter(isFree),
    ),
    texts('before it', ...(prefix === '' ? ['00', 'x'] : ['x', '0'])),
    ...separators.map((separator) => texts('before it', `x${separator}`)),
    ...(prefix === ''
      ? []
      : [texts('before its digest', prefix), texts('before its digest', 'x', '=', ';', 'x=', 'x;')]),
    within(' '),
    within('~'),
    ...(scheme.several === undefined ? lines : []),
    ...(hasTimestamp(scheme)
      ? [texts('behind its timestamp', 'x', '.5', 'e0'), texts('before its timestamp', '+', '0')]
      : []),
    ...(timestampPart(scheme) === undefined ? [] : timestamps),
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
      return withSignatureField(kit, delivery, 'timestamp', (time) => time + addition.text);
    case 'before its timestamp':
      return withSignatureField(kit, delivery, 'timestamp', (time) => addition.text + time);
    case 'in a second timestamp':
      return withTimestamps(kit, delivery, (time) => [time, time - 1]);
    case 'in a timestamp before it':
      return withTimestamps(kit, delivery, (time) => [time - 1, time]);
    default:
      return withSignatureValue(kit, delivery, (value) => addedTo(value, kit.scheme, addition));
  }
}

function addedTo(
  value: string,
  scheme: SignatureScheme,
  addition: Extract<Addition, { readonly text: string }>,
): string {
  const { part } = ownPart(scheme);
  return readElements(scheme.headers[0].template, scheme.several, value)
    .map((element) => {
      if (element.part !== part) return element.text;
      const prefix = fillTemplate(part.slice(0, part.indexOf('{digest}')), element.fields);
      const digest = element.text.slice(prefix.length);
      switch (addition.at) {
        case 'before it':
          return addition.text + element.text;
        case 'before its digest':
          return prefix + addition.text + digest;
        case 'within its digest': {
          const { length } = element.fields.digest ?? '';
          const at = 2 + 2 * (('place' in addition ? addition.place : 0) % (length / 2 - 2));
          return prefix + digest.slice(0, at) + addition.text + digest.slice(at);
        }
        default:
          return element.text + addition.text;
      }
    })
    .join(scheme.several);
}

/** The part of the signature's header that holds the digest, and the literal text with which it begins. */
function ownPart({ headers: [{ template }], several }: SignatureScheme) {
  const part = templateParts(template, several).find((each) => each.includes('{digest}')) ?? template;
  return { part, prefix: part.slice(0, part.indexOf('{')) };
}

/** The part of the signature's header that holds the timestamp, where it has one of its own. */
function timestampPart({ headers: [{ template }], several }: SignatureScheme): string | undefined {
  const parts = templateParts(template, several);
  return several !== undefined && parts.length > 1 ? parts.find((part) => part.includes('{timestamp}')) : undefined;
}

/** The line of a signature that is wrong. */
function wrongLine(kit: ReceiverKit, delivery: Delivery): Header {
  return [kit.signatureHeader, signatureValue(kit, forge(kit, delivery, { kind: 'another secret', secret: 'other' }))];
}

/** The signature's header with these timestamps in the place of its own. */
function withTimestamps(
  kit: ReceiverKit,
  delivery: Delivery,
  change: (time: number) => readonly number[],
): readonly Header[] {
  const { headers, several = '' } = kit.scheme;
  const part = timestampPart(kit.scheme);
  return withSignatureValue(kit, delivery, (value) =>
    readElements(headers[0].template, several, value)
      .flatMap(({ text, ...read }) => {
        if (part === undefined || read.part !== part) return [text];
        return change(Number(read.fields.timestamp)).map((time) => fillTemplate(part, { timestamp: String(time) }));
      })
      .join(several),
  );
}
