import { duration } from '../../reports/text/amount.ts';
import { describeAnswer } from '../../suites/answer.ts';
import type { Answer } from '../../suites/delivery.ts';
import type { NotStarted } from '../../suites/processControl.ts';
import { aftermath } from '../engine/death.ts';
import type { RunEnd } from '../engine/eventStream.ts';
import type { Owner } from '../engine/cases.ts';

/** Checks that are named where several may be to blame. */
const fewChecks = 8;

/** What a target may have died of. */
interface Suspects {
  /** Of cases that ran one at a time, the last. */
  readonly sure?: SupervisedCase | undefined;
  readonly suspects: readonly Suspected[];
  /** The last whole answer before it; nothing where there was none. */
  readonly answered: Answer | undefined;
}

/** What the target may have died of, and how to find out where that is one of several cases. */
export function suspicion(end: RunEnd, death: TargetDeath, { sure, suspects, answered }: Suspects): RunEnd {
  if (sure) return endIn(end, sure, suspects);
  const { reason, advice = '' } = end;
  if (suspects.length === 0) return beforeAnyCase(end, answered);
  const byCheck = [...Map.groupBy(suspects, ({ supervised }) => supervised.check)];
  const again = byCheck.slice(0, fewChecks).flatMap(([, [first]]) => first?.supervised.keep(death) ?? []);
  const tryAgain =
    again.length === 0
      ? 'With --concurrency 1 one request at a time is under way.'
      : `Or try the newest case of each alone, and see which one ends it:\n${again.join('\n')}`;
  return {
    reason: `${reason}. What it died of is not known: these were under way, or had been a moment before: ${namesOf(suspects)}`,
    advice: `${advice} ${tryAgain}`,
  };
}

/** The end of a run whose target went away in a case, as far as can be seen: it may have died late of one right before. */
function endIn(end: RunEnd, { check: sure }: SupervisedCase, suspects: readonly Suspected[]): RunEnd {
  const before = suspects.filter(({ supervised: { check, reached } }) => reached && check !== sure);
  const late = `If this case alone does not end it, it died late of one right before: ${namesOf(before)}.`;
  const advice = before.length === 0 ? end.advice : `${end.advice ?? ''} ${late}`.trimStart();
  return { ...end, reason: `${end.reason}, after a case of ${sure}`, ...(advice !== undefined && { advice }) };
}

/** The checks of several cases, the newest first. */
function namesOf(suspects: readonly Suspected[]): string {
  const byCheck = [...Map.groupBy(suspects, ({ supervised }) => supervised.check)];
  const names = byCheck.map(([check, { length }]) => `${check} (${length === 1 ? '1 case' : `${length} cases`})`);
  const more = names.length > fewChecks ? `, and ${names.length - fewChecks} more` : '';
  return `${names.slice(0, fewChecks).join(', ')}${more}`;
}

/** The end of a run whose target went away and does not come up again. */
export function notUpAgain(kind: string, { how }: Pick<TargetDeath, 'how'>, error: NotStarted): RunEnd {
  return error.byKit
    ? {
        reason: `the ${kind} ${how}, and did not come up again: ${error.message}`,
        advice: `Start the ${kind} by hand in the state in which it is now, and see what keeps it from coming up.`,
      }
    : {
        reason: `the ${kind} ${how}, and it ${error.message}`,
        advice: `Look at what the ${kind} wrote last, and start it again. With --start <command> (or --image <ref>) the kit starts it itself: it then shows how the ${kind} ended and what it wrote, tries alone what it may have died of, and goes on with the other checks.`,
      };
}

/** The end of a run before any case began. */
function beforeAnyCase(end: RunEnd, answered: Answer | undefined): RunEnd {
  if (answered === undefined) return end;
  return {
    reason: `${end.reason}. Nothing but plain requests had been sent, and the last answer was ${describeAnswer(answered)}`,
    advice: `It may have ended by what it does after such an answer: an error in a job, a timer or a promise that nothing catches. ${end.advice}`,
  };
}

/** That the target went away although nobody asked for it. */
export interface TargetDeath {
  /** Which death of the run it is, from 1. */
  readonly number: number;
  /** How it went, without a subject: `died with exit code 1`, `went away: connections to it were refused`. */
  readonly how: string;
  /** True where it had not ended, and served nobody, so that the kit killed it. */
  readonly hung?: true;
}

/** A case of a check, as far as the process of the target is concerned. */
export interface SupervisedCase extends Owner {
  /** Since when (monotonic, in milliseconds) it does nothing but wait; nothing where it is at work. */
  readonly waitingSince: number | undefined;
  /** True where it holds process control of the target. */
  readonly controlsProcess: boolean;
  /** True where cases of its phase run one at a time. */
  readonly inTurn: boolean;
  /** True where its check has ended: it can no longer say what the target died of. */
  readonly isOver: boolean;
  /** True where a request of it came as far as the target. */
  readonly reached: boolean;
  /**
   * The target died while it was at work, or right after.
   *
   * @param after - milliseconds for which it had not been at work
   * @param isFirst - whether no other case came before it of which the target may die only now
   */
  suspected(death: TargetDeath, after: number, isFirst: boolean): void;
  /** The target died while it waited: what it waits for may be gone with it. */
  disturbed(death: TargetDeath): void;
  /** The target died of this case, as far as can be seen, and does not come up again. */
  convicted(death: TargetDeath, error: NotStarted): void;
  /** The target hangs of this case, as far as can be seen. @param sure - false where it may be another that was at work by then */
  hung(how: string, sure: boolean): void;
  /** The target refuses everybody since this case or one before, and goes on doing so. */
  spent(how: string): void;
  /** Keeps it in a file, where the run writes any. @returns the shell line that tries it again */
  keep(death: TargetDeath): string | undefined;
}

/** A case that is at work, and whether nothing else is. */
export interface AtWork {
  readonly supervised: SupervisedCase;
  readonly alone: boolean;
}

/** A case that may be what the target died of, and for how long it had not been at work. */
export interface Suspected {
  readonly supervised: SupervisedCase;
  readonly after: number;
}

/** A death, and what the target may have died of. */
export interface PerhapsOf {
  readonly death: TargetDeath;
  readonly suspects: readonly Suspected[];
  /** The last case that it may have died of late, although others were at work. */
  readonly late: Suspected | undefined;
}

/** Where it died late, or may have, the case that is named need not be what it died of. */
export function inTime(
  death: TargetDeath,
  suspects: readonly Suspected[],
  late: (Suspected & { readonly isIt: boolean }) | undefined,
): TargetDeath {
  const after = suspects[0]?.after ?? 0;
  const ago = (ms: number): string => `${death.how}, ${duration(ms)} after the last request of a case`;
  if (after >= aftermath) return { ...death, how: `${ago(after)} (an earlier one may be what it died of)` };
  if (late?.isIt !== true) {
    if (late === undefined && areInTurn(suspects)) return death;
    const isAlone = suspects.filter((one) => one.after === 0).length < 2;
    const other = isAlone ? 'a case before this one' : 'another case that was under way';
    return { ...death, how: `${death.how} (${other} may be what it died of)` };
  }
  const others = 'an earlier one, or one of those that were under way by then, may be what it died of';
  return { ...death, how: `${ago(late.after)} (${others})` };
}

/** The one that the target died of: of cases that ran one at a time, the last one that came as far as the target. */
export function surelyOf(suspects: readonly Suspected[]): SupervisedCase | undefined {
  const underWay = suspects.filter(({ after }) => after === 0);
  const last = underWay.find(({ supervised }) => supervised.reached);
  // What had ended before may have been many at once.
  if (last && areInTurn(underWay)) return last.supervised;
  return areInTurn(suspects) ? suspects.find(({ supervised }) => supervised.reached)?.supervised : undefined;
}

/**
 * The newest of several that came as far as the target. What the kit has started ends by itself of nothing but what it was sent,
 * so that one of them is to blame: this one or another.
 */
export function newestOf(suspects: readonly Suspected[]): SupervisedCase | undefined {
  return suspects.find(({ supervised: { reached, isOver } }) => reached && !isOver)?.supervised;
}

function areInTurn(suspects: readonly Suspected[]): boolean {
  return suspects.every(({ supervised }) => supervised.inTurn);
}
