/**
 * The candidates that a mistyped word most likely meant, nearest first, at most three; one alone where only
 * capital letters differ. Empty where nothing is near.
 *
 * @example
 * nearest('--intesity', ['--intensity', '--insecure']) // ['--intensity']
 */
export function nearest(word: string, candidates: Iterable<string>): readonly string[] {
  // Two of three letters make another word.
  const limit = Math.min(Math.max(2, Math.floor(word.length / 3)), Math.max(1, word.length - 2));
  const near = [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3);
  return near.filter(({ distance }) => distance === 0 || near[0]?.distance !== 0).map(({ candidate }) => candidate);
}

/** `did you mean "x" or "y"?`, or nothing where there is no candidate. */
export function didYouMean(suggestions: readonly string[]): string | undefined {
  if (suggestions.length === 0) return undefined;
  return `did you mean ${suggestions.map((suggestion) => `"${suggestion}"`).join(' or ')}?`;
}

/** Edits (insert, delete, replace, swap of neighbours) that lead from one word to the other. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? beforeLast[j - 2]! + 1 : Infinity;
      row.push(Math.min(last[j]! + 1, row[j - 1]! + 1, replaced, swapped));
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
}
