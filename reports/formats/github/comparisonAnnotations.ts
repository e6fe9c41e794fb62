import { changeTitles, changesToTell, standingWords } from '../../text/changeWords.ts';
import type { ComparedRequirement, Comparison } from '../../model/comparison.ts';
import { regressions } from '../../model/regressions.ts';
import { duration } from '../../text/amount.ts';
import { verdictLine } from '../../text/verdictWords.ts';
import type { Annotation } from './workflowCommand.ts';

/** What changed from one run to the other: what broke and counts is an error, what else broke, became slower or is unobserved a warning. */
export function comparisonAnnotations(comparison: Comparison): readonly Annotation[] {
  const { before, after, regressed, requirements, slower, cautions } = comparison;
  const changed = changesToTell.flatMap((change) => requirements.filter((row) => row.change === change));
  const counting = new Set(regressions(comparison));
  const verdict = `Before: ${verdictLine(before)}\nAfter: ${verdictLine(after)}`;
  return [
    { kind: 'notice', title: `${after.kit.name}: ${regressed ? 'a regression' : 'no regression'}`, message: verdict },
    ...changed.map((row) => changeAnnotation(row, counting.has(row))),
    ...slower.map(({ what, before: was, after: is }): Annotation => {
      return { kind: 'warning', title: `Slower: ${what}`, message: `${duration(was)} before, ${duration(is)} after` };
    }),
    ...cautions.map((caution): Annotation => ({ kind: 'notice', title: 'Before you compare', message: caution })),
  ];
}

const kinds = {
  broke: 'warning',
  'no-longer-observed': 'warning',
  mended: 'notice',
  'newly-observed': 'notice',
  added: 'notice',
  removed: 'notice',
  same: 'notice',
} as const;

function changeAnnotation(row: ComparedRequirement, counts: boolean): Annotation {
  const { id, change, before, after, statement } = row;
  const message = `${standingWords(before)} before, ${standingWords(after)} after\n${statement}`;
  return { kind: counts ? 'error' : kinds[change], title: `${changeTitles[change]}: ${id}`, message };
}
