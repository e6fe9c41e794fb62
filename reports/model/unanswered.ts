import { isUnusable } from '../../suites/isUnusable.ts';
import type { ReportedAnswer } from './exchange.ts';
import type { RequirementResult, RunSummary } from './runSummary.ts';

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
