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

/**
 * The checks of all topics, one topic after the other.
 *
 * @param after - the checks that do not come with their topic, by the id of the check that they follow
 * @throws TypeError where an id is that of no check, or a check would have two places or none
 */
export function inOrder<Check extends { readonly id: string }>(
  topics: readonly (readonly Check[])[],
  after: Readonly<Record<string, readonly string[]>>,
): readonly Check[] {
  const checks = new Map(topics.flat().map((check) => [check.id, check]));
  const followers = Object.values(after).flat();
  const strange = [...Object.keys(after), ...followers].find((id) => !checks.has(id));
  if (strange !== undefined) throw new TypeError(`No topic has a check ${strange}: correct its id in the order.`);
  const moved = new Set(followers);
  const withFollowers = (id: string): readonly string[] => [id, ...(after[id] ?? []).flatMap(withFollowers)];
  const ids = [...checks.keys()].filter((id) => !moved.has(id)).flatMap(withFollowers);
  const misplaced = [...checks.keys()].find((id) => ids.indexOf(id) < 0 || ids.indexOf(id) !== ids.lastIndexOf(id));
  if (misplaced !== undefined) throw new TypeError(`Give the check ${misplaced} one place in the order.`);
  return ids.flatMap((id) => checks.get(id) ?? []);
}
