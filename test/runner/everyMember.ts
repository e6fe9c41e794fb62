/** A value in which one string, or the name of one member, is another one; and where that is. */
export interface Changed {
  readonly where: string;
  readonly value: unknown;
}

/**
 * The value once for each text, number and boolean and each member's name in it, with the text there put at its end: what
 * reads a file has no word for it that a number stands where one belongs. Of items in a list, and of
 * objects with the same `type`, each place is changed in the first one only.
 */
export function everyMember(value: unknown, text: string): readonly Changed[] {
  const found = new Map(changes(value, '', text).toReversed());
  return [...found].map(([where, changed]) => ({ where, value: changed }));
}

type Change = readonly [where: string, value: unknown];

function changes(value: unknown, where: string, text: string): readonly Change[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [[where, value + text]];
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, at) =>
      changes(item, `${where}[]${typeOf(item)}`, text).map(([place, changed]): Change => [
        place,
        value.with(at, changed),
      ]),
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]): readonly Change[] => [
    ...changes(member, `${where}.${name}`, text).map(([place, changed]): Change => [
      place,
      { ...value, [name]: changed },
    ]),
    [`the name of ${where}.${name}`, renamed(value, name, name + text)],
  ]);
}

function renamed(value: object, name: string, other: string): object {
  return Object.fromEntries(Object.entries(value).map(([each, member]) => [each === name ? other : each, member]));
}

function typeOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : '';
}
