import fc from 'fast-check';

import { lazily } from '../arbitraries.ts';
import type { Json } from '../json/json.ts';
import { toPointer } from '../json/jsonPointer.ts';
import { writeWith, type JsonPen, type Gap, type JsonPath, tokensOf } from './jsonPen.ts';

/** What a place in a JSON text is like at which an edit may be made. */
export interface EditPlace {
  /** The name of the document's member that it lies in; empty where it lies in none. */
  readonly within: string;
  /** Of white space: beside what it would stand. */
  readonly gap?: Gap;
  /** Of a character: whether it belongs to a name or to a value. */
  readonly role?: 'name' | 'value';
  readonly character?: string;
  /** Of a number or a character: where it stands, a JSON Pointer. */
  readonly pointer?: string;
}

/**
 * The places that a value offers for a kind of edit. The number of a place is what `Edit.at` counts.
 *
 * @example editPlaces({ id: 7 }, 'number-spelling') // [{ within: 'id', pointer: '/id' }]
 */
export function editPlaces(value: Json, kind: EditKind): readonly EditPlace[] {
  if (kind === 'trailing-newline') return [{ within: '' }];
  const places: EditPlace[] = [];
  writeWith(value, listingPen(kind, places));
  return places;
}

function listingPen(kind: Exclude<EditKind, 'trailing-newline'>, places: EditPlace[]): JsonPen {
  const add = (path: JsonPath, more: Omit<EditPlace, 'within'> = {}): string => {
    places.push({ within: topOf(path), ...more });
    return '';
  };
  return {
    gap: (gap, path) => (kind === 'whitespace' ? add(path, { gap }) : ''),
    number: (_value, path) => (kind === 'number-spelling' ? add(path, { pointer: pointerOf(path) }) : ''),
    order: (names, path) => {
      if (kind === 'key-order') for (const _ of names.slice(1)) add(path);
      return undefined;
    },
    string: (text, path, role) => {
      if (kind === 'whitespace' || kind === 'number-spelling' || kind === 'key-order') return '';
      const pointer = pointerOf(path);
      for (const character of text) if (isCharacterSite(kind, character)) add(path, { role, character, pointer });
      return '';
    },
  };
}

function pointerOf(path: JsonPath): string {
  return toPointer(tokensOf(path));
}

function topOf(path: JsonPath): string {
  return String(tokensOf(path)[0] ?? '');
}

/** How many places a value offers for an edit of this kind. 0: such an edit leaves the text as it is. */
export function editSites(value: Json, kind: Edit['kind']): number {
  if (kind === 'trailing-newline') return 1;
  const count = { sites: 0 };
  writeWith(value, countingPen(kind, count));
  return count.sites;
}

/** The number of places at which each kind finds one, for the kinds that are asked for. */
export function countSites(value: Json, kinds: Iterable<EditKind>): ReadonlyMap<EditKind, number> {
  return new Map(Array.from(new Set(kinds), (kind) => [kind, editSites(value, kind)]));
}

const nothing = (): string => '';

function countingPen(kind: Exclude<EditKind, 'trailing-newline'>, count: { sites: number }): JsonPen {
  const add = (sites: number): string => {
    count.sites += sites;
    return '';
  };
  const pen: JsonPen = { gap: nothing, string: nothing, number: nothing, order: () => undefined };
  if (kind === 'whitespace') return { ...pen, gap: () => add(1) };
  if (kind === 'number-spelling') return { ...pen, number: () => add(1) };
  if (kind !== 'key-order') return { ...pen, string: (text) => add(countCharacterSites(kind, text)) };
  return { ...pen, order: (names) => void add(names.length - 1) as undefined };
}

/** The kinds of edit that spell one character of a string otherwise. */
export type CharacterEditKind = 'unicode-escape' | 'non-ascii-escape' | 'solidus-escape';

/** The characters below U+0020 for which JSON has a short escape, which `JSON.stringify` uses. */
const shortEscapes = new Set(['\b', '\t', '\n', '\f', '\r']);

/** Whether a character (one code point) can be spelled otherwise than `JSON.stringify` does, by this kind of edit. */
export function isCharacterSite(kind: CharacterEditKind, character: string): boolean {
  if (kind === 'solidus-escape') return character === '/';
  const point = character.codePointAt(0) as number;
  const isLoneSurrogate = point >= 0xd800 && point <= 0xdfff;
  if (kind === 'non-ascii-escape') return point >= 0x80 && !isLoneSurrogate;
  return (point >= 0x20 || shortEscapes.has(character)) && !isLoneSurrogate;
}

/** How many characters of a text this kind of edit can spell otherwise. */
function countCharacterSites(kind: CharacterEditKind, text: string): number {
  let count = 0;
  for (const character of text) if (isCharacterSite(kind, character)) count += 1;
  return count;
}

/** `\u` and four hexadecimal digits for each UTF-16 code unit: a surrogate pair beyond the basic plane (RFC 8259, 7). */
export function unicodeEscape(character: string, digits: 'lower' | 'upper' = 'lower'): string {
  const units = Array.from({ length: character.length }, (_, index) => hex(character.charCodeAt(index)));
  return units.map((unit) => `\\u${digits === 'upper' ? unit.toUpperCase() : unit}`).join('');
}

function hex(unit: number): string {
  return unit.toString(16).padStart(4, '0');
}

/**
 * The ways in which the bytes of a JSON text may change while its value stays the same (RFC 8259):
 *
 * - `whitespace`: white space beside a token; `text` is what is put there (default one space)
 * - `trailing-newline`: a line end after the document; `text` is `\n` (default) or `\r\n`
 * - `key-order`: two neighbouring members of an object change places
 * - `unicode-escape`: any character as `\uXXXX`; `text` is `lower` (default) or `upper`, the case of the digits
 * - `non-ascii-escape`: the same for a character beyond ASCII, which the compact form writes raw
 * - `solidus-escape`: `/` as `\/`
 * - `number-spelling`: `1` as `1.0`, `1e0`, `1E+0` or `10E-1`; `text` is `fraction` (default), `exponent`, `signed` or `shifted`
 */
export const editKinds = [
  'whitespace',
  'trailing-newline',
  'key-order',
  'unicode-escape',
  'non-ascii-escape',
  'solidus-escape',
  'number-spelling',
] as const;

/** A way in which two spellings of one JSON value may differ: what {@link editKinds} lists. */
export type EditKind = (typeof editKinds)[number];

/** One departure from the compact form. */
export interface Edit {
  readonly kind: EditKind;
  /** Which of the places that the value offers for this kind: taken modulo their number, see `editSites`. */
  readonly at: number;
  readonly text?: string;
}

/** The raw form of a JSON text, as data: what sets it apart from `JSON.stringify`. The empty form is that itself. */
export type RawForm = readonly Edit[];

/** `JSON` allows four characters as white space (RFC 8259, 2). */
export const whitespace = lazily(() =>
  fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), minLength: 1, maxLength: 4 }),
);
