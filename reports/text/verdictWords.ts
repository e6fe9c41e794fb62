import type { Change } from '../model/compareRuns.ts';
import type { CheckOutcome, RunStarted, TargetKind } from '../model/events.ts';
import { exitCode } from '../model/exitCode.ts';
import type { RequirementOutcome, RunSummary, CheckResult } from '../model/runSummary.ts';
import { unsettledFailures } from '../model/search.ts';
import { verdictSentence } from '../model/verdict.ts';
import { amount, timeLimitText, duration } from './amount.ts';

/**
 * The verdict with the exit code, as a text of its own. That the run did not come to its end stands before it, unless the
 * target does not conform: that no end would have changed.
 *
 * @example 'Does not conform: 11 of 11 MUSTs observed, broken: IDM-2 (exit code 1)'
 * @example 'Incomplete: this run was killed after 4.2 s. Inconclusive: 9 of 11 MUSTs observed, none broken (exit code 3)'
 */
export function verdictLine(summary: RunSummary): string {
  const sentence = capital(verdictSentence(summary));
  const code = `(exit code ${exitCode(summary)}${summary.run.strict ? ', --strict' : ''})`;
  const end = earlyEnd(summary);
  if (end === undefined) return `${sentence} ${code}`;
  return summary.verdict === 'does-not-conform'
    ? `${sentence}. ${end} ${code}`
    : `Incomplete: ${end.charAt(0).toLowerCase()}${end.slice(1)}. ${sentence} ${code}`;
}

/** The same for a heading, without the exit code. @example ['Incomplete', 'This run was killed after 4.2 s. Inconclusive: 9 of …'] */
export function headWords(summary: RunSummary): readonly [title: string, detail: string] {
  const [title, detail] = verdictWords(summary);
  const end = earlyEnd(summary);
  if (end === undefined) return [title, detail];
  return summary.verdict === 'does-not-conform'
    ? [title, `${detail}. ${end}.`]
    : ['Incomplete', `${end}. ${capital(verdictSentence(summary))}.`];
}

/** The verdict in a word or two, and the rest of its sentence. @example ['Does not conform', '11 of 11 MUSTs observed, …'] */
function verdictWords(summary: RunSummary): readonly [title: string, detail: string] {
  const text = verdictSentence(summary);
  const [, word = '', rest = ''] = /^([a-z ]+): (.*)$/s.exec(text) ?? [];
  if (summary.search === undefined && word !== '') return [capital(word), capital(rest)];
  return [searchTitle(summary), capital(text)];
}

function searchTitle({ search }: RunSummary): string {
  if (search === undefined) return '';
  if (search.failures.some(({ outcome }) => outcome === 'failed')) return 'Failures found';
  return unsettledFailures(search) > 0 ? 'No failure confirmed' : 'No failure found';
}

/** The text with its first letter as a capital, unless it begins with a name that has a dot, as that of a host. */
export function capital(text: string): string {
  if (/^[^ .]*\.\S/.test(text)) return text;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What reports call a change, as a title. */
export const changeTitles: Readonly<Record<Change, string>> = {
  broke: 'Broke',
  'no-longer-observed': 'No longer observed',
  fixed: 'Fixed',
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
export const changesToReport = ['broke', 'no-longer-observed', 'fixed', 'newly-observed', 'added', 'removed'] as const;

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

/** What reports call the same thing for one kind of target and for the other. */
interface TargetWords {
  /** The positive control. */
  readonly control: string;
  /** Its failure: as a title, and as the start of a reason. */
  readonly controlFailed: string;
  readonly noControl: string;
}

/** The words of each kind of target. */
export const targetWords: Readonly<Record<TargetKind, TargetWords>> = {
  receiver: {
    control: 'a plain delivery',
    controlFailed: 'A plain delivery was not accepted',
    noControl: 'no plain delivery was accepted',
  },
  service: {
    control: 'creating a plain webhook',
    controlFailed: 'No creation of a webhook was seen',
    noControl: 'no plain webhook was created',
  },
};

/** What a run was about, before the address: that of a listener is where deliveries came to, and no target's. */
export function subjectText(
  { kind }: RunStarted['target'],
  { caughtOnly }: Pick<RunStarted['run'], 'caughtOnly'>,
): string {
  return caughtOnly === true ? 'deliveries to' : kind;
}
