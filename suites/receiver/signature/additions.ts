import fc, { type Arbitrary } from 'fast-check';

import { hasTimestamp, type SignatureScheme } from '../../../spec/signature.ts';
import { fillTemplate, readElements, templateParts } from '../../../spec/signatureTemplate.ts';
import type { Delivery, Header } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { forge } from '../forgery.ts';
import { signatureValue, withSignatureField, withSignatureValue } from '../signatureHeader.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck } from '../../check.ts';
import { acceptedTwin, expectRefused } from '../expectation.ts';

/** Section 5.2: a signature with something added to it is another signature. */
export const nothingAdded = receiverCheck<{ notification: Notification; addition: Addition }>({
  id: 'receiver/signature/nothing-added',
  title: 'refuses the right signature with something added to it',
  requirements: ['VRF-5'],
  needs: ['secret'],
  canary: true,
  weight: 0.5,
  cases: (draw) =>
    additionsFor(draw.scheme).map((addition) => fc.record({ addition, notification: draw.notification() })),
  run: async (kit, { notification, addition }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = withAddition(kit, kit.compose(notification), addition);
    const point = {
      requirement: 'VRF-5',
      twin,
      difference: describeAddition(addition),
      hint: hintOf(addition),
    } as const;
    const accepted = await expectRefused(kit, delivery, point);
    if (accepted === undefined) return undefined;
    const answered = (other: Addition) => kit.deliver(withAddition(kit, kit.compose(notification), other));
    if (addition.at === 'behind it' && kit.accepts(await answered(junkWithin))) return { ...accepted, hint: skipping };
    const mirror = mirrored(addition);
    if (mirror === undefined) return accepted;
    const answer = await answered(mirror);
    if (!kit.accepts(answer)) return accepted;
    // Whatever looks for the signature in a list finds it at any place; the format of the header is a gap.
    kit.observe('GAP-14', 'a list with the right signature at any place is accepted', describeAnswer(answer));
    return undefined;
  },
  hint: 'Compare the whole header value. Decoders of hex and base64 drop what they cannot read, so junk behind a signature passes.',
});

const repeatedHeader =
  'Refuse a delivery whose signature header comes twice: what stands before your code (a proxy, a firewall) may look at ' +
  'the line that you do not. Many frameworks give out one value of a repeated header without a word, so ask for all of them.';

const skipping =
  'The signature was decoded, and the decoder passes over what it cannot read (bytes.fromhex over spaces, most decoders of ' +
  'base64 over anything). Compare the text of the header with the text that you expect.';

const splitUp =
  'The header was taken apart at a separator (a split), and one part of it was compared. Compare the whole value with the ' +
  'one that you expect; where it has parts, refuse one with more of them than there have to be.';

const cutOff =
  'The end of the header was cut off before it was compared: by a trim of more than white space, or by a split at a separator. ' +
  'Compare the whole value with the one that you expect.';

const lookedFor =
  'The signature was looked for within the header (includes, endsWith, the last part of a split, a regular expression ' +
  'without ^ and $). Compare the whole value.';

const timestampsHint =
  'Sign the text of the timestamp as it stands in the header. parseInt and the like drop what they cannot read, so what is ' +
  'signed is then not what was sent.';

const twoTimestamps =
  'Refuse a header in which a part comes twice: what stands before your code may look at the other one.';

/** Where another mistake is behind it than the one that the check's hint speaks of. */
function hintOf(addition: Addition): string | undefined {
  switch (addition.at) {
    case 'in a second header line':
      return `The header came twice, and only its first line was compared. ${repeatedHeader}`;
    case 'in a header line before it':
      return `The header came twice, and only its last line was compared. ${repeatedHeader}`;
    case 'behind its timestamp':
    case 'before its timestamp':
      return timestampsHint;
    case 'in a second timestamp':
    case 'in a timestamp before it':
      return twoTimestamps;
    case 'within its digest':
      return skipping;
    case 'behind it':
      if (/^[;.'"=]+$/.test(addition.text)) return cutOff;
      return /^[,=;.:|&# ]/.test(addition.text) ? splitUp : undefined;
    default:
      return lookedFor;
  }
}

/** A text beside the signature, between its prefix and its digest, or beside the timestamp that it covers. */
type TextPlace = 'behind it' | 'before it' | 'before its digest' | 'behind its timestamp' | 'before its timestamp';

/** Another value in a header line of its own, or another timestamp. */
type PartPlace =
  | 'in a second header line'
  | 'in a header line before it'
  | 'in a second timestamp'
  | 'in a timestamp before it';

/** Something that is added to a right signature, as data. `place` is one of the places of the digest, counted round. */
type Addition =
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
    texts('behind it', '|x', '&x', '#x', '%00'),
    ...trimmed(scheme)
      .map((characters) => characters.filter(isFree))
      .filter((characters) => characters.length > 0)
      .map((characters) => texts('behind it', ...characters)),
    texts('before it', '0', '00'),
    texts('before it', 'x', '0x'),
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

/** What is cut off where a value is trimmed of more than white space, a kind of case each. */
function trimmed({ digest }: SignatureScheme): readonly (readonly string[])[] {
  return [[';'], ['.'], ['"', "'"], digest === 'hex' ? ['=', '=='] : []];
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
function mirrored(addition: Addition): Addition | undefined {
  if (!('text' in addition) || !addition.text.includes(',')) return undefined;
  if (addition.at === 'behind it') return { at: 'before it', text: 'x,' };
  return addition.at === 'before it' ? { at: 'behind it', text: ',x' } : undefined;
}

/** What passes over this cut nothing off behind the signature. */
const junkWithin: Addition = { at: 'within its digest', text: '~', place: 7 };

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
