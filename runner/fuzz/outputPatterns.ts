/** Patterns that are known at most. */
const most = 2000;

/** Knows the sorts of lines that a target has written. */
export class OutputPatterns {
  readonly #known = new Set<string>();

  /** The sorts of lines that were not there before. */
  fresh(lines: readonly string[]): readonly string[] {
    const patterns = [...new Set(lines.map(outputPattern))].filter((pattern) => !this.#known.has(pattern));
    const few = patterns.slice(0, most - this.#known.size);
    for (const pattern of few) this.#known.add(pattern);
    return few;
  }
}

/** Characters of a line that count. */
const shown = 120;

/**
 * A line of a target's output without what is different each time: numbers, ids, times and quoted values.
 *
 * @example outputPattern('12:01:33 took 15 ms for "7f3a"') === '# took # ms for ""'
 */
export function outputPattern(line: string): string {
  return line
    .replaceAll(/"[^"]*"|'[^']*'/g, '""')
    .replaceAll(/[\w-]*\d[\w:.,-]*/g, '#')
    .replaceAll(/(?:#\s*)+/g, '# ')
    .trim()
    .slice(0, shown);
}
