import type { Counterexample } from '../../reports/model/exchange.ts';
import { type Finding, type ReceiverCheck, type ReceiverSchedule, scheduleOf } from '../../suites/check.ts';
import type { Draw } from '../../suites/draw.ts';
import { overOwnConnection } from '../../suites/receiver/onWire.ts';
import { type Activity, CanaryPace, canaryWidth } from '../engine/activity.ts';
import { caseSource, type CaseSource, type Economy, type GeneratedCase, control } from '../engine/cases.ts';
import { economyOfRestarts, type OpenCase, type Phase, type Reported, type Side } from '../engine/side.ts';
import type { Failure, Trial } from '../engine/trial.ts';
import { usualConcurrency } from '../engine/plan.ts';
import { counterexample } from './counterexample.ts';
import type { ControlResult, ReceiverContext } from './receiverContext.ts';
import { whatIsMissing } from './needed.ts';
import { receiverDraw } from './receiverDraw.ts';
import { CaseKit } from './receiverKit.ts';
import { ChanceRefusals } from './refusedByChance.ts';
import { controlsProcess, OpenReceiverCase } from './openReceiverCase.ts';
import { laterWait, sharedWait } from './sharedWait.ts';
import { caughtUp, servedAgain } from './plainDeliveries.ts';
import type { Contract } from '../../spec/contract.ts';

/** Smaller candidates of a failing case that are tried before one of them is taken; those with effects share their wait. */
const shrinkWidth = { effects: 24, answers: 6, processControl: 4 } as const;

/** How many times as long a check takes whose cases are a restart of the receiver, or many deliveries. */
const longWeight = 6;

/** Milliseconds of a quick answer: the longer one takes, the fewer cases a check gets. One of each variant remains. */
const quickAnswer = 100;

/** The part of a run's time that is kept for what is seen at its end, and milliseconds at most. */
const forLast = { share: 0.25, ms: 40_000 } as const;

/** Requests that a case makes at least, in most checks. */
const requestsOfCase = 2;

/** A receiver that passed the positive control, as the engine sees it. */
export class ReceiverSide implements Side<ReceiverCheck, Draw, Finding> {
  readonly subject = 'receiver';
  readonly context: ReceiverContext;
  readonly found: ControlResult;
  readonly #pace = new CanaryPace();
  /** Making them takes a while. */
  readonly #cases = new Map<ReceiverCheck, CaseSource>();
  readonly #refusals: ChanceRefusals;

  constructor(context: ReceiverContext, found: ControlResult) {
    this.context = context;
    this.found = found;
    const kit = () => new CaseKit(context, control, found);
    this.#refusals = new ChanceRefusals(
      found.byChance === true,
      // What is counted for each connection is the matter of a check of its own.
      () => kit().deliver(overOwnConnection(kit().compose(found.control))),
      (answer) => kit().accepts(answer),
    );
  }

  missing(check: Pick<ReceiverCheck, 'needs' | 'judges'>): string | undefined {
    const { needs, judges } = check;
    const { unseen } = this.found;
    if (unseen && judges !== unseen.judges) return `needs to see what is accepted: ${unseen.why}`;
    return whatIsMissing(needs, this.context.plan) ?? (needs.includes('probe') ? this.found.probeTrouble : undefined);
  }

  draw(check: Pick<ReceiverCheck, 'needs'>, events?: readonly string[]): Draw {
    const from = drawnFrom(check);
    const found = events === undefined ? this.found : { ...this.found, [from]: new Set(events) };
    return receiverDraw(this.context, found, from);
  }

  cases(check: ReceiverCheck): CaseSource {
    const { plan } = this.context;
    const known = this.#cases.get(check);
    const source = known ?? caseSource(check, this.draw(check), plan.seed, plan.intensity, this.#economyOf(check));
    this.#cases.set(check, source);
    return source;
  }

  #economyOf(check: ReceiverCheck): Economy {
    const { log, targetProcess, plan } = this.context;
    const restarts = economyOfRestarts(check, plan.intensity, targetProcess?.target.slowestStart);
    return restarts ?? { share: Math.min(1, quickAnswer / log.quickest) };
  }

  /**
   * First one of each kind of what a single request can kill a receiver with. While it may still die of those, what
   * disturbs nobody goes on side by side, then the others one case at a time. Then what is left of the first ones, what
   * may come in groups, those that use process control, and last those that are about how long the run has been. Time is kept
   * for these, and where it is short they follow the MUSTs: a receiver whose work has ended makes every wait before them as
   * long as it can be.
   */
  phases(checks: readonly ReceiverCheck[]): readonly Phase<ReceiverCheck>[] {
    const canaries = checks.filter(({ canary }) => canary === true);
    const others = checks.filter(({ canary }) => canary !== true);
    const those = (place: ReturnType<typeof placeOf>) => others.filter((check) => placeOf(check) === place);
    // One delivery at a time is what the user asked for where the concurrency is 1.
    const crowd = this.context.plan.concurrency === 1 ? 1 : Infinity;
    const musts = this.#isShort(checks)
      ? mustsFirst(checks, this.context.plan.contract, (check) => this.cases(check).ofEachKind)
      : [];
    const slow = musts.length > 0 ? checks.filter((check) => this.#mayBeLate(check)) : [];
    const atEnd = those('last');
    const last = {
      ...this.#phase(atEnd, 1),
      weight: longWeight,
      ...(atEnd.length > 0 && { reserved: Math.min(forLast.share * this.context.deadline.left, forLast.ms) }),
    };
    return [
      ...(slow.length > 0 ? [{ ...this.#phase(slow, 1), confirms: true, weight: Infinity }] : []),
      ...musts.map((some) =>
        this.#paced({ ...this.#phase(some, 1), cases: 'of-each-kind', confirms: true, weight: Infinity }),
      ),
      ...(musts.length > 0 ? [last] : []),
      this.#paced({ checks: canaries, cases: 'of-each-kind', sharedWait: sharedWait(this.context) }),
      { ...this.#phase(those('beside'), crowd), sharedWait: laterWait(this.context) },
      { ...this.#phase(those('alone'), 1), sharedWait: sharedWait(this.context) },
      { ...this.#phase(canaries, crowd), sharedWait: laterWait(this.context) },
      this.#paced({
        ...this.#phase(those('alone, grouped'), 1),
        weight: longWeight,
        sharedWait: laterWait(this.context),
      }),
      { ...this.#phase(those('interrupting'), 1), weight: longWeight, afterAll: true },
      ...(musts.length > 0 ? [] : [{ ...last, sharedWait: laterWait(this.context) }]),
      { ...this.#phase(those('last, grouped'), crowd), weight: longWeight },
    ];
  }

  activityOf(): Activity {
    return this.context.activity;
  }

  shrinkWidth({ needs }: ReceiverCheck): number {
    if (needs.includes('process-control')) return shrinkWidth.processControl;
    return needs.includes('probe') ? shrinkWidth.effects : shrinkWidth.answers;
  }

  async open(
    check: ReceiverCheck,
    generated: GeneratedCase,
    activity: Activity,
    before: readonly Trial<Finding>[],
  ): Promise<OpenCase<Finding>> {
    const { settler } = this.context;
    if (controlsProcess(check) && settler?.isQuiet === false) await activity.park(settler.quiet());
    // What failed gets all of its time when it is tried again.
    const isAgain = before.some(({ kind }) => kind === 'broken');
    if (before.length > 0 && !controlsProcess(check)) await servedAgain(this.context, this.found);
    // What fails for want of an answer is tried again with all of its time, which others need not wait for.
    const givesWay = isAgain && isSociable(check) && this.context.plan.concurrency !== 1;
    const owner = {
      check: check.id,
      case: generated.index,
      controlsProcess: controlsProcess(check),
      isAgain,
      givesWay,
    };
    const kit = new CaseKit(this.context, owner, this.foundFor(check));
    const { lateness, log } = this.context;
    const run = { lateness, refusals: this.#refusals, isAgain, fails: log.fails };
    return new OpenReceiverCase(check, generated, kit, run);
  }

  /** What plain deliveries are made by: a check of signatures makes right ones, whatever the receiver takes. */
  foundFor({ needs }: Pick<ReceiverCheck, 'needs'>): ControlResult {
    const { secret, ...others } = this.found;
    const isRight = secret === undefined || this.context.plan.secrets.includes(secret ?? '');
    return isRight || !needs.includes('secret') ? this.found : others;
  }

  counterexample(check: ReceiverCheck, failure: Failure<Finding>, reported: Reported): Counterexample {
    const events = reported.events ?? [...this.found[drawnFrom(check)]];
    return counterexample(this.context, check, failure, { ...reported, events });
  }

  /** Whether the receiver is so slow that there is no time for all cases. */
  #isShort(checks: readonly ReceiverCheck[]): boolean {
    const { found, context } = this;
    const cases = checks.reduce((sum, check) => sum + this.cases(check).count, 0);
    return cases * requestsOfCase * found.msOfOne > context.deadline.left;
  }

  /** Whether so many answers as a case asks for at once take longer than the time-out, if they come one after the other. */
  #mayBeLate(check: ReceiverCheck): boolean {
    const schedule = scheduleOf(check);
    const { concurrency = usualConcurrency, timeout } = this.context.plan;
    return schedule.kind === 'alone' && (schedule.burst ?? 0) * concurrency * this.found.msOfOne > timeout;
  }

  /** One case at a time, or as many as the pace of the receiver asks for. */
  #paced(phase: Phase<ReceiverCheck>): Phase<ReceiverCheck> {
    const { context } = this;
    const { activity, guardian, log } = context;
    return {
      ...phase,
      get alone() {
        return activity.limit === 1;
      },
      begin: async () => {
        const sources = phase.checks.map((check) => this.cases(check));
        const counts = sources.map((each) => (phase.cases === 'of-each-kind' ? each.ofEachKind : each.count));
        const cases = counts.reduce((sum, count) => sum + count, 0) * (phase.weight ?? 1);
        const isFinal = phase.cases === 'of-each-kind' && !guardian.startsIt;
        if (cases > 0) this.#pace.begin(activity, canaryWidth(cases, log.quickest), isFinal);
      },
    };
  }

  #phase(checks: readonly ReceiverCheck[], wanted: number): Phase<ReceiverCheck> {
    const { context, found } = this;
    const { activity } = context;
    return {
      checks,
      alone: wanted === 1,
      begin: async () => {
        this.#pace.end();
        activity.limit = wanted;
      },
      beforeConfirming: async (unanswered, until) => {
        this.#pace.end();
        activity.limit = 1;
        if (unanswered) await caughtUp(context, found, until);
      },
      beforeShrinking() {
        activity.limit = wanted;
      },
    };
  }
}

/** The phase that a check is in. */
function placeOf(check: ReceiverCheck): ReceiverSchedule['kind'] | `${'alone' | 'last'}, grouped` {
  const schedule = scheduleOf(check);
  return 'grouped' in schedule && schedule.grouped === true ? `${schedule.kind}, grouped` : schedule.kind;
}

/** Which events a check's cases are drawn from: the accepted ones, or the effective ones for a check of effects. */
function drawnFrom({ needs }: Pick<ReceiverCheck, 'needs'>): 'accepted' | 'effective' {
  return needs.includes('probe') ? 'effective' : 'accepted';
}

/**
 * The checks that decide MUSTs, in groups: those of the MUST with the fewest kinds of case first, so that where there is no
 * time for all as many are decided as can be. What must run alone is in no group, and a MUST that depends on it comes last.
 */
function mustsFirst(
  checks: readonly ReceiverCheck[],
  contract: Pick<Contract, 'requirement'>,
  kindsOfCase: (check: ReceiverCheck) => number,
): readonly (readonly ReceiverCheck[])[] {
  const ids = new Set(checks.flatMap(({ requirements }) => requirements));
  const musts = [...ids].filter((id) => contract.requirement(id).level === 'must');
  const kindsOf = (check: ReceiverCheck): number => (isSociable(check) ? kindsOfCase(check) : Infinity);
  const groups = musts.map((id) => {
    const own = checks.filter(({ requirements }) => requirements.includes(id));
    return { own: own.filter(isSociable), kinds: own.reduce((sum, check) => sum + kindsOf(check), 0) };
  });
  const inOrder = groups.toSorted((one, other) => (one.kinds === other.kinds ? 0 : one.kinds - other.kinds));
  const known = new Set<ReceiverCheck>();
  return inOrder.map(({ own }) => own.filter((check) => !known.has(check) && known.add(check)));
}

function isSociable(check: ReceiverCheck): boolean {
  return check.canary === true || scheduleOf(check).kind === 'beside';
}
