import type { RunSummary } from './runSummary.ts';

/**
 * The requirements that a report speaks of. A search has nothing to say about those that it does not look for, and a run of
 * some checks (`--only`, `--skip`) nothing about those that were not chosen.
 */
export function shownRequirements({
  search,
  leftOut,
  requirements,
}: Pick<RunSummary, 'search' | 'leftOut' | 'requirements'>): RunSummary['requirements'] {
  const isPart = search !== undefined || leftOut !== undefined;
  return isPart ? requirements.filter(({ checks }) => checks.length > 0) : requirements;
}
