import type { SecretParts } from './secretParts.ts';
import { byteSpellings, characterSpelling, type Spelling } from './spellings.ts';
import { inBraces, type StandIn } from './standIns.ts';

/** So many characters or bytes of a secret at least are hidden where a text is cut off behind them. */
const leastOfCut = 8;

/** So many are compared where a text may end within a secret; what comes behind them is taken for the rest of it. */
const mostOfBeginning = 24;

/** So many are looked for first: where they are not, the rest is not either. */
const glimpsed = 3;

/** Characters that one character or byte is spelled with at most, as a rule. */
const longestUnit = 24;

/** A character that may go on: an escape, or UTF-8; and a number that may. */
const escape = '(?:\\\\{1,16}|%(?:25){0,4}|&(?:amp;){0,4})';

const unfinished = `(?:${escape}[#{\\w]{1,9}){0,3}${escape}[#{\\w]{0,9}$|'\\\\?'?$|[\\x80-\\xff]{1,3}$|[\\da-fA-F]{1,2}$`;

const unfinishedByte = '(?:[ :,-]|0[xX]|, ?0[xX]|,\\s{0,16})?\\w{0,2}$';

/** What may go on at the end of a text: anywhere, within any spelling, and within one of the bytes. */
const tails = {
  anywhere: new RegExp(unfinished),
  within: new RegExp(unfinished, 'y'),
  withinBytes: new RegExp(unfinishedByte, 'y'),
};

/** So many characters that were shown tell what goes on behind them. */
const mostOfLately = 64;

/** Characters that such a tail has at most. */
const longestTail = 128;

/** Finds one secret in texts. */
export class SecretPattern {
  readonly #shown: string;
  readonly #extent: Extent;
  readonly #spellings: readonly Spelling[];
  readonly #glimpse: RegExp;
  #found: RegExp | undefined;
  #beginnings: Beginnings | undefined;
  /** Characters from the end in which a spelling that is not whole yet may begin. */
  readonly #longest: number;

  /** @param like - finds the same secret in the same spellings: compiling what it looks for first takes a millisecond */
  constructor({ secret, shown }: StandIn, extent: Extent, like?: SecretPattern) {
    const spellings = like === undefined ? spellingsOf(secret, extent) : like.#spellings;
    this.#shown = shown;
    this.#extent = extent;
    this.#spellings = spellings;
    this.#glimpse = like === undefined ? glimpseOf(spellings) : like.#glimpse;
    this.#longest = Math.max(...spellings.map(({ length }) => length)) * longestUnit;
  }

  /** All that is looked for. Most texts do not even hold the beginning of it. */
  get #whole(): RegExp {
    return (this.#found ??= wholeOf(this.#spellings, this.#extent));
  }

  /** The text with what stands for the secret in its place, where it is cut off at the end, too. */
  hide(text: string): string {
    if (!this.#glimpse.test(text)) return text;
    return text.replace(this.#whole, (found: string, at: number) =>
      /\w/.test(text.charAt(at + found.length)) ? inBraces(this.#shown) : this.#shown,
    );
  }

  /** Where something begins at the end of a text that may become the secret when the text goes on. */
  begins(text: string): number {
    const from = Math.max(0, text.length - this.#longest);
    const end = text.slice(from);
    // Only a stream asks for them.
    const { ofAny, ofBytes } = (this.#beginnings ??= beginningsOf(this.#spellings));
    const places = [
      place(end, tails.anywhere),
      place(end, ofAny),
      ...withoutTail(end, tails.within).map((rest) => place(rest, ofAny, end)),
      ...withoutTail(end, tails.withinBytes).map((rest) => place(rest, ofBytes, end)),
    ];
    return from + Math.min(...places);
  }

  /** Where the secret begins that goes over a place of a text; the place itself where none does. */
  before(text: string, place: number): number {
    const from = Math.max(0, place - this.#longest);
    const near = text.slice(from);
    if (!this.#glimpse.test(near)) return place;
    for (const { 0: found, index } of near.matchAll(this.#whole)) {
      if (from + index >= place) break;
      if (from + index + found.length > place) return from + index;
    }
    return place;
  }
}

/**
 * Hides secrets in a stream of bytes. What may be the beginning of one is held back until more has come; all else goes
 * through at once.
 */
export class SecretStream {
  readonly #patterns: readonly SecretPattern[];
  readonly #parts: SecretParts;
  #held = '';
  /** What was shown last, as it was. */
  #lately = '';

  constructor(patterns: readonly SecretPattern[], parts: SecretParts) {
    this.#patterns = patterns;
    this.#parts = parts;
  }

  /** @returns what can be shown by now */
  write(chunk: Buffer): Buffer {
    const text = this.#held + chunk.toString('latin1');
    const settled = this.#settled(text);
    this.#held = text.slice(settled);
    this.#lately = (this.#lately + text.slice(0, settled)).slice(-mostOfLately);
    return this.#shown(text.slice(0, settled));
  }

  /** What was held back, once nothing more comes; and as it may be shown meanwhile. */
  end(): Buffer {
    const rest = this.#held;
    this.#held = '';
    this.#lately = '';
    return this.#shown(rest);
  }

  #shown(text: string): Buffer {
    const whole = this.#patterns.reduce((rest, pattern) => pattern.hide(rest), text);
    return Buffer.from(this.#parts.hide(whole), 'latin1');
  }

  /** No secret goes over this place, whole or begun. */
  #settled(text: string): number {
    const ends = [text, ...withoutTail(text, tails.within)];
    const ofParts = ends.map((end) => this.#parts.begins(end)).filter((at, index) => at < ends[index]!.length);
    const enclosed = this.#parts.encloses(text, this.#lately);
    let place = Math.min(text.length, enclosed, ...ofParts, ...this.#patterns.map((pattern) => pattern.begins(text)));
    for (;;) {
      const before = Math.min(
        place,
        this.#parts.before(text, place),
        ...this.#patterns.map((pattern) => pattern.before(text, place)),
      );
      if (before === place) return place;
      place = before;
    }
  }
}

/**
 * How much of a secret is looked for: all spellings; the same, but none that a text cuts off; those of its bytes alone; or
 * the plain one where it is a whole word.
 */
export type Extent = 'all' | 'whole' | 'bytes' | 'word';

/** Where something stands in a text; the end of the text, or of the longer one that it begins, where it does not. */
function place(text: string, pattern: RegExp, { length }: string = text): number {
  const at = text.search(pattern);
  return at < 0 ? length : at;
}

/** A text without each tail that it may end with. One regular expression for both would take a tenth of a second to compile. */
function withoutTail(text: string, tail: RegExp): readonly string[] {
  const rests: string[] = [];
  for (let at = Math.max(0, text.length - longestTail); at < text.length; at += 1) {
    tail.lastIndex = at;
    if (tail.test(text)) rests.push(text.slice(0, at));
  }
  return rests;
}

function spellingsOf(secret: string, extent: Extent): readonly Spelling[] {
  if (extent === 'word') return [Array.from(secret, (character) => literal(character))];
  return extent === 'bytes' ? byteSpellings(secret) : [characterSpelling(secret), ...byteSpellings(secret)];
}

function glimpseOf(spellings: readonly Spelling[]): RegExp {
  return new RegExp(spellings.map((units) => units.slice(0, glimpsed).join('')).join('|'));
}

function wholeOf(spellings: readonly Spelling[], extent: Extent): RegExp {
  const whole = spellings.map((units) => (extent === 'word' ? asWord(units.join('')) : units.join('')));
  const isCut = extent === 'all' || extent === 'bytes';
  const cut = isCut ? spellings.filter(({ length }) => length >= leastOfCut).map(cutOff) : [];
  return new RegExp([...whole, ...cut].join('|'), 'g');
}

function asWord(source: string): string {
  return `(?<![\\w-])${source}(?![\\w-])`;
}

/** The beginning of a secret where a text ends, or an excerpt of one. */
function cutOff(units: Spelling): string {
  const rest = units.slice(leastOfCut).reduceRight((inner, unit) => `(?:${unit}${inner})?`, '');
  return `${units.slice(0, leastOfCut).join('')}${rest}(?=$|…|\\.{3}|\\\\{0,16}")`;
}

/** What finds the beginning of a spelling at the end of a text: of any, and of the bytes. */
interface Beginnings {
  readonly ofAny: RegExp;
  readonly ofBytes: RegExp;
}

function beginningsOf(spellings: readonly Spelling[]): Beginnings {
  const beginnings = spellings.map((units) => begun(units));
  return { ofAny: new RegExp(beginnings.join('|')), ofBytes: new RegExp(beginnings.slice(1).join('|') || '(?!)') };
}

/** The beginning of a secret at the end of a text. */
function begun(units: Spelling, at = 0): string {
  const unit = units[at]!;
  const left = units.length - at - 1;
  if (left === 0) return `${unit}$`;
  if (at + 1 === mostOfBeginning) return `${unit}[^]{0,${left * longestUnit}}$`;
  return `${unit}(?:$|${begun(units, at + 1)})`;
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
