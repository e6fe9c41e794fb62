import { isTimed, scheduleOf } from '../../suites/check.ts';
import { caseSource, type CaseSource } from './cases.ts';
import { CaseTrier } from './caseTrier.ts';
import { endCheck, refuseCheck } from './checkEnd.ts';
import type { Deadline } from './deadline.ts';
import type { Found } from './failure.ts';
import { otherCases } from './otherCases.ts';
import { Property } from './property.ts';
import type { Phase, Side, SideCheck } from './side.ts';
import { Suspects } from './suspects.ts';

/** How the cases of a check are tried in a phase. */
interface Trying {
  readonly suspects: Suspects | undefined;
  readonly until: Deadline;
  readonly kindsUntil: Deadline;
}

interface Started<C extends SideCheck<Draw>, Draw, F extends Found & object> {
  readonly check: C;
  readonly cases: CaseSource;
  readonly property: Property<F>;
  readonly trier: CaseTrier<C, Draw, F>;
}

/** How much of a run's time is for the phases: observations follow. */
const forPhases = 0.97;

/**
 * How much of what is left of a phase's time its cases may take, and then what is tried again of those that failed. The
 * first case of each kind may take all of it, for it shows more than any failure that is confirmed or shrunk.
 */
const shares = { cases: 0.7, confirming: 0.7 } as const;

/**
 * Runs the checks of a suite, phase after phase. In each of the phases all cases come first, then what failed is tried
 * again, then it is shrunk, of the checks that no later phase tries. Each gets a share of the time that is left.
 */
export class SuiteRun<C extends SideCheck<Draw>, Draw, F extends Found & object> {
  readonly #side: Side<C, Draw, F>;
  readonly #started = new Map<C, Started<C, Draw, F>>();
  /** The phase that tries the last cases of each check. */
  readonly #last = new Map<C, Phase<C>>();

  constructor(side: Side<C, Draw, F>) {
    this.#side = side;
  }

  async run(checks: readonly C[]): Promise<void> {
    const possible = checks.filter((check) => !this.#refuse(check));
    const phases = this.#side.phases(possible);
    for (const phase of phases.flatMap(withMeanwhile)) for (const check of phase.checks) this.#last.set(check, phase);
    this.#demandPhases(possible);
    const until = this.#side.context.deadline.part(forPhases);
    for (const [place, phase] of phases.entries())
      await this.#phase(phase, until.part(shareOfFirst(phases.slice(place))));
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

  async #phase(phase: Phase<C>, until: Deadline): Promise<void> {
    await phase.begin?.();
    if (phase.inTurn !== true) return this.#together(phase.checks, phase, until);
    for (const [place, check] of phase.checks.entries()) {
      // One that takes long takes it from the others, though never all of it.
      const share = Math.min(1, inTurnShare / (phase.checks.length - place));
      await this.#together([check], phase, until.part(share));
    }
  }

  async #together(checks: readonly C[], phase: Phase<C>, until: Deadline): Promise<void> {
    const suspects = phase.alone === true ? new Suspects() : undefined;
    // Making arbitraries takes a while, in which nobody could be answered: it is over before anything begins.
    const started = checks.map((check) => this.#start(check));
    const casesUntil = until.part(shares.cases);
    const tried = started.map((one) => this.#try(one, phase, { suspects, until: casesUntil, kindsUntil: until }));
    const { meanwhile } = phase;
    const awaited = tried.filter((_, place) => meanwhile?.after(checks[place]!) === true);
    await Promise.all([
      this.#settle(tried, phase, until),
      meanwhile && Promise.all(awaited).then(() => this.#phase(meanwhile.phase, until)),
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
    const started = { check, cases, property, trier };
    this.#started.set(check, started);
    if (!ended.aborted) context.emit({ type: 'check.started', check: check.id });
    return started;
  }

  async #try(
    started: Started<C, Draw, F>,
    phase: Phase<C>,
    { suspects, ...time }: Trying,
  ): Promise<Started<C, Draw, F>> {
    const { cases, property, trier } = started;
    trier.suspects = suspects;
    await property.try(cases, { to: phase.cases === 'of-each-kind' ? cases.kinds : cases.count, ...time });
    await trier.last();
    return started;
  }

  /** Ends each check that is settled, tries again what may have been chance once all were tried, then shrinks. */
  async #settle(tried: readonly Promise<Started<C, Draw, F>>[], phase: Phase<C>, until: Deadline): Promise<void> {
    const hurries = phase.hurries === true && this.#side.context.plan.bail;
    const unsettled: Started<C, Draw, F>[] = [];
    await Promise.all(
      tried.map(async (trying) => {
        const started = await trying;
        if (this.#last.get(started.check) !== phase) return;
        if (hurries && started.property.certain) await started.property.confirm(until);
        else if (started.property.unsettled) return void unsettled.push(started);
        this.#finish(started);
      }),
    );
    const confirming = until.part(shares.confirming);
    await phase.beforeConfirming?.(
      unsettled.some(({ property }) => property.unanswered),
      confirming,
    );
    await Promise.all(unsettled.map(({ property }) => property.confirm(confirming)));
    phase.beforeShrinking?.();
    await Promise.all(
      unsettled.map(async (started) => {
        await started.property.shrink(until);
        this.#finish(started);
      }),
    );
  }

  #finish({ check, property, trier }: Started<C, Draw, F>): void {
    endCheck(this.#side.context, check, property, (failure) =>
      this.#side.counterexample(check, failure, {
        others: otherCases(property.result.tried, failure, (generated) => trier.traitsOf(generated)),
        timeline: trier.timelineOf(failure.finding),
      }),
    );
  }
}

function withMeanwhile<C>(phase: Phase<C>): readonly Phase<C>[] {
  return [phase, ...(phase.meanwhile ? withMeanwhile(phase.meanwhile.phase) : [])];
}

/** How many times its equal share of the time one of those that come in turn may take. */
const inTurnShare = 3;

/** Which part of the time that is left is for the first of these phases: by how many checks each has, and how long they take. */
function shareOfFirst<C>(phases: readonly Phase<C>[]): number {
  const [first = 0, ...others] = phases.map(weightOf);
  return first === 0 ? 0 : first / others.reduce((sum, weight) => sum + weight, first);
}

function weightOf<C>({ checks, weight = 1, meanwhile }: Phase<C>): number {
  return checks.length * weight + (meanwhile ? weightOf(meanwhile.phase) : 0);
}
