import { isUnusable } from '../../suites/unreached.ts';
import type { ReportedAnswer } from './exchange.ts';
import { unmetExpectations } from './expectations.ts';
import type { ProcessChanged } from './processEvents.ts';
import { unobservedRequired } from './requirementOutcome.ts';
import type { RequirementResult, RunSummary } from './runSummary.ts';
import { failedAlone, unexpectedlyBroken } from './verdict.ts';

/** What the process of a run exits with. */
export type ExitCode = 0 | 1 | 2 | 3 | 70 | 130;

/**
 * The exit code of a run: 130 interrupted; 2 a report or the journal could not be written; 70 a fault of the kit itself; 1 a MUST is broken (or a SHOULD, under
 * `--strict`) that was not expected to be, what was caught fails a check that proves no requirement, an expectation does not hold, or a required requirement was not observed; 3 it
 * could not be tested: the target was lost, or died of what no check shows, the probe failed, MUSTs stay undecided because no answer can be judged
 * (`unanswered`), nothing was observable (or, of a search, no sequence was tried), or the run has no end; else 0.
 * Where several hold, the first of them in this order.
 */
export function exitCode(summary: RunSummary): ExitCode {
  if (summary.interrupted) return 130;
  if (summary.errors.some(({ code }) => code !== undefined)) return 2;
  if (summary.errors.length > 0 || summary.summary.errored > 0) return 70;
  const broken = [unexpectedlyBroken(summary), failedAlone(summary)];
  const failures = [...broken, unmetExpectations(summary), unobservedRequired(summary)];
  if (failures.some(({ length }) => length > 0)) return 1;
  const { lost, probeFailed, run } = summary;
  const isSound = lost === undefined && probeFailed === undefined && unexplainedDeaths(summary).length === 0;
  return tested(summary) && isSound && run.complete && unanswered(summary) === undefined ? 0 : 3;
}

function tested({ search, summary: { passed, failed, warned, inconclusive } }: RunSummary): boolean {
  if (search !== undefined) return search.figures.cases > 0 && passed + failed + warned + inconclusive > 0;
  return passed + failed + warned > 0;
}

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

/** What a run could have observed, had the target given answers that can be judged. */
export interface Unanswered {
  /** The answer to the plain request that a run begins with, where that was none. */
  readonly control?: NonNullable<RunSummary['control']>;
  /** The MUSTs that stay undecided. */
  readonly musts: readonly RequirementResult[];
}

/**
 * What was not observed because the target broke its connections, or gave answers that go on and on: a run that says so
 * little does not pass. An answer that does not come in time is another matter, for a busy target may be right.
 *
 * @returns nothing where all that could be observed was answered
 */
export function unanswered({ checks, requirements, control }: RunSummary): Unanswered | undefined {
  const those = new Set(checks.flatMap((check) => (check.unanswered === true ? [check.id] : [])));
  const musts = requirements.filter(
    ({ level, outcome, checks: own }) =>
      level === 'must' && (outcome === 'inconclusive' || outcome === 'not-observed') && own.some((id) => those.has(id)),
  );
  const isUnread = control?.accepted === false && 'answer' in control.attempt && isUnended(control.attempt.answer);
  if (musts.length === 0 && !isUnread) return undefined;
  return { musts, ...(isUnread && { control }) };
}

/** The plain request that a run begins with may also get an answer that begins, and does not end in time. */
function isUnended(answer: ReportedAnswer): boolean {
  return isUnusable(answer) || (answer.kind === 'timed-out' && answer.status !== undefined);
}
