import { entityNames } from './spellings.ts';

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
