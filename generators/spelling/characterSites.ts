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
export function countCharacterSites(kind: CharacterEditKind, text: string): number {
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
