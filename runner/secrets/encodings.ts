import { entityNames } from './spellings.ts';

/** A stretch of a text that may be an encoding, and what it would be decoded to. */
export interface EncodedStretch {
  readonly text: string;
  /** Where a stretch of what was decoded stands in the text. */
  readonly placeOf: (from: number, to: number) => readonly [from: number, to: number];
}

/** Shorter stretches hold too little of an encoded secret. */
const least = { digits: 16, entries: 8 } as const;

/** Longer stretches are taken in pieces. A stretch of digits is not decoded then: it is a filling, and would take seconds. */
const most = { digits: 65_536, entries: 4096 } as const;

const base64 = new RegExp(`[\\w+/-]{${least.digits},${most.digits}}`, 'g');
const hex = new RegExp(`[\\da-f]{${least.digits},}`, 'gi');
const numbers = new RegExp(`\\d{1,3}(?:,\\s{0,16}\\d{1,3}){${least.entries - 1},${most.entries}}`, 'g');
/** Bytes of UTF-8 that were read as Latin-1 are one character. */
const unit = '(?:[\\xc2-\\xf4][\\x80-\\xbf]{1,3}|[^])';
const apart = '[\\s!-/:-@[-`{-~]';
const spaced = [unit, unit + unit].map((each) => {
  return new RegExp(`${each}(${apart}{1,16}?(?:0x)?)${each}(?:\\1${each}){${least.entries - 2},${most.entries}}`, 'g');
});
/** Where such entries may be: letters and digits that stand alone or in pairs, with signs and spaces between them. */
const scattered = new RegExp(
  `(?<![A-Za-z\\d])[A-Za-z\\d]{1,2}(?:${apart}{1,160}[A-Za-z\\d]{1,2}(?![A-Za-z\\d])){${least.entries - 3},${most.entries}}`,
  'g',
);
/** What is no letter and no digit may be an entry before the first of these, and behind the last. */
const besideScattered = 48;
const nextUnit = new RegExp(unit, 'y');
/** Escapes from behind, two with no more between them than may be shown of a secret. */
const backwards =
  /(?:%(?<=[\da-f]{2}%)|\\(?<=[\da-f]{4}u\\)|&(?<=;(?:[\da-f]{2,6}x?#|\w{2,24})&))[^]{0,13}?(?:[\da-f]{2}%|[\da-f]{4}u\\|;(?:[\da-f]{2,6}x?#|\w{2,24})&)/i;

/**
 * The stretches of a text that may be an encoding, decoded: base64 or hexadecimal, wherever in it what was encoded begins; a
 * list of bytes; and those of {@link mixedStretches}.
 */
export function* encodedStretches(text: string): Generator<EncodedStretch> {
  if (text.length < least.digits - 1) return;
  for (const { 0: digits, index } of text.matchAll(base64)) {
    if (digits.length === most.digits) continue;
    for (const before of [0, 1, 2, 3]) yield decoded(digits, index, before, 'base64');
    for (const { 0: found, index: at } of digits.matchAll(hex)) {
      for (const before of [0, 1]) yield decoded(found, index + at, before, 'hex');
    }
  }
  for (const { 0: found, index } of text.matchAll(numbers)) yield numbered(found, index);
  yield* mixedStretches(text);
}

/**
 * Those that may hold escapes which are none before they are decoded: characters, or pairs of them, with the same between each
 * two, such as a space or what separates the entries of a list; and all of a text, from its end, if escapes in it are reversed.
 */
export function* mixedStretches(text: string): Generator<EncodedStretch> {
  for (const { 0: region, index } of text.matchAll(scattered)) {
    const start = Math.max(0, index - besideScattered);
    const near = text.slice(start, index + region.length + besideScattered);
    for (const pattern of spaced) {
      for (const { 0: found, 1: between = '', index: at } of near.matchAll(pattern))
        yield together(found, start + at, between);
    }
  }
  if (backwards.test(text)) yield reversed(text);
}

/** Digits for each byte. */
const widths = { base64: 4 / 3, hex: 2 } as const;

function decoded(digits: string, index: number, before: number, encoding: keyof typeof widths): EncodedStretch {
  const [start, end] = [index + before, index + digits.length];
  const width = widths[encoding];
  return {
    text: Buffer.from(digits.slice(before), encoding).toString('latin1'),
    placeOf: (from, to) => [start + Math.floor(from * width), Math.min(start + Math.ceil(to * width), end)],
  };
}

function numbered(text: string, index: number): EncodedStretch {
  const found = [...text.matchAll(/\d+/g)];
  return {
    text: found.map(([number]) => String.fromCharCode(Number(number))).join(''),
    placeOf: (from, to) => [index + found[from]!.index, index + found[to - 1]!.index + found[to - 1]![0].length],
  };
}

function together(text: string, index: number, between: string): EncodedStretch {
  const places: number[] = [];
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    nextUnit.lastIndex = at;
    const [part = text.charAt(at)] = nextUnit.exec(text) ?? [];
    for (let count = 0; count < part.length; count += 1) places.push(index + at + count);
    parts.push(part);
    at += part.length;
    if (text.startsWith(between, at)) at += between.length;
  }
  return { text: parts.join(''), placeOf: (from, to) => [places[from]!, places[to - 1]! + 1] };
}

function reversed(text: string): EncodedStretch {
  return {
    text: text.split('').toReversed().join(''),
    placeOf: (from, to) => [text.length - to, text.length - from],
  };
}

/** What stands at the end of a text and may be the beginning of such a stretch: of which characters, and from when on. */
const unended = [
  { member: /^[\w+/-]/, begun: /^.{8}/ },
  { member: /^[\d,\s]/, begun: /^(?:\s*\d+,){4}/ },
  { member: /^(?![A-Za-z\d]{3})/, begun: /(?:[A-Za-z\d]+[^A-Za-z\d]+){5}/ },
];

/**
 * Where such a stretch may begin that goes on behind the end of a text; the end of the text where none does. A few
 * characters of one are none yet.
 */
export function unendedStretch(text: string): number {
  const starts = unended.map(({ member, begun }) => {
    let at = text.length;
    while (at > 0 && member.test(text.slice(at - 1, at + 2))) at -= 1;
    return begun.test(text.slice(at)) ? at : text.length;
  });
  return Math.min(...starts);
}

/** A text without its escapes. */
export interface Unescaped {
  readonly text: string;
  /** Where a character of it begins in the text as it was; its length gives where that ends. */
  readonly placeOf: (index: number) => number;
}

/** So often a text may be escaped, one upon the other. */
const mostTimes = 4;

const escapes =
  /%([\da-f]{2})|\\u\{0*([\da-f]{1,6})\}|\\u([\da-f]{4})|\\x([\da-f]{2})|\\([0-7]{3})|\\([^\n])|&#0*(\d{1,7});|&#x0*([\da-f]{1,6});|&(\w{2,24});/gi;

/**
 * A text as it was before it was percent-encoded, or written as a string of JSON, of a programming language or of HTML,
 * once or several times. Bytes of UTF-8 that were percent-encoded come as Latin-1.
 *
 * @example unescaped('s%33cr%25%36%35t').text // 's3cret'
 */
export function unescaped(text: string): Unescaped {
  let rest = text;
  let times = 0;
  while (times < mostTimes && /[%\\&]/.test(rest)) {
    const next = rest.replace(escapes, (...found: string[]) => meaningOf(found) ?? found[0]!);
    if (next === rest) break;
    rest = next;
    times += 1;
  }
  let places: readonly number[] | undefined;
  return {
    text: rest,
    // Where nothing is found, nobody asks.
    placeOf: (index) => (index < rest.length ? (places ??= placesOf(text, times))[index]! : text.length),
  };
}

/** Where each character of a text begins that was unescaped so often. */
function placesOf(text: string, times: number): readonly number[] {
  let [rest, places] = [text, Array.from({ length: text.length }, (_, at) => at)];
  for (let time = 0; time < times; time += 1) {
    const parts: string[] = [];
    const begins: number[] = [];
    let from = 0;
    const keep = (to: number): void => {
      parts.push(rest.slice(from, to));
      for (; from < to; from += 1) begins.push(places[from]!);
    };
    for (const found of rest.matchAll(escapes)) {
      const meant = meaningOf(found);
      if (meant === undefined) continue;
      keep(found.index);
      parts.push(meant);
      for (let count = 0; count < meant.length; count += 1) begins.push(places[found.index]!);
      from += found[0].length;
    }
    keep(rest.length);
    [rest, places] = [parts.join(''), begins];
  }
  return places;
}

/** What stands behind a slash, beside itself. */
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

const characterOf = new Map(
  Object.entries(entityNames).flatMap(([character, names]) => names.map((name) => [name, character] as const)),
);

function meaningOf([, percent, braced, unicode, hex, octal, plain, decimal, entity, name]: readonly (
  | string
  | undefined
)[]) {
  if (plain !== undefined) return controls[plain] ?? plain;
  if (name !== undefined) return characterOf.get(name) ?? characterOf.get(name.toLowerCase());
  const digits = percent ?? braced ?? unicode ?? hex ?? entity;
  const code =
    digits === undefined
      ? Number.parseInt(octal ?? decimal ?? '', octal === undefined ? 10 : 8)
      : Number.parseInt(digits, 16);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined;
}
