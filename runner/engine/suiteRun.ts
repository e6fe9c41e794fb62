import { endCheck, refuseCheck } from './checkEnd.ts';
import { Deadline } from './ending.ts';
import { lingering } from './death.ts';
import { accuse, findLateCause, lateSuspectsOf, startedCheck, tryCases } from './startedCheck.ts';
import type { Left, StartedCheck, UnsettledPhase } from './startedCheck.ts';
import type { Found } from './trial.ts';
import { otherCases } from './agreement.ts';
import { demandPhases, shareOfFirst, turnsOf, withMeanwhile } from './side.ts';
import type { Phase, SharedWait, Side, SideCheck, Turn } from './side.ts';

/** How much of a run's time is for the phases: observations follow. */
const forPhases = 0.97;

/** How much of what is left of a phase's time may be taken by what is tried again of those that failed. */
const shareOfConfirming = 0.7;

/** The same of the time of the whole run, at least: others may have taken that of a phase whose cases waited meanwhile. */
const leastForConfirming = 0.2;

/** How much of a phase's time may be over where the next one is tried while it waits. */
const shareOfLater = 0.5;

/** Times that a check is put aside, at most: a target may die again and again, and of no case alone. */
const mostAsides = 3;

/** Times that a check is tried again at the end of the run, at most, where its time was over or the kit was late. */
const mostRetries = 3;

/**
 * Runs the checks of a suite, phase after phase. In each of the phases all cases come first, then what failed is tried
 * again, then it is shrunk, of the checks that no later phase tries. Each gets a share of the time that is left.
 */
export class SuiteRun<C extends SideCheck<Draw>, Draw, F extends Found & object> {
  readonly #side: Side<C, Draw, F>;
  readonly #started = new Map<C, StartedCheck<C, Draw, F>>();
  /** The phase that tries the last cases of each check. */
  readonly #last = new Map<C, Phase<C>>();
  /** Phases whose cases wait while the next one is tried. */
  #waiting: UnsettledPhase<C, Draw, F>[] = [];
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
    demandPhases(possible, (check) => this.#last.has(check), this.#side.subject);
    this.#until = this.#side.context.deadline.part(forPhases);
    const reserved = phases.findIndex((phase) => phase.reserved !== undefined);
    const before = Deadline.in(this.#until.left - (phases[reserved]?.reserved ?? 0));
    for (const [place, phase] of phases.entries()) {
      const until = place < reserved ? before : this.#until;
      await this.#phase(phase, until.part(shareOfFirst(phases.slice(place))), () => this.#clear());
    }
    await this.#settleWaiting();
    for (; this.#undecided.length > 0; await this.#clear()) await this.#again(this.#undecided.splice(0), true);
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
    // Before it begins: what is tried again of earlier phases is tried under their limits, which would stay.
    if (phase.afterAll === true && phase.checks.length > 0) await this.#settleWaiting();
    await phase.begin?.();
    const lane = async (turns: readonly Turn<C>[]): Promise<void> => {
      for (const { checks, share } of turns) {
        await this.#together(checks, phase, until.part(share));
        await clear?.();
      }
    };
    await Promise.all(turnsOf(phase).map(lane));
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
    await findLateCause(started.flatMap(lateSuspectsOf), guardian, lingering[plan.intensity]);
  }

  async #together(checks: readonly C[], phase: Phase<C>, until: Deadline): Promise<void> {
    if (checks.length === 0 && phase.meanwhile === undefined) return;
    // Making arbitraries takes a while, in which nobody could be answered: it is over before anything begins.
    const started = checks.map((check) => this.#start(check));
    const { meanwhile = [], sharedWait } = phase;
    sharedWait?.hold();
    const tried = started.map((one) => this.#try(one, phase, until));
    if (sharedWait !== undefined) return this.#later({ tried, phase, until }, sharedWait);
    await this.#settleWaiting(tried);
    const after = (each: (typeof meanwhile)[number]) => tried.filter((_, place) => each.after(checks[place]!));
    await Promise.all([
      this.#settle(tried, phase, until),
      ...meanwhile.map((each) => Promise.all(after(each)).then(() => this.#phase(each.phase, until))),
    ]);
  }

  /**
   * Goes on with the next phase while this one waits. Each check that holds ends as soon as its own wait is over; what failed
   * is tried again between two phases. All waits end first where the target died, or the time is short.
   */
  async #later({ tried, phase, until }: UnsettledPhase<C, Draw, F>, sharedWait: SharedWait): Promise<void> {
    const { guardian } = this.#side.context;
    const { deaths } = guardian;
    const soon = until.left * shareOfLater;
    const ending = tried.map((trying) => trying.then((started) => this.#endHeld(started, phase)));
    const group: UnsettledPhase<C, Draw, F> = { tried: ending, phase, until };
    void Promise.allSettled(ending).then(() => (group.over = true));
    for (const { phase: earlier } of this.#waiting) earlier.sharedWait?.release();
    this.#waiting.push(group);
    await sharedWait.reached(Promise.all(tried));
    if (this.#bails || guardian.deaths > deaths || until.left < soon) return this.#settleWaiting();
    const { true: over = [], false: others = [] } = Object.groupBy(this.#waiting, (one) => `${one.over === true}`);
    this.#waiting = others;
    // What is tried again waits too.
    if (over.length > 0) for (const one of others) one.phase.sharedWait?.release();
    for (const one of over) await this.#settle(one.tried, one.phase, one.until);
  }

  /** Ends a check of which nothing has to be tried again. */
  async #endHeld(started: StartedCheck<C, Draw, F>, phase: Phase<C>): Promise<StartedCheck<C, Draw, F>> {
    const { property } = started;
    await this.#lingered(started);
    const isOpen = property.unsettled || property.isDeferred || property.certain || this.#mayBeFatal(started);
    if (!isOpen && this.#last.get(started.check) === phase) this.#end(started, phase);
    return started;
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

  /** Resolves once its cases have ended, those of an earlier phase as well. */
  #try(started: StartedCheck<C, Draw, F>, phase: Phase<C>, until: Deadline): Promise<StartedCheck<C, Draw, F>> {
    const { trying } = started;
    const all = Promise.all([tryCases(started, phase, { until, context: this.#side.context }), trying]).then(
      () => started,
    );
    started.trying = all;
    return all;
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
    const confirming = until.part(shareOfConfirming).orLater(this.#until.part(leastForConfirming));
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
    if (this.#side.context.ended.aborted) return false;
    if (property.fatal.suspects.length > 0 && started.asides++ >= mostAsides) property.fatal.acquit();
    if (!this.#mayBeFatal(started)) return false;
    this.#aside.push({ started, phase, until });
    return true;
  }

  #mayBeFatal({ check, property }: StartedCheck<C, Draw, F>): boolean {
    const { guardian } = this.#side.context;
    const mayHaveDiedLate = this.#lingering?.checks.has(check) === true && guardian.unexplained !== undefined;
    return property.fatal.suspects.length > 0 || property.fatal.isFresh || mayHaveDiedLate;
  }

  /** Tries what the target may have died of, alone; then goes on with what was left for later. */
  async #clear(): Promise<void> {
    const aside = this.#aside.splice(0);
    if (aside.length === 0) return;
    await this.#settleWaiting();
    const { ended } = this.#side.context;
    await accuse(aside, ended);
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

  get #bails(): boolean {
    return this.#side.context.plan.bail;
  }

  /** A check that showed nothing for want of time, or because the kit was late, gets what time is left at the end. */
  #end(started: StartedCheck<C, Draw, F>, phase: Phase<C>): void {
    const until = this.#until;
    const mayShowMore = started.property.isDeferred && !until.over && !this.#side.context.ended.aborted;
    if (!started.property.isOver && mayShowMore && started.retries++ < mostRetries)
      this.#undecided.push({ started, phase, until });
    else this.#finish(started);
  }

  #finish(started: StartedCheck<C, Draw, F>): void {
    const { check, property, trier } = started;
    if (property.isOver) return;
    property.isOver = true;
    endCheck(this.#side.context, check, property, (failure) =>
      this.#side.counterexample(check, failure, {
        others: otherCases(property.result.tried, failure, trier),
        timeline: trier.timelineOf(failure.finding),
      }),
    );
  }
}
