import { unmetExpectations } from './expectations.ts';
import { unobservedRequired } from './requirementOutcome.ts';
import { unanswered } from './unanswered.ts';
import { unexplainedDeaths } from './unexplainedDeaths.ts';
import { unexpectedlyBroken } from './verdict.ts';
import type { RunSummary } from './runSummary.ts';

/** What the process of a run exits with. */
export type ExitCode = 0 | 1 | 2 | 3 | 70 | 130;

/**
 * The exit code of a run: 130 interrupted; 2 a report or the journal could not be written; 70 a fault of the kit itself; 1 a MUST is broken (or a SHOULD, under
 * `--strict`) that was not expected to be, an expectation does not hold, or a required requirement was not observed; 3 it
 * could not be tested: the target was lost, or died of what no check shows, the probe failed, MUSTs stay undecided because no answer can be judged
 * (`unanswered.ts`), nothing was observable (or, of a search, no sequence was tried), or the run has no end; else 0.
 * Where several hold, the first of them in this order.
 */
export function exitCode(summary: RunSummary): ExitCode {
  if (summary.interrupted) return 130;
  if (summary.errors.some(({ code }) => code !== undefined)) return 2;
  if (summary.errors.length > 0 || summary.summary.errored > 0) return 70;
  const failures = [unexpectedlyBroken(summary), unmetExpectations(summary), unobservedRequired(summary)];
  if (failures.some(({ length }) => length > 0)) return 1;
  const { lost, probeFailed, run } = summary;
  const isSound = lost === undefined && probeFailed === undefined && unexplainedDeaths(summary).length === 0;
  return tested(summary) && isSound && run.complete && unanswered(summary) === undefined ? 0 : 3;
}

function tested({ search, summary: { passed, failed, warned, inconclusive } }: RunSummary): boolean {
  if (search !== undefined) return search.figures.cases > 0 && passed + failed + warned + inconclusive > 0;
  return passed + failed + warned > 0;
}
