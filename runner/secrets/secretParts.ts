import { entityNames } from './spellings.ts';
import { inBraces, type StandIn } from './standIns.ts';

/** So many characters or bytes of a secret that stand together give it away. */
const least = 8;

/** The same where they are words, such as `webhook-secret`: those may stand there for themselves. */
const leastOfWords = 16;

/** So many of them have to belong to no word. */
const leastDrawn = 4;

/** The encodings of a longer secret, such as a key file, are looked for in base64 alone. */
const longestInBytes = 256;

/** Characters from the end of what has come in which a part may begin that is not whole yet. */
const longestAtEnd = 8192;

/** Texts are compared from such pieces on: one of these begins in each five characters of whatever has eight. */
const piece = 4;
const stride = least - piece + 1;

/** A way in which a secret, or what is left of one, may be written. */
interface Form {
  readonly text: string;
  readonly shown: string;
  /** Whether a stretch of it gives the secret away. */
  tells(from: number, to: number): boolean;
}

/** Where something stands in a text, and what is shown there. */
interface Found {
  readonly from: number;
  readonly to: number;
  readonly shown: string;
}

/**
 * Finds what is a part of a secret, or of its reverse: eight characters and more, as they are, escaped, in hexadecimal, as a
 * list of numbers, or in base64.
 */
export class SecretParts {
  readonly #forms: readonly Form[];
  readonly #pieces = new Map<string, (readonly [form: Form, at: number])[]>();

  constructor(standIns: readonly StandIn[]) {
    // Of what names more than a secret, the secret has a stand-in of its own.
    const whole = standIns.filter(({ secret }) => secret.length >= least && !secret.startsWith('//'));
    this.#forms = whole.flatMap(formsOf);
    for (const form of this.#forms) {
      for (let at = 0; at + piece <= form.text.length; at += 1) {
        const text = form.text.slice(at, at + piece);
        const known = this.#pieces.get(text);
        if (known === undefined) this.#pieces.set(text, [[form, at]]);
        else known.push([form, at]);
      }
    }
  }

  /** The text with what stands for a secret in place of its parts. */
  hide(text: string): string {
    const found = this.#found(text);
    return found.reduceRight((rest, { from, to, shown }) => {
      const inside = /\w/.test(rest.charAt(to)) ? inBraces(shown) : shown;
      return rest.slice(0, from) + inside + rest.slice(to);
    }, text);
  }

  /** Where something begins at the end of a text that may become a part when the text goes on. */
  begins(text: string): number {
    const from = Math.max(0, text.length - longestAtEnd);
    const { text: plain, placeOf } = unescaped(text.slice(from));
    let length = 0;
    for (const form of this.#forms) {
      while (length < plain.length && form.text.includes(plain.slice(plain.length - length - 1))) length += 1;
    }
    return length === 0 ? text.length : from + placeOf(plain.length - length);
  }

  /** Where the part begins that goes over a place of a text; the place itself where none does. */
  before(text: string, place: number): number {
    const start = Math.max(0, place - longestAtEnd);
    const over = this.#found(text.slice(start)).find(({ from, to }) => start + from < place && start + to > place);
    return over === undefined ? place : start + over.from;
  }

  #found(text: string): readonly Found[] {
    const found: Found[] = [];
    if (this.#pieces.size === 0 || text.length < least) return found;
    const { text: plain, placeOf } = unescaped(text);
    for (let at = 0; at + piece <= plain.length; at += stride) {
      const run = this.#runAt(plain, at);
      if (run === undefined) continue;
      found.push({ from: placeOf(run.from), to: placeOf(run.to), shown: run.shown });
      // The next piece that is looked at lies behind it.
      while (at + stride < run.to) at += stride;
    }
    return found.filter(({ from }, index) => index === 0 || from >= found[index - 1]!.to);
  }

  /** The longest stretch of a form that goes over a piece of the text. */
  #runAt(text: string, at: number): Found | undefined {
    let longest: Found | undefined;
    for (const [form, place] of this.#pieces.get(text.slice(at, at + piece)) ?? []) {
      let [before, behind] = [0, piece];
      while (before < Math.min(at, place) && text[at - before - 1] === form.text[place - before - 1]) before += 1;
      while (at + behind < text.length && text[at + behind] === form.text[place + behind]) behind += 1;
      if (!form.tells(place - before, place + behind)) continue;
      // A run of one character is part of anything.
      if (new Set(text.slice(at - before, at + behind)).size < leastDrawn) continue;
      const run = { from: at - before, to: at + behind, shown: form.shown };
      if (longest === undefined || run.to - run.from > longest.to - longest.from) longest = run;
    }
    return longest;
  }
}

function formsOf({ secret, shown }: StandIn): readonly Form[] {
  return [secret, Array.from(secret).toReversed().join('')].flatMap((text) => {
    const bytes = Buffer.from(text);
    const inForms = [...new Set([text, text.replaceAll(' ', '+')])].map((each) => [each, tellsIn(text)] as const);
    const inBytes = bytes.toString('latin1');
    const plain = inBytes === text ? inForms : [...inForms, [inBytes, tellsIn(inBytes)] as const];
    return [
      ...plain.map(([each, tells]) => ({ text: each, shown, tells })),
      ...encoded(bytes).map(([each, length]) => ({
        text: each,
        shown,
        tells: (from: number, to: number) => to - from >= length,
      })),
    ];
  });
}

/** The bytes in their encodings, and how much of each eight of them have at least. */
function encoded(bytes: Buffer): readonly (readonly [text: string, length: number])[] {
  const base64 = [0, 1, 2].flatMap((before) => base64Within(bytes, before));
  const ofBase64 = [...new Set(base64)].map((text) => [text, Math.floor((least * 8 - 5) / 6)] as const);
  if (bytes.length > longestInBytes) return ofBase64;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  const written = [hex, hex.map((each) => each.toUpperCase()), [...bytes].map(String)];
  const inBytes = written.flatMap((each, at) =>
    (at === 2 ? [',', ', '] : ['', ' ', ':', '-']).map(
      (between) => [each.join(between), least * 2 + (least - 1) * between.length] as const,
    ),
  );
  return [...ofBase64, ...inBytes];
}

/** The digits that show nothing of what stands around these bytes, in both alphabets. */
function base64Within(bytes: Buffer, before: number): readonly string[] {
  const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const known = digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  return [known, known.replaceAll('+', '-').replaceAll('/', '_')];
}

const between = /[-_.:/ =@,]+/g;
const word = /^(?:[A-Z]?[a-z]+|[A-Z]+|\d{1,8})$/;

/** Distinguishes a stretch that was drawn from one of words, which says no more than that a word is in the secret. */
function tellsIn(secret: string): Form['tells'] {
  const drawn = [0];
  const add = (isDrawn: boolean, length: number): void => {
    for (let count = 0; count < length; count += 1) drawn.push(drawn.at(-1)! + Number(isDrawn));
  };
  let from = 0;
  for (const { index, 0: separator } of [...secret.matchAll(between), { index: secret.length, 0: '' }]) {
    add(!word.test(secret.slice(from, index)), index - from);
    add(false, separator.length);
    from = index + separator.length;
  }
  return (start, end) =>
    end - start >= leastOfWords || (end - start >= least && drawn[end]! - drawn[start]! >= leastDrawn);
}

/** A text without its escapes. */
interface Unescaped {
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
function unescaped(text: string): Unescaped {
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
  if (name !== undefined) return characterOf.get(name);
  const digits = percent ?? braced ?? unicode ?? hex ?? entity;
  const code =
    digits === undefined
      ? Number.parseInt(octal ?? decimal ?? '', octal === undefined ? 10 : 8)
      : Number.parseInt(digits, 16);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined;
}
