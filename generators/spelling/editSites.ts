import type { Json } from '../json/json.ts';
import { writeWith, type JsonPen } from './jsonPen.ts';
import type { Edit, EditKind } from './edit.ts';

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
