import fc, { type Arbitrary } from 'fast-check';

/** What programs that handle text trip over, in groups, one code point each. */
const awkward = {
  quoting: '"\\/\'<&%$`{',
  controls: '\b\t\n\f\r\u0001\u001b\u001f\u007f\u0085\u00a0',
  separators: '\u2028\u2029',
  invisible: '\u200b\u200d\u200f\u202e\ufeff\ufe0f\ufffd',
  letters: 'éßñİıΩж中港한ﬀשمด\u0301\u0308\u20e3\ue000',
  'non-BMP': '😀🚢𝒳𠮷\u{1f1f3}\u{e0001}\u{10fffd}',
} as const;

/** A group of characters that programs trip over. */
export type AwkwardKind = keyof typeof awkward;

/** The names of all such groups. */
export const awkwardKinds = Object.keys(awkward) as readonly AwkwardKind[];

/** Which characters a text holds. */
export type TextKind = 'ascii' | 'unicode' | AwkwardKind;

/** Constraints of {@link text}. Lengths count code points, as JSON Schema does. */
export interface TextConstraints {
  /** `ascii` (default): printable ASCII. `unicode`: all of Unicode that I-JSON allows. Else: much of that group. */
  readonly kind?: TextKind;
  /** Whether U+0000 may appear. Default: false, since many stores refuse it. */
  readonly nul?: boolean;
  /** Default: 0. */
  readonly minLength?: number;
  /** Default: none; what is generated stays short. Where there is one, some are just so long. */
  readonly maxLength?: number;
}

const letters = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');

const asciiCharacter = fc.oneof(
  { arbitrary: fc.constantFrom(...letters), weight: 8 },
  { arbitrary: fc.constantFrom(' ', '-', '.'), weight: 1 },
);

const unicodeCharacter = fc.oneof(
  { arbitrary: fc.constantFrom(...letters), weight: 2 },
  { arbitrary: fc.constantFrom(...Object.values(awkward).flatMap((characters) => Array.from(characters))), weight: 3 },
  {
    arbitrary: fc.integer({ min: 1, max: 0x10ffff }).map(toCharacter, toCodePoint).filter(isInterchangeable),
    weight: 2,
  },
);

const unicodeCharacterOrNul = fc.oneof(
  { arbitrary: unicodeCharacter, weight: 9 },
  { arbitrary: fc.constant('\0'), weight: 1 },
);

/**
 * For texts. Without lone surrogates and noncharacters, which I-JSON (RFC 7493, 2.1) rules out.
 *
 * Shrinks to fewer characters and to the letter `a`.
 *
 * @example text({ kind: 'unicode', minLength: 1, maxLength: 20 })
 */
export function text(constraints: TextConstraints = {}): Arbitrary<string> {
  const { kind = 'ascii', nul = false, minLength = 0, maxLength } = constraints;
  const key = [kind, nul, minLength, maxLength].join();
  const made = known.get(key) ?? ofLengths(characterOf(kind, nul), minLength, maxLength);
  known.set(key, made);
  return made;
}

/**
 * For texts that hold the characters of a group, seldom all but one or two. No other kind holds each of them in a few texts.
 *
 * Shrinks to fewer of them, with the letter `a` in their place.
 *
 * @example groupText('quoting')
 */
export function groupText(kind: AwkwardKind): Arbitrary<string> {
  const units = Array.from(awkward[kind], (character) =>
    fc.oneof(
      { withCrossShrink: true },
      { arbitrary: fc.constant('a'), weight: 1 },
      { arbitrary: fc.constant(character), weight: 50 },
    ),
  );
  return fc.tuple(...units).map(
    (characters) => characters.join(''),
    (joined) => Array.from(String(joined)),
  );
}

function ofLengths(unit: Arbitrary<string>, minLength: number, maxLength: number | undefined): Arbitrary<string> {
  const short = fc.string({ unit, minLength, ...(maxLength !== undefined && { maxLength }) });
  if (maxLength === undefined || maxLength > longest) return short;
  const long = fc.array(unit, { minLength: 1, maxLength: 8 }).map((part) => repeatedTo(part, maxLength));
  return fc.oneof({ withCrossShrink: true }, { arbitrary: short, weight: 11 }, { arbitrary: long, weight: 1 });
}

/** Of a text that may be longer, none is that long: it would say more of the size of a body than of that of a member. */
const longest = 20_000;

function repeatedTo(part: readonly string[], length: number): string {
  return Array.from({ length }, (_, at) => part[at % part.length]).join('');
}

/** Each takes a millisecond to make, and a large document asks for the same few thousands of times. */
const known = new Map<string, Arbitrary<string>>();

function characterOf(kind: TextKind, nul: boolean): Arbitrary<string> {
  if (kind === 'ascii') return asciiCharacter;
  if (kind === 'unicode') return nul ? unicodeCharacterOrNul : unicodeCharacter;
  return fc.oneof(fc.constantFrom(...letters), fc.constantFrom(...Array.from(awkward[kind])));
}

/** Whether I-JSON allows every code point of the text: neither surrogates on their own nor noncharacters. */
export function isInterchangeable(candidate: string): boolean {
  return candidate.isWellFormed() && !/\p{Noncharacter_Code_Point}/u.test(candidate);
}

function toCharacter(codePoint: number): string {
  return String.fromCodePoint(codePoint);
}

function toCodePoint(character: unknown): number {
  const codePoint = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (codePoint === undefined || toCharacter(codePoint) !== character) throw new Error('not one character');
  return codePoint;
}

/**
 * For whole texts of base64, as an encoder writes them: the bits behind the last byte are zero (RFC 4648, section 3.5).
 * Undefined where no text has such a length.
 *
 * @param encoding - texts of `base64url` have no padding, with or without which decoders may be strict
 * @param range - the least and the most characters; the most may be Infinity
 */
export function base64Text(
  encoding: 'base64' | 'base64url',
  [least, most]: readonly [least: number, most: number] = [0, Infinity],
): Arbitrary<string> | undefined {
  const [quads, mostQuads] = [Math.ceil(least / 4), Math.floor(most / 4)];
  if (quads > mostQuads) return undefined;
  const maxLength = mostQuads < Infinity ? { maxLength: 3 * mostQuads } : {};
  if (encoding === 'base64') {
    const bytes = fc.uint8Array({ minLength: Math.max(0, 3 * quads - 2), ...maxLength });
    return bytes.map((array) => Buffer.from(array).toString('base64'), toBytes);
  }
  const triples = { minLength: quads, ...(mostQuads < Infinity && { maxLength: mostQuads }) };
  const triple = fc.uint8Array({ minLength: 3, maxLength: 3 });
  return fc
    .array(triple, triples)
    .map((each) => each.map((array) => Buffer.from(array).toString('base64url')).join(''));
}

function toBytes(text: unknown): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(String(text), 'base64');
  if (typeof text !== 'string' || bytes.toString('base64') !== text) throw new Error('no base64');
  return Uint8Array.from(bytes);
}
