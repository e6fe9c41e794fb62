import type { Change } from '../model/comparison.ts';
import type { CheckOutcome } from '../model/events.ts';
import type { RequirementOutcome } from '../model/runSummary.ts';

/** What reports call a change, as a title. */
export const changeTitles: Readonly<Record<Change, string>> = {
  broke: 'Broke',
  'no-longer-observed': 'No longer observed',
  mended: 'Fixed',
  'newly-observed': 'Newly observed',
  added: 'Only in the later run',
  removed: 'Only in the earlier run',
  same: 'Unchanged',
};

/** How a requirement or a check stood in a run, in words. */
export function standingWords(outcome: RequirementOutcome | CheckOutcome | undefined): string {
  return outcome ?? 'not run';
}

/** The changes that are reported one by one, the gravest first. */
export const changesToTell = ['broke', 'no-longer-observed', 'mended', 'newly-observed', 'added', 'removed'] as const;
