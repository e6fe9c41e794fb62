import { type EncodedStretch, encodedStretches, mixedStretches, unendedStretch, unescaped } from './encodings.ts';
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

/** Characters from the end in which so little of one is encoded that it cannot be found yet. */
const longestEncoded = 256;

/** Texts are compared from such pieces on: one of these begins in each five characters of whatever has eight. */
const piece = 4;
const stride = least - piece + 1;

/** So often a text is decoded. What is in it then is looked for in its encodings, too. */
const mostDecoded = 4;

/** A way in which a secret, or what is left of one, may be written. */
interface Form {
  /** In lower case. */
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
 * Finds what is a part of a secret: eight characters and more, in letters of any case, as they are, reversed, escaped, in
 * hexadecimal, as a list of numbers, in base64 or with something between each two; and any of this upon any other.
 */
export class SecretParts {
  readonly #forms: Form[] = [];
  readonly #pieces = new Map<string, (readonly [form: Form, at: number])[]>();
  /** Whether a piece may begin with two characters: most of a text begins none, and megabytes of it are looked through. */
  readonly #beginsPiece = new Uint8Array(2 ** 16);

  constructor(standIns: readonly StandIn[]) {
    for (const standIn of standIns) this.add(standIn);
  }

  /** Looks for the parts of another one, too. */
  add(standIn: StandIn): void {
    // Of what names more than a secret, the secret has a stand-in of its own.
    if (standIn.secret.length < least || standIn.secret.startsWith('//')) return;
    for (const form of formsOf(standIn)) {
      this.#forms.push(form);
      for (let at = 0; at + piece <= form.text.length; at += 1) {
        const text = form.text.slice(at, at + piece);
        const known = this.#pieces.get(text);
        if (known === undefined) this.#pieces.set(text, [[form, at]]);
        else known.push([form, at]);
        this.#beginsPiece[pairAt(text, 0)] = 1;
      }
    }
  }

  /** The text with what stands for a secret in place of its parts. */
  hide(text: string): string {
    return this.#found(text).reduceRight((rest, { from, to, shown }) => {
      const inside = /\w/.test(rest.charAt(to)) ? inBraces(shown) : shown;
      return rest.slice(0, from) + inside + rest.slice(to);
    }, text);
  }

  /** Where something begins at the end of a text that may become a part when the text goes on. */
  begins(text: string): number {
    const from = Math.max(0, text.length - longestAtEnd);
    const { text: plain, placeOf } = unescaped(text.slice(from));
    const known = inLowerCase(plain);
    let length = 0;
    for (const form of this.#forms) {
      while (length < known.length && form.text.includes(known.slice(known.length - length - 1))) length += 1;
    }
    return length === 0 ? text.length : from + placeOf(plain.length - length);
  }

  /**
   * Where something begins at the end of a text that may hold a part, encoded, when the text goes on.
   *
   * @param lately - what went before the text, and was shown by then
   */
  encloses(text: string, lately: string): number {
    if (this.#forms.length === 0) return text.length;
    const near = (lately + text).slice(-longestEncoded);
    return Math.max(0, text.length - near.length + unendedStretch(near));
  }

  /** Where the part begins that goes over a place of a text; the place itself where none does. */
  before(text: string, place: number): number {
    const start = Math.max(0, place - longestAtEnd);
    const over = this.#found(text.slice(start)).find(({ from, to }) => start + from < place && start + to > place);
    return over === undefined ? place : start + over.from;
  }

  /** In their order, none over another. */
  #found(text: string): readonly Found[] {
    if (this.#pieces.size === 0) return [];
    const found: Found[] = [];
    for (const next of this.#within(text, mostDecoded).toSorted((one, other) => one.from - other.from)) {
      const last = found.at(-1);
      if (last === undefined || next.from >= last.to) found.push(next);
      else found.splice(-1, 1, { ...last, to: Math.max(last.to, next.to) });
    }
    return found;
  }

  #within(text: string, times: number): readonly Found[] {
    if (text.length < least) return [];
    const { text: plain, placeOf } = unescaped(text);
    const asMeant = [...this.#standing(plain), ...this.#decoded(encodedStretches(plain), times)];
    // What looks like an escape may be none.
    const asWritten = plain === text ? [] : [...this.#standing(text), ...this.#decoded(mixedStretches(text), times)];
    return [...asMeant.map(({ from, to, shown }) => ({ from: placeOf(from), to: placeOf(to), shown })), ...asWritten];
  }

  #decoded(stretches: Iterable<EncodedStretch>, times: number): readonly Found[] {
    const found: Found[] = [];
    if (times === 0) return found;
    for (const { text, placeOf } of stretches) {
      for (const { from, to, shown } of this.#within(text, times - 1)) {
        const [start, end] = placeOf(from, to);
        found.push({ from: start, to: end, shown });
      }
    }
    return found;
  }

  #standing(text: string): readonly Found[] {
    const lower = inLowerCase(text);
    const found: Found[] = [];
    for (let at = 0; at + piece <= lower.length; at += stride) {
      const run = this.#beginsPiece[pairAt(lower, at)] === 1 ? this.#runAt(lower, at) : undefined;
      if (run === undefined) continue;
      found.push(run);
      // The next piece that is looked at lies behind it.
      while (at + stride < run.to) at += stride;
    }
    return found;
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

/** A number of 16 bits for two characters: some pairs of rare ones share it. */
function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) << 8) ^ text.charCodeAt(at + 1)) & 0xffff;
}

function formsOf({ secret, shown }: StandIn): readonly Form[] {
  return [secret, Array.from(secret).toReversed().join('')].flatMap((text) => {
    const bytes = Buffer.from(text);
    const inBytes = bytes.toString('latin1');
    const plain = [
      [text, tellsIn(text)],
      [text.replaceAll(' ', '+'), tellsIn(text)],
      [inBytes, tellsIn(inBytes)],
    ] as const;
    return [
      ...plain.map(([each, tells]) => ({ text: inLowerCase(each), shown, tells })),
      ...encoded(bytes).flatMap(([each, length]) => {
        const tells: Form['tells'] = (from, to) => to - from >= length;
        const form = inLowerCase(each);
        return [form, form.split('').toReversed().join('')].map((way) => ({ text: way, shown, tells }));
      }),
    ];
  });
}

/** The letters of ASCII alone: those of other alphabets may become more of them. */
function inLowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The bytes in their encodings, and how much of each eight of them have at least. */
function encoded(bytes: Buffer): readonly (readonly [text: string, length: number])[] {
  const base64 = [0, 1, 2].flatMap((before) => base64Within(bytes, before));
  const ofBase64 = [...new Set(base64)].map((text) => [text, Math.floor((least * 8 - 5) / 6)] as const);
  if (bytes.length > longestInBytes) return ofBase64;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  const inBytes = [hex, [...bytes].map(String)].flatMap((each, at) =>
    (at === 1 ? [',', ', '] : ['', ' ', ':', '-']).map(
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
