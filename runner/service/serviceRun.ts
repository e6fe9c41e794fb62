import { scheduleOf, type ServiceCheck, type ServiceFinding, type ServiceSchedule } from '../../suites/check.ts';
import type { ServiceDraw } from '../../suites/serviceDraw.ts';
import { caseSource, type CaseSource } from '../engine/cases.ts';
import { endCheck, refuseCheck } from '../engine/checkEnd.ts';
import { Property } from '../engine/property.ts';
import { Suspects } from '../engine/suspects.ts';
import type { ServiceContext } from './context.ts';
import type { EventsFound } from './control.ts';
import { serviceCounterexample } from './counterexample.ts';
import { missingServiceNeed } from './missingServiceNeed.ts';
import { serviceDraw } from './serviceDraw.ts';
import { ServiceTrier } from './serviceTrier.ts';
import type { Activity } from '../engine/activity.ts';

interface Started {
  readonly check: ServiceCheck;
  readonly property: Property<ServiceFinding>;
  readonly trier: ServiceTrier;
}

/** Smaller candidates that are tried side by side: those that wait for deliveries share their waits. */
const shrinkWidth = { waits: 12, calls: 6, alone: 1 } as const;

/**
 * Runs the checks of a service. Those that wait for deliveries start at once and share their waits; those that only
 * call run beside them; those that want to be alone follow one after the other, while long waits go on; what would
 * disturb others comes after that, and what ends the service last. In each part all cases come first, then what failed is tried again, then it is shrunk.
 */
export class ServiceRun {
  readonly #context: ServiceContext;
  readonly #events: EventsFound;
  readonly #draw: ServiceDraw;

  constructor(context: ServiceContext, events: EventsFound) {
    this.#context = context;
    this.#events = events;
    this.#draw = serviceDraw(context.plan, events.possible ? context.triggeredEvents.events : []);
  }

  async run(checks: readonly ServiceCheck[]): Promise<void> {
    const possible = checks.filter((check) => !this.#refuse(check));
    const those = (...kinds: readonly ServiceSchedule['kind'][]) =>
      possible.filter((check) => kinds.includes(scheduleOf(check).kind));
    const together = those('beside', 'waiting');
    const tried = this.#tryAll(together);
    const calling = tried.filter((_, place) => together[place]?.schedule?.kind !== 'waiting');
    await Promise.all([this.#settle(tried), this.#singly(those('singly'), Promise.all(calling))]);
    for (const check of [...those('alone'), ...those('interrupting')]) {
      await this.#settle(this.#tryAll([check], new Suspects()));
    }
  }

  /** One check after the other, once nothing is going on but waits. */
  async #singly(checks: readonly ServiceCheck[], calling: Promise<unknown>): Promise<void> {
    await calling;
    await calm(this.#context);
    for (const check of checks) await this.#settle(this.#tryAll([check]));
  }

  #tryAll(checks: readonly ServiceCheck[], suspects?: Suspects): readonly Promise<Started>[] {
    // Making arbitraries takes a while, in which nobody could be answered: it is over before anything begins.
    const { seed, intensity } = this.#context.plan;
    const sources = checks.map((check) => caseSource(check, this.#draw, seed, intensity));
    return checks.map((check, place) => this.#try(check, sources[place]!, suspects));
  }

  /** Ends each check that is settled, tries again what may have been chance once all were tried, then shrinks. */
  async #settle(tried: readonly Promise<Started>[]): Promise<void> {
    const unsettled: Started[] = [];
    await Promise.all(
      tried.map(async (trying) => {
        const started = await trying;
        // Anyone who wants the run to end at the first failure does not wait for what else goes on.
        if (this.#context.plan.bail && started.property.certain) await started.property.confirm();
        else if (started.property.unsettled) return void unsettled.push(started);
        this.#finish(started);
      }),
    );
    await Promise.all(unsettled.map(({ property }) => property.confirm()));
    await Promise.all(
      unsettled.map(async (started) => {
        await started.property.shrink();
        this.#finish(started);
      }),
    );
  }

  async #try(check: ServiceCheck, cases: CaseSource, suspects: Suspects | undefined): Promise<Started> {
    const context = this.#context;
    const activity = activityOf(check, context);
    const { intensity } = context.plan;
    const { ended } = context;
    const trier = new ServiceTrier(context, check, activity, suspects);
    const { scenarios, solo } = context;
    const width = shrinkWidth[activity === scenarios ? 'waits' : activity === solo ? 'alone' : 'calls'];
    const elapsed = () => context.elapsed();
    const property = new Property<ServiceFinding>({ intensity, activity, ended, elapsed, shrinkWidth: width }, trier);
    trier.property = property;
    if (!ended.aborted) context.emit({ type: 'check.started', check: check.id });
    await property.try(cases);
    return { check, property, trier };
  }

  /** Ends a check that cannot be observed at once. */
  #refuse(check: ServiceCheck): boolean {
    const reason = missingServiceNeed(this.#context.plan, this.#events, check);
    if (reason === undefined) return false;
    refuseCheck(this.#context, check.id, reason);
    return true;
  }

  #finish({ check, property, trier }: Started): void {
    endCheck(this.#context, check, property, (failure, failures) =>
      serviceCounterexample(this.#context, check, failure, {
        failures,
        timeline: trier.timelineOf(failure.finding),
        events: this.#draw.events,
      }),
    );
  }
}

/** Resolves once every scenario waits and nothing is being made to happen, or the run has ended. */
async function calm(context: ServiceContext): Promise<void> {
  while (!context.ended.aborted && !(context.scenarios.idle && context.triggeredEvents.idle))
    await context.changeSignal.next(20);
}

/** Where the cases of a check get their places. */
export function activityOf(check: Pick<ServiceCheck, 'schedule'>, context: ServiceContext): Activity {
  switch (scheduleOf(check).kind) {
    case 'interrupting':
      return context.solo;
    case 'alone':
    case 'singly':
      return context.singly;
    case 'waiting':
      return context.scenarios;
    case 'beside':
      return context.calls;
  }
}
