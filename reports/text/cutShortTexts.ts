import type { RunSummary } from '../model/runSummary.ts';
import { amount, timeLimitText, duration } from './amount.ts';

/**
 * What the time of a run was too short for, as one sentence; none where it sufficed, or the run ended for another reason.
 *
 * @example ['The time (--time, 5 min) did not suffice: 12 checks tried fewer cases than planned, 3 of them not every kind of case.']
 */
export function cutShortTexts({ run, checks }: Pick<RunSummary, 'run' | 'checks'>): readonly string[] {
  const fewer = checks.filter(({ planned }) => planned !== undefined);
  const untried = fewer.filter(({ untriedKinds = 0 }) => untriedKinds > 0).length;
  if (run.timeLimit === undefined || !run.complete || (fewer.length === 0 && run.outOfTime !== true)) return [];
  const limit = timeLimitText(run.timeLimit);
  if (fewer.length === 0) return [`The run ended when its time (--time, ${limit}) was over.`];
  const kinds =
    untried === 0 ? 'each of them every kind of case at least once' : `${untried} of them not every kind of case`;
  return [
    `The time (--time, ${limit}) did not suffice: ${amount(fewer.length, 'check')} tried fewer cases than planned, ${kinds}.`,
  ];
}

/** That a run did not come to its end, and how; nothing where it did. @example 'This run was killed after 4.2 s' */
export function earlyEnd({ run, ended, interrupted }: RunSummary): string | undefined {
  const when = `after ${duration(run.durationMs)}`;
  if (!ended) return `This run was killed ${when}`;
  if (interrupted) return `This run was interrupted ${when}`;
  return run.complete ? undefined : `This run ended early, ${when}`;
}
