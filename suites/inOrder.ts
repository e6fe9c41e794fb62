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
