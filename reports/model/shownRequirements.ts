import type { RunSummary } from './runSummary.ts';

/** The requirements that a report speaks of: a search has nothing to say about those that it does not look for. */
export function shownRequirements({ search, requirements }: RunSummary): RunSummary['requirements'] {
  return search === undefined ? requirements : requirements.filter(({ checks }) => checks.length > 0);
}
