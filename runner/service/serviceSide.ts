import type { Counterexample } from '../../reports/model/exchange.ts';
import {
  fatalOf,
  scheduleOf,
  type ServiceCheck,
  type ServiceFinding,
  type ServiceNeed,
  type ServiceSchedule,
} from '../../suites/check.ts';
import type { ServiceDraw } from '../../suites/draw.ts';
import { finding } from '../../suites/finding.ts';
import { usualConcurrency } from '../engine/plan.ts';
import type { Activity } from '../engine/activity.ts';
import { caseSource, type CaseSource, type GeneratedCase } from '../engine/cases.ts';
import { economyOfRestarts } from '../engine/restarts.ts';
import { type Failure, type BrokenTrial, doubted, type Trial } from '../engine/trial.ts';
import { CanaryPace, canaryWidth, fastestOf } from '../engine/canary.ts';
import type { OpenCase, Phase, Reported, Side } from '../engine/side.ts';
import { shownFinding } from './answers.ts';
import { ServiceCaseKit } from './caseKit.ts';
import type { ServiceContext } from './createContext.ts';
import { Caller, plainCall } from './caller.ts';
import type { EventsFound } from './control.ts';
import { serviceCounterexample } from './counterexample.ts';
import type { ServicePlan } from './plan.ts';
import type { Contract } from '../../spec/contract.ts';
import type { Exchange } from '../../suites/exchange.ts';
import { type Traits, distinct, headerTraits } from '../engine/agreement.ts';
import { textAt } from './located.ts';
import type { Place } from './room.ts';
import { noteWait, toleratedLateness } from './tolerance.ts';
import { singlyPhase } from './singlyPhase.ts';
import { control } from '../engine/owner.ts';

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
        meanwhile: {
          after: (check) => scheduleOf(check).kind !== 'waiting',
          phase: singlyPhase(those('singly'), this.context),
        },
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

  async open(check: ServiceCheck, generated: GeneratedCase, activity: Activity): Promise<OpenCase<ServiceFinding>> {
    return new OpenServiceCase(this.context, check, generated, activity);
  }

  counterexample(check: ServiceCheck, failure: Failure<ServiceFinding>, reported: Reported): Counterexample {
    return serviceCounterexample(this.context, check, failure, { events: this.events, ...reported });
  }
}

/** One try of a case of a service. */
class OpenServiceCase implements OpenCase<ServiceFinding> {
  readonly #context: ServiceContext;
  readonly #check: ServiceCheck;
  readonly #generated: GeneratedCase;
  readonly #kit: ServiceCaseKit;
  /** When it was opened, in milliseconds of the run. */
  readonly #from: number;
  readonly #crowdedOut: number;
  readonly #activity: Activity;
  #place: Place | undefined;

  constructor(context: ServiceContext, check: ServiceCheck, generated: GeneratedCase, activity: Activity) {
    this.#context = context;
    this.#check = check;
    this.#generated = generated;
    this.#kit = new ServiceCaseKit(context, { check: check.id, case: generated.index }, activity);
    this.#from = context.elapsed();
    this.#crowdedOut = context.catcher.crowdedOut;
    this.#activity = activity;
  }

  get waitingSince() {
    return this.#kit.caller.idleSince;
  }

  get answers() {
    return this.#kit.exchanges.flatMap((exchange) => (exchange.kind === 'call' ? [exchange.answer] : []));
  }

  async run(): Promise<ServiceFinding | undefined> {
    this.#place = await this.#context.room.enter(this.#check.id, this.#activity);
    return this.#check.run(this.#kit, this.#generated.value);
  }

  get traits() {
    return traitsOf(this.#kit.exchanges, this.#context.plan.contract);
  }

  fatal(conclusion: Pick<ServiceFinding, 'expected' | 'actual' | 'absence' | 'died' | 'hung'>): ServiceFinding {
    return finding(fatalOf(this.#check, 'service'), { ...conclusion, exchanges: this.#kit.exchanges.slice(-3) });
  }

  async close(tried: Trial<ServiceFinding>): Promise<Trial<ServiceFinding>> {
    const shown = tried.kind === 'broken' ? { ...tried, finding: shownFinding(tried.finding) } : tried;
    const late = this.#context.lateness.within(this.#from, this.#context.elapsed());
    this.#kit.learning.tellTimes(late > 0);
    const trial = this.#place ? await this.#context.room.leave(this.#place, shown, this.#kit) : shown;
    noteWait(this.#context, this.#kit.exchanges, late);
    if (trial !== shown) return trial;
    if (late > toleratedLateness(this.#context) && hangsOnTime(trial)) return inDoubt(trial, late);
    if (this.#context.catcher.crowdedOut !== this.#crowdedOut) return unseen(trial);
    return this.#hopeless(late > 0 ? doubted(trial) : this.#silent(trial));
  }

  timelineOf(finding: ServiceFinding) {
    return this.#kit.timelineOf(finding);
  }

  /** Where the service has not sent anything in the whole run, waiting once more would only take time. */
  #silent(trial: Trial<ServiceFinding>): Trial<ServiceFinding> {
    const final = trial.kind === 'unproven' && this.#context.deliveryLog.newest === 0;
    return final ? { ...trial, final } : trial;
  }

  /** Each case that waits for what does not come takes its time, and the first one has to recur anyway. */
  #hopeless(trial: Trial<ServiceFinding>): Trial<ServiceFinding> {
    const controlsProcess = this.#check.needs.includes('process-control');
    return controlsProcess && trial.kind === 'broken' ? { ...trial, unanswered: true } : trial;
  }
}

/** Where the catcher had no room for all that came, nobody knows what did not come. */
function unseen(trial: Trial<ServiceFinding>): Trial<ServiceFinding> {
  const isOpen = trial.kind !== 'held' && (trial.kind !== 'broken' || trial.finding.died === true);
  if (isOpen) return trial;
  const reason = 'the service sent more to the endpoints of the kit than it keeps, so that not all was looked at';
  return { kind: 'unproven', reason, final: false };
}

/**
 * Whether the kit may have brought it about by being late itself: a delivery that it answered late is broken off, or sent
 * again with good reason. What a whole delivery says is as it is, however late it was heard, and so is a death. So is an
 * absence where nothing was caught: it is awaited for longer where the kit is late ({@link Lateness.extended}).
 */
function hangsOnTime(trial: Trial<ServiceFinding>): trial is BrokenTrial<ServiceFinding> {
  if (trial.kind !== 'broken' || trial.finding.died === true) return false;
  const { absence, hangsOnTime: isMarked, exchanges } = trial.finding;
  const caught = exchanges.filter((exchange) => exchange.kind === 'caught');
  return isMarked ?? (caught.length > 0 && (absence || caught.some(({ bytes }) => bytes < 0)));
}

function inDoubt({ finding }: BrokenTrial<ServiceFinding>, late: number): Trial<ServiceFinding> {
  const reason = `the kit itself was ${late} ms late, so this shows nothing: ${finding.actual}`;
  return { kind: 'unproven', reason, final: false, doubted: true };
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

/** What a case of a service was about, by its calls and what came of them. */
function traitsOf(exchanges: readonly Exchange[], contract: Contract): Traits {
  const calls = exchanges.flatMap((exchange) => (exchange.kind === 'call' ? exchange.request : []));
  return {
    values: {
      event: distinct(
        exchanges.flatMap((each) => (each.kind === 'caught' ? [textAt(each, contract.delivery.event)] : [])),
      ),
      operation: distinct(calls.map(({ operationId }) => operationId)),
      ...headerTraits(calls.map(({ headers }) => headers)),
    },
    bytes: Math.max(0, ...calls.map(({ body }) => body.length)),
    requests: calls.length,
  };
}
