import { isTimed } from '../../suites/check.ts';
import { caseSource, type CaseSource } from './cases.ts';
import { CaseTrier } from './caseTrier.ts';
import { endCheck, refuseCheck } from './checkEnd.ts';
import type { Found } from './failure.ts';
import { otherCases } from './otherCases.ts';
import { Property } from './property.ts';
import type { Phase, Side, SideCheck } from './side.ts';
import { Suspects } from './suspects.ts';

interface Started<C extends SideCheck<Draw>, Draw, F extends Found & object> {
  readonly check: C;
  readonly property: Property<F>;
  readonly trier: CaseTrier<C, Draw, F>;
}

/**
 * Runs the checks of a suite, phase after phase. In each of the phases all cases come first, then what failed is tried
 * again, then it is shrunk.
 */
export class SuiteRun<C extends SideCheck<Draw>, Draw, F extends Found & object> {
  readonly #side: Side<C, Draw, F>;

  constructor(side: Side<C, Draw, F>) {
    this.#side = side;
  }

  async run(checks: readonly C[]): Promise<void> {
    const possible = checks.filter((check) => !this.#refuse(check));
    for (const phase of this.#side.phases(possible)) await this.#phase(phase);
  }

  /** Ends a check that cannot be observed at once. */
  #refuse(check: C): boolean {
    const reason = this.#side.missing(check);
    if (reason === undefined) return false;
    refuseCheck(this.#side.context, check.id, reason);
    return true;
  }

  async #phase(phase: Phase<C>): Promise<void> {
    await phase.begin?.();
    const groups = phase.inTurn === true ? phase.checks.map((check) => [check]) : [phase.checks];
    for (const checks of groups) await this.#together(checks, phase);
  }

  async #together(checks: readonly C[], phase: Phase<C>): Promise<void> {
    const suspects = phase.alone === true ? new Suspects() : undefined;
    // Making arbitraries takes a while, in which nobody could be answered: it is over before anything begins.
    const sources = checks.map((check) => this.#casesOf(check));
    const tried = checks.map((check, place) => this.#try(check, sources[place]!, suspects));
    const { meanwhile } = phase;
    const awaited = tried.filter((_, place) => meanwhile?.after(checks[place]!) === true);
    await Promise.all([
      this.#settle(tried, phase),
      meanwhile && Promise.all(awaited).then(() => this.#phase(meanwhile.phase)),
    ]);
  }

  #casesOf(check: C): CaseSource {
    const { seed, intensity } = this.#side.context.plan;
    return caseSource(check, this.#side.draw(check), seed, intensity);
  }

  async #try(check: C, cases: CaseSource, suspects: Suspects | undefined): Promise<Started<C, Draw, F>> {
    const { context } = this.#side;
    const { ended, plan } = context;
    const trier = new CaseTrier(this.#side, check, suspects);
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
    if (!ended.aborted) context.emit({ type: 'check.started', check: check.id });
    await property.try(cases);
    await trier.last();
    return { check, property, trier };
  }

  /** Ends each check that is settled, tries again what may have been chance once all were tried, then shrinks. */
  async #settle(tried: readonly Promise<Started<C, Draw, F>>[], phase: Phase<C>): Promise<void> {
    const hurries = phase.hurries === true && this.#side.context.plan.bail;
    const unsettled: Started<C, Draw, F>[] = [];
    await Promise.all(
      tried.map(async (trying) => {
        const started = await trying;
        if (hurries && started.property.certain) await started.property.confirm();
        else if (started.property.unsettled) return void unsettled.push(started);
        this.#finish(started);
      }),
    );
    await phase.beforeConfirming?.(unsettled.some(({ property }) => property.unanswered));
    await Promise.all(unsettled.map(({ property }) => property.confirm()));
    phase.beforeShrinking?.();
    await Promise.all(
      unsettled.map(async (started) => {
        await started.property.shrink();
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
