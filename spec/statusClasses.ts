/**
 * The class of a status: its first digit. What is said of a class (2xx, 4xx) is said by this, never by bounds of its own.
 *
 * @example statusClass(404) // 4
 */
export function statusClass(status: number): number {
  return Math.floor(status / 100);
}

/**
 * Whether a status is one of a list, as an assumption writes it.
 *
 * @example isListedStatus('4xx, 503', 404) // true
 */
export function isListedStatus(list: string, status: number): boolean {
  return list.split(',').some((text) => {
    const word = text.trim().toLowerCase();
    return word.endsWith('xx') ? statusClass(status) === Number(word[0]) : Number(word) === status;
  });
}

/**
 * Statuses in the order given, with `2XX` in the place of all hundred of a class.
 *
 * @example statusClasses([200, 204]) // ['200', '204']
 */
export function statusClasses(statuses: readonly number[]): readonly string[] {
  const classes = Map.groupBy([...new Set(statuses)], statusClass);
  return [...classes].flatMap(([first, all]) => (all.length === 100 ? [`${first}XX`] : all.map(String)));
}
