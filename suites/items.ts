/** The last of a list that is not empty. */
export function lastOf<T>(list: readonly [T, ...T[]]): T {
  return list.at(-1) ?? list[0];
}

/**
 * The item at a place that was found in this list, or in one of the same length.
 *
 * @throws RangeError where there is none: a mistake of the check, not of the target
 */
export function itemOf<T>(list: ArrayLike<T>, place: number): T {
  const item = list[place];
  if (item !== undefined) return item;
  throw new RangeError(`There is no item ${place} in a list of ${list.length}.`);
}

/**
 * What belongs together in two lists: a delivery and its answer, for example.
 *
 * @throws RangeError where one list is longer than the other
 */
export function pairs<A, B>(ones: readonly A[], others: readonly B[]): readonly (readonly [A, B])[] {
  if (ones.length !== others.length) throw new RangeError(`${ones.length} and ${others.length} items make no pairs.`);
  return ones.map((one, place) => [one, itemOf(others, place)] as const);
}

/** A number with its noun, as sentences have it: `1 time`, `3 times`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
