import type { RunSummary } from '../../reports/model/runSummary.ts';

/** Runs at most. */
const tries = 3;

/**
 * Runs again where a run is undecided and found nothing: a busy machine may keep the kit from seeing, and the kit says so of
 * itself, which is neither a miss nor an alarm. What was found broken stands at once.
 *
 * @param hold - one run of the checks with these ids, or of all where none is named; it receives which run it is, from 1
 * @returns the summary of the last run, which held what the others had left open
 */
export async function conclusively(
  hold: (only: { readonly only?: readonly string[] }, tried: number) => Promise<RunSummary>,
): Promise<RunSummary> {
  let summary = await hold({}, 1);
  for (let tried = 2; tried <= tries; tried += 1) {
    const open = summary.checks.filter(({ outcome }) => outcome === 'inconclusive').map(({ id }) => id);
    const isFound = summary.requirements.some(({ outcome }) => outcome === 'broken');
    if (open.length === 0 || isFound || summary.errors.length > 0) return summary;
    summary = await hold({ only: open }, tried);
  }
  return summary;
}
