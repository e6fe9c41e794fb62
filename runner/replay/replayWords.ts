import type { Replayed } from '../engine/replayed.ts';

/** How a case stands that was tried again, in words. */
export function replayWords(replayed: Replayed): string {
  if (replayed.outcome === 'cannot-run') return replayed.reason;
  if (replayed.outcome === 'fails') return `${replayed.finding.actual} (expected: ${replayed.finding.expected})`;
  return replayed.tries === 1 ? 'the case holds' : `the case holds, ${replayed.tries} times in a row`;
}
