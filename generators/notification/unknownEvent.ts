import fc, { type Arbitrary } from 'fast-check';

/** The name of an event that does not exist, and how it came about. */
export interface UnknownEvent {
  readonly name: string;
  /** In a few words: "a known name in capitals". */
  readonly kind: string;
}

const misspellings: readonly (readonly [kind: string, misspell: (name: string) => string])[] = [
  ['a known name in capitals', (name) => name.toUpperCase()],
  ['a known name with a space after it', (name) => `${name} `],
  ['a known name with a space before it', (name) => ` ${name}`],
  ['a known name with a line break after it', (name) => `${name}\n`],
  ['the beginning of a known name', (name) => name.slice(0, name.lastIndexOf('.'))],
  ['a known name without its last letter', (name) => name.slice(0, -1)],
  ['a known name and more', (name) => `${name}.more`],
  ['a known name and much more', (name) => `${name}.and.much.more`],
  ['a wildcard for a group of names', (name) => `${name.slice(0, name.indexOf('.'))}.*`],
  ['a known name with other separators', (name) => name.replaceAll('.', '_')],
  ['a known name with a letter of another alphabet', (name) => name.replace('a', '\u0430')],
  ['a known name with a full-width letter', (name) => name.replace('e', '\uff45')],
  ['a known name with a character that does not show', (name) => `${name}\u200b`],
  ['a wildcard', () => '*'],
  ['a member that any object of JavaScript has', () => 'constructor'],
  ['an empty text', () => ''],
];

/**
 * For names that are not in a catalogue of events, though near to one that is. One arbitrary for each way to misspell a
 * name; each shrinks to the first name of the catalogue.
 *
 * @param catalogue - all names that exist
 * @param canCome - whether a request can carry the name. Default: each can
 */
export function unknownEventKinds(
  catalogue: readonly string[],
  canCome: (name: string) => boolean = () => true,
): readonly Arbitrary<UnknownEvent>[] {
  return misspellings.flatMap(([kind, misspell]) => {
    const unknown = catalogue
      .map((name) => misspell(name))
      .filter((name) => !catalogue.includes(name) && canCome(name));
    const names = [...new Set(unknown)];
    return names.length === 0 ? [] : [fc.constantFrom(...names).map((name) => ({ kind, name }))];
  });
}
