import type { CheckResult, RunSummary } from '../model/runSummary.ts';
import { amount, timeLimitText, duration } from './amount.ts';

type Timed = Pick<RunSummary, 'run' | 'checks' | 'requirements' | 'summary'>;

/**
 * What the time of a run was too short for, what was not decided for that, and what to do; none where it sufficed, or the
 * run ended for another reason.
 *
 * @example ['The time (--time, 5 min) did not suffice: 12 checks tried fewer cases than planned, 3 of them not every kind of case. …']
 */
export function cutShortTexts(summary: Timed): readonly string[] {
  const { run, checks } = summary;
  const fewer = checks.filter(({ planned }) => planned !== undefined);
  const untried = fewer.filter(isUntried).length;
  if (run.timeLimit === undefined || !run.complete || (fewer.length === 0 && run.outOfTime !== true)) return [];
  const limit = timeLimitText(run.timeLimit);
  if (fewer.length === 0) return [`The run ended when its time (--time, ${limit}) was over.`];
  const kinds =
    untried === 0 ? 'each of them every kind of case at least once' : `${untried} of them not every kind of case`;
  const what = `The time (--time, ${limit}) did not suffice: ${amount(fewer.length, 'check')} tried fewer cases than planned, ${kinds}.`;
  return [[what, ...undecidedTexts(summary)].join(' ')];
}

const isUntried = ({ untriedKinds = 0 }: CheckResult): boolean => untriedKinds > 0;

/** The requirements that are undecided because the time was too short, and what would decide them. */
function undecidedTexts({ run, checks, requirements, summary }: Timed): readonly string[] {
  const untried = new Set(checks.filter(isUntried).map(({ id }) => id));
  const open = requirements.filter((one) => one.outcome === 'inconclusive' && one.checks.some((id) => untried.has(id)));
  const musts = open.filter(({ level }) => level === 'must').map(({ id }) => id);
  const [first] = open.toSorted((one, other) => Number(other.level === 'must') - Number(one.level === 'must'));
  if (first === undefined) return [];
  const others = open.length - musts.length;
  const named = [
    ...musts,
    ...(others > 0 ? [`${amount(others, 'requirement')} that ${others === 1 ? 'is' : 'are'} no MUST`] : []),
  ];
  const sent =
    summary.calls === undefined ? amount(summary.deliveries, 'delivery', 'deliveries') : amount(summary.calls, 'call');
  return [
    `Undecided for that: ${inWords(named)}.`,
    `There was time for ${sent}: give --time ${minutesFor(run.durationMs, checks)}m for all, or test a part, such as --only ${first.id}.`,
  ];
}

/** @example inWords(['VRF-2', 'VRF-3', '2 others']) // 'VRF-2, VRF-3 and 2 others' */
function inWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** Minutes, in fives, that all cases take about where those that were tried took so long. */
function minutesFor(ms: number, checks: readonly CheckResult[]): number {
  const tried = checks.reduce((sum, { cases }) => sum + cases, 0);
  const planned = checks.reduce((sum, { cases, planned: all = cases }) => sum + all, 0);
  return 5 * Math.ceil((ms * planned) / Math.max(1, tried) / 300_000);
}

/** That a run did not come to its end, and how; nothing where it did. @example 'This run was killed after 4.2 s' */
export function earlyEnd({ run, ended, interrupted }: RunSummary): string | undefined {
  const when = `after ${duration(run.durationMs)}`;
  if (!ended) return `This run was killed ${when}`;
  if (interrupted) return `This run was interrupted ${when}`;
  return run.complete ? undefined : `This run ended early, ${when}`;
}
