import type { Moment } from '../../reports/model/events.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';
import { scheduleOf, type ReceiverSchedule, type ServiceSchedule } from '../../suites/check.ts';
import type { Answer } from '../../suites/delivery.ts';
import type { Activity } from './activity.ts';
import type { CaseSource, Drawable, GeneratedCase, Economy } from './cases.ts';
import type { Deadline } from './ending.ts';
import type { Failure, Found, Trial } from './trial.ts';
import type { RunContext } from './runContext.ts';
import type { SavedSequence } from './saveCase.ts';
import type { Subject } from './savedCase.ts';
import type { Traits } from './agreement.ts';
import type { Intensity } from './plan.ts';

/** A phase, and those that go on beside it. */
export function withMeanwhile<C>(phase: Phase<C>): readonly Phase<C>[] {
  return [phase, ...(phase.meanwhile ?? []).flatMap((each) => withMeanwhile(each.phase))];
}

/** How many times its equal share of the time one of those that come in turn may take. */
const inTurnShare = 3;

/** What begins at once, and for which part of the time: all checks of a phase, or one of each lane after the other. */
export function turnsOf<C>({ checks, inTurn }: Phase<C>): readonly (readonly Turn<C>[])[] {
  if (inTurn === undefined) return [[{ checks, share: 1 }]];
  return [...Map.groupBy(checks, inTurn).values()].map((lane) =>
    // One that takes long takes it from the others, though never all of it.
    lane.map((check, place) => ({ checks: [check], share: Math.min(1, inTurnShare / (lane.length - place)) })),
  );
}

export interface Turn<C> {
  readonly checks: readonly C[];
  /** Of the time that is left when it begins. */
  readonly share: number;
}

/** Which part of the time that is left is for the first of these phases: by how many checks each has, and how long they take. */
export function shareOfFirst<C>(phases: readonly Phase<C>[]): number {
  const [first = 0, ...others] = phases.map(weightOf);
  if (first === Infinity) return 1;
  return first === 0 ? 0 : first / others.reduce((sum, weight) => sum + weight, first);
}

/**
 * A check in no phase would be reported as if the run had ended before its turn.
 *
 * @param isTried - whether a phase tries it
 */
export function demandPhases<C extends SideCheck<never>>(
  checks: readonly C[],
  isTried: (check: C) => boolean,
  subject: Subject,
): void {
  const stray = checks.find((check) => !isTried(check));
  if (stray === undefined) return;
  const { kind } = scheduleOf(stray);
  throw new TypeError(
    `No phase tries ${stray.id}: add the checks of the schedule '${kind}' to phases of the side of a ${subject}.`,
  );
}

function weightOf<C>({ checks, weight = 1, meanwhile = [] }: Phase<C>): number {
  return meanwhile.reduce((sum, { phase }) => sum + weightOf(phase), checks.length * weight);
}

/** A check, as far as the engine reads it. */
export interface SideCheck<Draw> extends Drawable<Draw> {
  readonly title: string;
  readonly requirements: readonly [string, ...string[]];
  readonly needs: readonly string[];
  readonly fatal?: string;
  readonly canary?: boolean;
  readonly schedule?: ReceiverSchedule | ServiceSchedule;
}

/**
 * What differs between a receiver and a service, once the positive control was passed: all that the engine asks while it
 * tries, shrinks, tells, saves and replays cases, and searches for sequences.
 *
 * @typeParam C - its checks
 * @typeParam Draw - what their cases are drawn from
 * @typeParam F - what a failure is described by
 */
export interface Side<C extends SideCheck<Draw>, Draw, F extends Found> {
  readonly subject: Subject;
  readonly context: RunContext;
  /** Why a check cannot be observed in this run; nothing where it can. */
  missing(check: Pick<C, 'needs'>): string | undefined;
  /** What the cases of a check are drawn from. @param events - instead of those that the control found */
  draw(check: Pick<C, 'needs'>, events?: readonly string[]): Draw;
  /** The cases of a check, so many as suit this target. */
  cases(check: C): CaseSource;
  /** Which checks run when, and beside what. */
  phases(checks: readonly C[]): readonly Phase<C>[];
  /** Where the cases of a check get their places. */
  activityOf(check: C): Activity;
  /** How many smaller candidates of a failing case are tried side by side. */
  shrinkWidth(check: C): number;
  /** Gives a case a kit of its own. @param before - how it ended when it was tried before */
  open(check: C, generated: GeneratedCase, activity: Activity, before: readonly Trial<F>[]): Promise<OpenCase<F>>;
  /** Puts a failure in the words of a report, and keeps it in a file. */
  counterexample(check: C, failure: Failure<F>, reported: Reported): Counterexample;
}

/** One try of a case, from when it has its kit. */
export interface OpenCase<F> {
  run(): Promise<F | undefined>;
  /** Since when (monotonic, in milliseconds) it does nothing but wait; nothing while it is at work. */
  readonly waitingSince: number | undefined;
  /** The answers to what it sent, in order. */
  readonly answers: readonly Answer[];
  /** What it was about. */
  readonly traits: Traits;
  /** A finding about the target as a whole, with what it was sent last. */
  fatal(conclusion: Pick<Found, 'absence' | 'actual' | 'died' | 'hung'> & { readonly expected: string }): F;
  /** Puts away what the case made, and says how it ended in the light of what only this side knows. */
  close(trial: Trial<F>): Promise<Trial<F>>;
  /** What was done and seen, where the case had process control of the target. */
  timelineOf(finding: F): readonly Moment[] | undefined;
}

/** A wait of the cases of a phase that goes on while those of the next one are tried. */
export interface SharedWait {
  /** Called before the first case. Where the next phase waits for the same, the wait does not begin from now on. */
  hold(): void;
  /** Lets the wait begin once nothing is at work. */
  release(): void;
  /** Resolves once nothing but the wait is left, or all were tried. */
  reached(tried: Promise<unknown>): Promise<void>;
}

/**
 * Checks that are tried together. Those that no later phase tries are then confirmed together, then shrunk together. The
 * cases of all of them take turns: the first of each check, then the second of each, ...
 */
export interface Phase<C> {
  readonly checks: readonly C[];
  /** Which of their cases: one of each kind, or those that no earlier phase tried. Default: the latter. */
  readonly cases?: 'of-each-kind' | 'untried';
  /** True where what failed is tried again even if a later phase has the check too: there may be no time left for it then. */
  readonly confirms?: boolean;
  /**
   * True where nothing goes on but one case at a time: then it is known which one the target dies of. It only says so;
   * what sees to it is `begin` or the activity of its checks.
   */
  readonly alone?: boolean;
  /** Where each check has ended before the next one begins: its lane. Lanes go on side by side. Default: all begin at once. */
  readonly inTurn?: (check: C) => string;
  /** Milliseconds that are kept for this one, whatever those before it take. Default: none. */
  readonly reserved?: number;
  /** True where nothing may wait any more when it begins. */
  readonly afterAll?: boolean;
  /** True where others wait so long that `--bail` does not wait for them: a certain failure ends the run at once, unshrunk. */
  readonly hurries?: boolean;
  /** How long one of its checks takes, compared with those of other phases: its share of the time. Infinity: as long as it takes. Default 1. */
  readonly weight?: number;
  /** Called before its first case. */
  begin?(): Promise<void>;
  /**
   * Called before what failed is tried again.
   *
   * @param unanswered - whether a case failed because no answer came in time
   * @param until - when there is no more time for it
   */
  beforeConfirming?(unanswered: boolean, until: Deadline): Promise<void>;
  /** Called before what failed is shrunk. */
  beforeShrinking?(): void;
  /** Where its cases go on waiting while those of the next phase are tried. Not of a phase that is `inTurn`. */
  readonly sharedWait?: SharedWait | undefined;
  /** Each begins while this phase still waits: once these of its checks were tried. Not of a phase that is `inTurn`. */
  readonly meanwhile?: readonly { readonly phase: Phase<C>; after(check: C): boolean }[];
}

/** What is said of a failure beside the finding. */
export interface Reported {
  /** How many cases failed beside it, and which, in a few words; nothing where none did. */
  readonly others?: string | undefined;
  /** What was done and seen in the case, where it had process control of the target. */
  readonly timeline: readonly Moment[] | undefined;
  /** What the case was drawn from. Default: what its check draws from. */
  readonly events?: readonly string[];
  /** Where a search found it. */
  readonly sequence?: SavedSequence | undefined;
}

/** Milliseconds of a quick start: the longer one takes, the fewer cases a check gets that restarts the target. */
const quickStart = 250;

/** Milliseconds of starts that the kinds of one check may take in a quick look: with one of each it would take minutes. */
const startsOfCheck = 12_000;

/**
 * How many cases a check gets that restarts the target; nothing of any other check. At `standard` one of each kind is
 * tried at least: a start of seconds for each variant would be the longest part of the run.
 *
 * @param slowestStart - milliseconds that the slowest start took so far
 */
export function economyOfRestarts(
  check: Pick<SideCheck<never>, 'schedule'>,
  intensity: Intensity,
  slowestStart = 0,
): Economy | undefined {
  const schedule = scheduleOf(check);
  if (schedule.kind !== 'interrupting' || schedule.restarts === false) return undefined;
  const share = Math.min(1, quickStart / slowestStart);
  if (intensity === 'quick' && share < 1)
    return { share, kinds: Math.max(1, Math.floor(startsOfCheck / slowestStart)) };
  return { share, ...(share < 1 && intensity === 'standard' && { least: 'kinds' as const }) };
}
