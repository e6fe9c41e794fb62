import { scheduleOf } from '../../suites/check.ts';
import type { GeneratedCase } from './cases.ts';
import { endCheck, refuseCheck } from './checkEnd.ts';
import { Deadline } from './timeLimit.ts';
import { lingering } from './death.ts';
import { findLateCause } from './lateDeath.ts';
import type { Found } from './trial.ts';
import { otherCases } from './agreement.ts';
import { startedCheck, type StartedCheck } from './startedCheck.ts';
import { shareOfFirst, turnsOf, withMeanwhile, type Phase, type Side, type SideCheck } from './side.ts';

/** The checks of a phase that is not settled yet. */
interface Tried<C extends SideCheck<Draw>, Draw, F extends Found & object> {
  readonly tried: readonly Promise<StartedCheck<C, Draw, F>>[];
  readonly phase: Phase<C>;
  readonly until: Deadline;
}

/** How much of a run's time is for the phases: observations follow. */
const forPhases = 0.97;

/**
 * How much of what is left of a phase's time its cases may take, and then what is tried again of those that failed. The
 * first case of each kind may take all of it, for it shows more than any failure that is confirmed or shrunk.
 */
const shares = { cases: 0.7, confirming: 0.7 } as const;

/** How many times its equal share of the time one of those that come in turn may take. */
const inTurnShare = 3;

/** Times that a check is put aside, at most: a target may die again and again, and of no case alone. */
const mostAsides = 3;

/** Times that a check is tried again at the end of the run, at most, where its time was over or the kit was late. */
const mostRetries = 3;

/** A check that is left for later, and the phase that tried it. */
interface Left<C extends SideCheck<Draw>, Draw, F extends Found & object> {
  readonly started: StartedCheck<C, Draw, F>;
  readonly phase: Phase<C>;
  readonly until: Deadline;
}

/**
 * Runs the checks of a suite, phase after phase. In each of the phases all cases come first, then what failed is tried
 * again, then it is shrunk, of the checks that no later phase tries. Each gets a share of the time that is left.
 */
export class SuiteRun<C extends SideCheck<Draw>, Draw, F extends Found & object> {
  readonly #side: Side<C, Draw, F>;
  readonly #started = new Map<C, StartedCheck<C, Draw, F>>();
  /** The phase that tries the last cases of each check. */
  readonly #last = new Map<C, Phase<C>>();
  /** Phases whose cases wait, together with those of the next one. */
  #waiting: Tried<C, Draw, F>[] = [];
  /** Checks that the target may have died of, and the phase that tried them. */
  #aside: Left<C, Draw, F>[] = [];
  /** Checks that may show more at the end of the run, when nothing else is at work. */
  #undecided: Left<C, Draw, F>[] = [];
  /** When there is no more time for cases. */
  #until = new Deadline();

  /** The checks of the canary pass, while the target may still die of a case of it. */
  #lingering: { readonly checks: ReadonlySet<C>; over?: Promise<void> } | undefined;

  constructor(side: Side<C, Draw, F>) {
    this.#side = side;
  }

  async run(checks: readonly C[]): Promise<void> {
    const possible = checks.filter((check) => !this.#refuse(check));
    const phases = this.#side.phases(possible);
    for (const phase of phases.flatMap(withMeanwhile)) for (const check of phase.checks) this.#last.set(check, phase);
    this.#demandPhases(possible);
    this.#until = this.#side.context.deadline.part(forPhases);
    for (const [place, phase] of phases.entries())
      await this.#phase(phase, this.#until.part(shareOfFirst(phases.slice(place))), () => this.#clear());
    for (; this.#undecided.length > 0; await this.#clear()) await this.#again(this.#undecided.splice(0), true);
  }

  /** A check in no phase would be reported as if the run had ended before its turn. */
  #demandPhases(checks: readonly C[]): void {
    const stray = checks.find((check) => !this.#last.has(check));
    if (stray === undefined) return;
    const { kind } = scheduleOf(stray);
    const where = `phases of the side of a ${this.#side.subject}`;
    throw new TypeError(`No phase tries ${stray.id}: add the checks of the schedule '${kind}' to ${where}.`);
  }

  /** Ends a check that cannot be observed at once. */
  #refuse(check: C): boolean {
    const reason = this.#side.missing(check);
    if (reason === undefined) return false;
    refuseCheck(this.#side.context, check.id, reason);
    return true;
  }

  /** @param clear - called where nothing is at work any more */
  async #phase(phase: Phase<C>, until: Deadline, clear?: () => Promise<void>): Promise<void> {
    const { guardian, ended } = this.#side.context;
    await phase.begin?.();
    const groups = phase.inTurn === true ? turnsOf(phase) : [phase.checks];
    for (const [place, checks] of groups.entries()) {
      // One that takes long takes it from the others, though never all of it.
      const share = groups.length === 1 ? 1 : Math.min(1, inTurnShare / (groups.length - place));
      await this.#together(checks, phase, until.part(share));
      await clear?.();
    }
    if (phase.checks.length === 0 || ended.aborted) return;
    await guardian.notice();
    if (phase.cases === 'of-each-kind') this.#linger(phase);
    await clear?.();
    if (phase.cases === 'of-each-kind') await this.#findLateCause();
  }

  /** What comes next goes on while the target may still die of a case of this phase. None of its checks ends before. */
  #linger({ checks }: Phase<C>): void {
    const { guardian, plan } = this.#side.context;
    guardian.linger(lingering[plan.intensity]);
    this.#lingering = { checks: new Set(checks) };
  }

  /** Waits until no case of the canary pass can be what the target dies of, where the check had some. */
  async #lingered({ check }: StartedCheck<C, Draw, F>): Promise<void> {
    const { guardian, ended } = this.#side.context;
    if (this.#lingering?.checks.has(check) !== true || ended.aborted) return;
    await (this.#lingering.over ??= guardian.untilDeath(guardian.lingersFor));
  }

  /** Where the target died, and it is not known of what, the cases of the canary pass are tried once more, in groups. */
  async #findLateCause(): Promise<void> {
    const { guardian, plan, ended } = this.#side.context;
    const { checks = [] } = this.#lingering ?? {};
    if (ended.aborted || guardian.unexplained === undefined) return;
    await this.#settleWaiting();
    this.#lingering = undefined;
    const started = [...checks].flatMap((check) => this.#started.get(check) ?? []);
    const suspects = started.flatMap(({ cases, property, trier }) =>
      Array.from({ length: cases.kinds }, (_, kind) => ({
        case: cases.at(kind),
        property,
        activity: trier.activity,
        try: (generated: GeneratedCase) => trier.try(generated),
      })),
    );
    await findLateCause(suspects, guardian, lingering[plan.intensity]);
  }

  async #together(checks: readonly C[], phase: Phase<C>, until: Deadline): Promise<void> {
    // Making arbitraries takes a while, in which nobody could be answered: it is over before anything begins.
    const started = checks.map((check) => this.#start(check));
    const { meanwhile, sharedWait } = phase;
    sharedWait?.hold();
    const tried = started.map((one) => this.#try(one, phase, until));
    if (await sharedWait?.reached(Promise.all(tried))) return void this.#waiting.push({ tried, phase, until });
    await this.#settleWaiting(tried);
    const awaited = tried.filter((_, place) => meanwhile?.after(checks[place]!) === true);
    await Promise.all([
      this.#settle(tried, phase, until),
      meanwhile && Promise.all(awaited).then(() => this.#phase(meanwhile.phase, until)),
    ]);
  }

  /** Settles the phases whose cases wait. @param others - what is tried meanwhile */
  async #settleWaiting(others: readonly Promise<unknown>[] = []): Promise<void> {
    const waiting = this.#waiting.splice(0);
    if (waiting.length === 0) return;
    for (const { phase } of waiting) phase.sharedWait?.release();
    await Promise.all(others);
    for (const { tried, phase, until } of waiting) await this.#settle(tried, phase, until);
  }

  #start(check: C): StartedCheck<C, Draw, F> {
    const known = this.#started.get(check);
    if (known) return known;
    const { context } = this.#side;
    const started = startedCheck(this.#side, check);
    this.#started.set(check, started);
    if (!context.ended.aborted) context.emit({ type: 'check.started', check: check.id });
    return started;
  }

  async #try(started: StartedCheck<C, Draw, F>, phase: Phase<C>, until: Deadline): Promise<StartedCheck<C, Draw, F>> {
    const { context } = this.#side;
    const { cases, property, trier } = started;
    trier.phase = phase;
    const to = phase.cases === 'of-each-kind' ? cases.ofEachKind : cases.count;
    await property.try(cases, { to, until: until.part(shares.cases), kindsUntil: until });
    if (context.targetProcess && phase.cases !== 'of-each-kind') await trier.last();
    return started;
  }

  /** Ends each check that is settled, tries again what may have been chance once all were tried, then shrinks. */
  async #settle(tried: readonly Promise<StartedCheck<C, Draw, F>>[], phase: Phase<C>, until: Deadline): Promise<void> {
    const hurries = phase.hurries === true && this.#side.context.plan.bail;
    const unsettled: StartedCheck<C, Draw, F>[] = [];
    const isLast = ({ check, property }: StartedCheck<C, Draw, F>): boolean =>
      this.#last.get(check) === phase || (this.#bails && property.certain);
    await Promise.all(
      tried.map(async (trying) => {
        const started = await trying;
        await this.#lingered(started);
        if (this.#putAside(started, phase, until) || !(isLast(started) || phase.confirms === true)) return;
        if (hurries && started.property.certain) await started.property.confirm(until);
        else if (started.property.unsettled) return void unsettled.push(started);
        if (isLast(started)) this.#end(started, phase);
      }),
    );
    const confirming = until.part(shares.confirming);
    await phase.beforeConfirming?.(
      unsettled.some(({ property }) => property.unanswered),
      confirming,
    );
    // What failed for want of an answer goes before what only showed nothing, and waits as long.
    const inOrder = unsettled.toSorted((one, other) => +other.property.unanswered - +one.property.unanswered);
    await Promise.all(inOrder.map(({ property }) => property.confirm(confirming)));
    phase.beforeShrinking?.();
    const confirmed = unsettled.filter((started) => !this.#putAside(started, phase, until) && isLast(started));
    await Promise.all(
      confirmed.map(async (started) => {
        await started.property.shrink(until);
        this.#end(started, phase);
      }),
    );
  }

  /** Puts a check aside that the target died of, perhaps, until nothing else is at work. */
  #putAside(started: StartedCheck<C, Draw, F>, phase: Phase<C>, until: Deadline): boolean {
    const { property } = started;
    const { ended, guardian } = this.#side.context;
    if (ended.aborted) return false;
    if (property.fatal.suspects.length > 0 && started.asides++ >= mostAsides) property.fatal.acquit();
    const mayHaveDiedLate = this.#lingering?.checks.has(started.check) === true && guardian.unexplained !== undefined;
    if (property.fatal.suspects.length === 0 && !property.fatal.isFresh && !mayHaveDiedLate) return false;
    this.#aside.push({ started, phase, until });
    return true;
  }

  /** Tries what the target may have died of, alone; then goes on with what was left for later. */
  async #clear(): Promise<void> {
    const aside = this.#aside.splice(0);
    if (aside.length === 0) return;
    await this.#settleWaiting();
    await this.#accuse(aside.map(({ started }) => started));
    await this.#findLateCause();
    // Those of which the target dies go last, one by one: their deaths would take from the others what they show.
    const isDeadly = ({ started }: Left<C, Draw, F>): boolean => started.property.fatal.failure !== undefined;
    await this.#again(aside.filter((one) => !isDeadly(one)));
    for (const deadly of aside.filter(isDeadly)) await this.#again([deadly]);
    await this.#clear();
  }

  /** Goes on with what was left for later. @param anew - where other phases came between: it begins again */
  async #again(left: readonly Left<C, Draw, F>[], anew = false): Promise<void> {
    for (const [phase, group] of Map.groupBy(left, (one) => one.phase)) {
      if (anew) await phase.begin?.();
      const until = group[0]!.until;
      const tried = group.map(({ started }) => this.#try(started, phase, until));
      await this.#settle(tried, phase, until);
    }
  }

  /** Finds the cases that the target died of, one after the other, those first that were at work when it died. */
  async #accuse(started: readonly StartedCheck<C, Draw, F>[]): Promise<void> {
    const { ended } = this.#side.context;
    const suspects = started
      .flatMap((one) => one.property.fatal.suspects.map((suspect) => ({ one, suspect })))
      .toSorted(({ suspect: a }, { suspect: b }) => a.death.number - b.death.number || a.after - b.after);
    for (const { one, suspect } of suspects) if (!ended.aborted) await one.property.accuse(suspect);
    for (const { property } of started) property.fatal.acquit();
    // All together get the time of one: they may well have one cause.
    const fatal = started.filter(({ property }) => property.fatal.isFresh);
    for (const { property } of fatal) await property.shrinkFatal(1 / fatal.length);
  }

  get #bails(): boolean {
    return this.#side.context.plan.bail;
  }

  /** A check that showed nothing for want of time, or because the kit was late, gets what time is left at the end. */
  #end(started: StartedCheck<C, Draw, F>, phase: Phase<C>): void {
    const until = this.#until;
    const mayShowMore = started.property.isDeferred && !until.over && !this.#side.context.ended.aborted;
    if (!started.finished && mayShowMore && started.retries++ < mostRetries)
      this.#undecided.push({ started, phase, until });
    else this.#finish(started);
  }

  #finish(started: StartedCheck<C, Draw, F>): void {
    const { check, property, trier, finished } = started;
    if (finished) return;
    started.finished = true;
    endCheck(this.#side.context, check, property, (failure) =>
      this.#side.counterexample(check, failure, {
        others: otherCases(property.result.tried, failure, (generated) => trier.traitsOf(generated)),
        timeline: trier.timelineOf(failure.finding),
      }),
    );
  }
}
