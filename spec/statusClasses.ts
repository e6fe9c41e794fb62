/**
 * Statuses in the order given, with `2XX` in the place of all hundred of a class.
 *
 * @example statusClasses([200, 204]) // ['200', '204']
 */
export function statusClasses(statuses: readonly number[]): readonly string[] {
  const classes = Map.groupBy([...new Set(statuses)], (status) => Math.floor(status / 100));
  return [...classes].flatMap(([first, all]) => (all.length === 100 ? [`${first}XX`] : all.map(String)));
}
