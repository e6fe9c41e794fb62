import type { Counterexample } from '../../reports/model/exchange.ts';
import {
  scheduleOf,
  type ServiceCheck,
  type ServiceFinding,
  type ServiceNeed,
  type ServiceSchedule,
} from '../../suites/check.ts';
import type { ServiceDraw } from '../../suites/draw.ts';
import { usualConcurrency } from '../engine/plan.ts';
import { type Activity, CanaryPace, canaryWidth, fastestOf } from '../engine/activity.ts';
import { caseSource, type CaseSource, type GeneratedCase, control } from '../engine/cases.ts';
import { economyOfRestarts, type OpenCase, type Phase, type Reported, type Side } from '../engine/side.ts';
import type { Failure, Trial } from '../engine/trial.ts';
import type { ServiceContext } from './serviceContext.ts';
import { Caller, plainCall } from './caller.ts';
import type { EventsFound } from './control.ts';
import { serviceCounterexample } from './counterexample.ts';
import type { ServicePlan } from './plan.ts';
import { OpenServiceCase } from './openServiceCase.ts';
import { eventsOfNumbers } from '../../spec/serviceTerms.ts';

/** Smaller candidates that are tried side by side: those that wait for deliveries share their waits. */
const shrinkWidth = { waits: 12, calls: 6, alone: 1 } as const;

/** How many times as long a check takes that has the service for itself, and may restart it. */
const restartWeight = 4;

/** A service that passed the positive control, as the engine sees it. */
export class ServiceSide implements Side<ServiceCheck, ServiceDraw, ServiceFinding> {
  readonly subject = 'service';
  readonly context: ServiceContext;
  /** Whether events can be made to happen. */
  readonly found: EventsFound;
  readonly #pace = new CanaryPace();

  constructor(context: ServiceContext, found: EventsFound) {
    this.context = context;
    this.found = found;
  }

  missing({ needs }: Pick<ServiceCheck, 'needs'>): string | undefined {
    const reasons = needs.map((need) => missing(this.context.plan, this.found, need));
    return reasons.find((reason) => reason !== undefined);
  }

  /** The events that can be made to happen. */
  get events(): readonly string[] {
    return this.found.possible ? this.context.triggeredEvents.events : [];
  }

  draw(_check: unknown, events: readonly string[] = this.events): ServiceDraw {
    const { contract, terms, trackable, untrackable, concurrency = usualConcurrency, intensity } = this.context.plan;
    return { contract, terms, events, trackable, untrackable, concurrency, intensity };
  }

  cases(check: ServiceCheck): CaseSource {
    const { plan, targetProcess } = this.context;
    const economy = economyOfRestarts(check, plan.intensity, targetProcess?.target.slowestStart);
    return caseSource(check, this.draw(check), plan.seed, plan.intensity, economy);
  }

  /**
   * First one of each kind of what a single call can kill a service with. Those that wait for deliveries start at once and
   * share their waits, beside those that only call. Those that want to be alone follow in turn, while long waits go on; then
   * what would disturb others, and last what interrupts the service.
   */
  phases(checks: readonly ServiceCheck[]): readonly Phase<ServiceCheck>[] {
    const those = (...kinds: readonly ServiceSchedule['kind'][]) =>
      checks.filter((check) => kinds.includes(scheduleOf(check).kind));
    return [
      this.#canary(checks.filter(({ canary }) => canary === true)),
      {
        checks: those('beside', 'waiting'),
        hurries: true,
        begin: async () => {
          this.#pace.end();
          this.context.calls.limit = this.context.plan.concurrency ?? Infinity;
        },
        meanwhile: singlyPhases(those('singly'), this.context).map((phase) => ({
          after: (check) => scheduleOf(check).kind !== 'waiting',
          phase,
        })),
      },
      {
        checks: [...those('alone'), ...those('interrupting')],
        weight: restartWeight,
        alone: true,
        inTurn: () => 'one by one',
        hurries: true,
      },
    ];
  }

  #canary(checks: readonly ServiceCheck[]): Phase<ServiceCheck> {
    const { context } = this;
    const caller = new Caller(() => context, { ...control, case: 2 });
    return {
      checks,
      cases: 'of-each-kind',
      inTurn: () => 'one by one',
      get alone() {
        return context.calls.limit === 1;
      },
      begin: async () => {
        const cases = checks.reduce((sum, check) => sum + check.cases(this.draw(check)).length, 0);
        if (cases === 0) return;
        const ask = (): Promise<unknown> => caller.call(plainCall(context.plan)).catch(() => undefined);
        this.#pace.begin(context.calls, canaryWidth(cases, await fastestOf(ask)), !context.guardian.startsIt);
      },
    };
  }

  activityOf(check: Pick<ServiceCheck, 'schedule'>): Activity {
    const { calls, scenarios, singly, solo } = this.context;
    return { beside: calls, waiting: scenarios, singly, alone: singly, interrupting: solo }[scheduleOf(check).kind];
  }

  shrinkWidth(check: ServiceCheck): number {
    const { kind } = scheduleOf(check);
    return shrinkWidth[kind === 'waiting' ? 'waits' : kind === 'interrupting' ? 'alone' : 'calls'];
  }

  async open(
    check: ServiceCheck,
    generated: GeneratedCase,
    activity: Activity,
    before: readonly Trial<ServiceFinding>[],
  ): Promise<OpenCase<ServiceFinding>> {
    return new OpenServiceCase(this.context, check, generated, { activity, before });
  }

  counterexample(check: ServiceCheck, failure: Failure<ServiceFinding>, reported: Reported): Counterexample {
    return serviceCounterexample(this.context, check, failure, { events: this.events, ...reported });
  }
}

/** Why a check that needs something cannot be observed; nothing where it can. */
function missing(
  { terms, trackable, untrackable, emit, targetProcess }: ServicePlan,
  events: EventsFound,
  need: ServiceNeed,
): string | undefined {
  if (need === 'process-control' && targetProcess === undefined)
    return 'needs to kill and restart the service: give --start with the command that starts it, or --image';
  if (need === 'trackable' && trackable.length === 0)
    return `needs a number that the service finds: give --trackable <${terms.tracking?.written}>`;
  if (need === 'untrackable' && untrackable.length === 0)
    return `needs a number that the service does not find: give --untrackable <${terms.tracking?.written}>`;
  if (need === 'any-event' && emit === undefined)
    return 'needs a way to raise each event: give --emit with a URL or a command';
  const happens = need === 'event' || need === 'any-event';
  return happens && !events.possible ? events.reason : undefined;
}

/**
 * The phases of the checks that run one case at a time. Those that spend their time on waits go first, side by side, and the
 * others take their turns once no absence is awaited any more, while retries still are.
 *
 * What comes of numbers disturbs the others only where they have no events but those that numbers cause. Among themselves they
 * take turns, those that the service does not know included: news need not say which number it is about (GAP-1).
 */
function singlyPhases(checks: readonly ServiceCheck[], context: ServiceContext): readonly Phase<ServiceCheck>[] {
  const { plan, scenarioEvents, otherScenarioEvents } = context;
  const ofNumbers = eventsOfNumbers(plan.terms);
  const isShared = [...scenarioEvents, ...otherScenarioEvents].some((event) => ofNumbers.includes(event));
  const areNumbers = ({ about }: ServiceCheck): boolean => !isShared && about?.includes('tracking') === true;
  const {
    numbers = [],
    waits = [],
    turns = [],
  } = Object.groupBy(checks, (check) => (areNumbers(check) ? 'numbers' : waitOf(check) ? 'waits' : 'turns'));
  const begin = () => calm(context);
  const inTurn = (those: readonly ServiceCheck[]): Phase<ServiceCheck> => ({
    checks: those,
    inTurn: () => 'one by one',
    hurries: true,
    begin,
  });
  return [
    {
      checks: waits,
      hurries: true,
      begin,
      meanwhile: [{ after: (check) => waitOf(check) === 'absence', phase: inTurn(turns) }],
    },
    inTurn(numbers),
  ];
}

function waitOf({ schedule }: ServiceCheck): 'absence' | 'retries' | undefined {
  return schedule?.kind === 'singly' ? schedule.waitsFor : undefined;
}

/** Resolves once every scenario waits and nothing is being made to happen, or the run has ended. */
async function calm(context: ServiceContext): Promise<void> {
  while (!context.ended.aborted && !(context.scenarios.idle && context.triggeredEvents.idle))
    await context.changeSignal.next(20);
}
