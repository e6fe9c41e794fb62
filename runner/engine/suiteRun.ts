import { isTimed } from '../../suites/check.ts';
import { caseSource, type CaseSource } from './cases.ts';
import { CaseTrier } from './caseTrier.ts';
import { endCheck, refuseCheck } from './checkEnd.ts';
import { aftermath } from './death.ts';
import type { Found } from './failure.ts';
import { Property } from './property.ts';
import type { Phase, Side, SideCheck } from './side.ts';

interface Started<C extends SideCheck<Draw>, Draw, F extends Found & object> {
  readonly check: C;
  readonly cases: CaseSource;
  readonly property: Property<F>;
  readonly trier: CaseTrier<C, Draw, F>;
  /** How often the target died, perhaps of one of its cases, so that it was put aside. */
  asides: number;
  finished: boolean;
}

/** Times that a check is put aside, at most: a target may die again and again, and of no case alone. */
const mostAsides = 3;

/**
 * Runs the checks of a suite, phase after phase. In each of the phases all cases come first, then what failed is tried
 * again, then it is shrunk, of the checks that no later phase tries.
 */
export class SuiteRun<C extends SideCheck<Draw>, Draw, F extends Found & object> {
  readonly #side: Side<C, Draw, F>;
  readonly #started = new Map<C, Started<C, Draw, F>>();
  /** The phase that tries the last cases of each check. */
  readonly #last = new Map<C, Phase<C>>();
  /** Checks that the target may have died of, and the phase that tried them. */
  #aside: { readonly started: Started<C, Draw, F>; readonly phase: Phase<C> }[] = [];

  constructor(side: Side<C, Draw, F>) {
    this.#side = side;
  }

  async run(checks: readonly C[]): Promise<void> {
    const possible = checks.filter((check) => !this.#refuse(check));
    const phases = this.#side.phases(possible);
    for (const phase of phases.flatMap(withMeanwhile)) for (const check of phase.checks) this.#last.set(check, phase);
    for (const phase of phases) await this.#phase(phase, () => this.#clear());
  }

  /** Ends a check that cannot be observed at once. */
  #refuse(check: C): boolean {
    const reason = this.#side.missing(check);
    if (reason === undefined) return false;
    refuseCheck(this.#side.context, check.id, reason);
    return true;
  }

  /** @param clear - called where nothing is at work any more */
  async #phase(phase: Phase<C>, clear?: () => Promise<void>): Promise<void> {
    const { guardian } = this.#side.context;
    await phase.begin?.();
    const groups = phase.inTurn === true ? phase.checks.map((check) => [check]) : [phase.checks];
    for (const checks of groups) {
      await this.#together(checks, phase);
      await clear?.();
    }
    if (phase.checks.length === 0 || this.#side.context.ended.aborted) return;
    await (phase.cases === 'of-each-kind' ? guardian.untilDeath(aftermath) : guardian.notice());
    await clear?.();
  }

  async #together(checks: readonly C[], phase: Phase<C>): Promise<void> {
    // Making arbitraries takes a while, in which nobody could be answered: it is over before anything begins.
    const started = checks.map((check) => this.#start(check));
    const tried = started.map((one) => this.#try(one, phase));
    const { meanwhile } = phase;
    const awaited = tried.filter((_, place) => meanwhile?.after(checks[place]!) === true);
    await Promise.all([
      this.#settle(tried, phase),
      meanwhile && Promise.all(awaited).then(() => this.#phase(meanwhile.phase)),
    ]);
  }

  #start(check: C): Started<C, Draw, F> {
    const known = this.#started.get(check);
    if (known) return known;
    const { context } = this.#side;
    const { ended, plan } = context;
    const cases = caseSource(check, this.#side.draw(check), plan.seed, plan.intensity);
    const trier = new CaseTrier(this.#side, check);
    const property = new Property<F>(
      {
        intensity: plan.intensity,
        activity: trier.activity,
        ended,
        elapsed: () => context.elapsed(),
        shrinkWidth: this.#side.shrinkWidth(check),
        timed: isTimed(check),
      },
      trier,
    );
    trier.property = property;
    const started = { check, cases, property, trier, asides: 0, finished: false };
    this.#started.set(check, started);
    if (!ended.aborted) context.emit({ type: 'check.started', check: check.id });
    return started;
  }

  async #try(started: Started<C, Draw, F>, phase: Phase<C>): Promise<Started<C, Draw, F>> {
    const { context } = this.#side;
    const { cases, property, trier } = started;
    trier.phase = phase;
    await property.try(cases, phase.cases === 'of-each-kind' ? cases.kinds : cases.count);
    if (context.targetProcess && phase.cases !== 'of-each-kind') await trier.last();
    return started;
  }

  /** Ends each check that is settled, tries again what may have been chance once all were tried, then shrinks. */
  async #settle(tried: readonly Promise<Started<C, Draw, F>>[], phase: Phase<C>): Promise<void> {
    const hurries = phase.hurries === true && this.#side.context.plan.bail;
    const unsettled: Started<C, Draw, F>[] = [];
    await Promise.all(
      tried.map(async (trying) => {
        const started = await trying;
        if (this.#putAside(started, phase)) return;
        if (this.#last.get(started.check) !== phase && !(this.#bails && started.property.certain)) return;
        if (hurries && started.property.certain) await started.property.confirm();
        else if (started.property.unsettled) return void unsettled.push(started);
        this.#finish(started);
      }),
    );
    await phase.beforeConfirming?.(unsettled.some(({ property }) => property.unanswered));
    await Promise.all(unsettled.map(({ property }) => property.confirm()));
    phase.beforeShrinking?.();
    const confirmed = unsettled.filter((started) => !this.#putAside(started, phase));
    await Promise.all(
      confirmed.map(async (started) => {
        await started.property.shrink();
        this.#finish(started);
      }),
    );
  }

  /** Puts a check aside that the target died of, perhaps, until nothing else is at work. */
  #putAside(started: Started<C, Draw, F>, phase: Phase<C>): boolean {
    const { property } = started;
    if (this.#side.context.ended.aborted) return false;
    if (property.fatal.suspects.length > 0 && started.asides++ >= mostAsides) property.fatal.acquit();
    if (property.fatal.suspects.length === 0 && !property.fatal.isFresh) return false;
    this.#aside.push({ started, phase });
    return true;
  }

  /** Tries what the target may have died of, alone; then goes on with what was left for later. */
  async #clear(): Promise<void> {
    const aside = this.#aside.splice(0);
    if (aside.length === 0) return;
    await this.#accuse(aside.map(({ started }) => started));
    for (const [phase, group] of Map.groupBy(aside, (one) => one.phase)) {
      const tried = group.map(({ started }) => this.#try(started, phase));
      await this.#settle(tried, phase);
    }
    await this.#clear();
  }

  /** Finds the cases that the target died of, one after the other, those first that were at work when it died. */
  async #accuse(started: readonly Started<C, Draw, F>[]): Promise<void> {
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

  #finish(started: Started<C, Draw, F>): void {
    const { check, property, trier, finished } = started;
    if (finished) return;
    started.finished = true;
    endCheck(this.#side.context, check, property, (failure, failures) =>
      this.#side.counterexample(check, failure, { failures, timeline: trier.timelineOf(failure.finding) }),
    );
  }
}

function withMeanwhile<C>(phase: Phase<C>): readonly Phase<C>[] {
  return [phase, ...(phase.meanwhile ? withMeanwhile(phase.meanwhile.phase) : [])];
}
