/** Candidates from which on short ones are guessed, too. */
const many = 16;

/**
 * Shorter candidates of a list, in the order in which they are worth trying. Where few may be tried: those that leave
 * out a half, a quarter, ..., one element. Else all that there are where the list is short; or those, and all that have one
 * or two elements.
 *
 * @param most - how many are tried at once
 */
export function subsequences<T>(list: readonly T[], most: number): readonly (readonly T[])[] {
  const places = list.map((_, place) => place);
  const shorter = most < many ? withoutParts(places) : manyOf(places, most);
  const distinct = new Map(shorter.map((some) => [some.join(), some]));
  const proper = [...distinct.values()].filter(({ length }) => length > 0 && length < list.length);
  return proper.map((some) => some.map((place) => list[place]!));
}

type Places = readonly number[];

function manyOf(places: Places, most: number): readonly Places[] {
  const all = places.length < 12 && 2 ** places.length - 2 <= most ? allOf(places) : someOf(places, most);
  return all.toSorted((one, other) => one.length - other.length);
}

function allOf(places: Places): readonly Places[] {
  return Array.from({ length: 2 ** places.length }, (_, bits) => places.filter((place) => (bits >> place) & 1));
}

function someOf(places: Places, most: number): readonly Places[] {
  const parts = withoutParts(places);
  const pairs = places.flatMap((one) => places.slice(one + 1).map((other) => [one, other]));
  return [...parts, ...[...places.map((place) => [place]), ...pairs].slice(0, Math.max(0, most - parts.length))];
}

function withoutParts(places: Places): readonly Places[] {
  const sizes: number[] = [];
  for (let size = Math.ceil(places.length / 2); size > 1; size = Math.ceil(size / 2)) sizes.push(size);
  return [...sizes, 1].flatMap((size) => {
    const starts = places.filter((place) => place % size === 0);
    return starts.map((start) => places.filter((place) => place < start || place >= start + size));
  });
}
