import type { ProcessChanged } from './processEvents.ts';
import type { RunSummary } from './runSummary.ts';

/**
 * The times that a target ended or went away although nobody asked for it, where no check shows what it died of. A search
 * reports each of its own.
 */
export function unexplainedDeaths({
  deaths,
  checks,
  search,
}: Pick<RunSummary, 'deaths' | 'checks' | 'search'>): readonly ProcessChanged[] {
  const isExplained = checks.some(({ counterexample }) => counterexample?.died === true);
  return isExplained || search !== undefined ? [] : deaths;
}
