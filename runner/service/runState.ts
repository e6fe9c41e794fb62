import { type Assumption, assumptionValue } from '../../spec/assumptions.ts';
import type { AssumptionKey } from '../../spec/names.ts';
import type { Call, Caught } from '../../suites/exchange.ts';
import type { Catcher } from '../catcher/catcher.ts';
import type { Endpoint } from '../catcher/endpoint.ts';
import type { Activity } from '../engine/activity.ts';
import type { HangWatch } from '../engine/hangWatch.ts';
import type { AnswerTimes } from '../http/answerTimes.ts';
import type { RunContext } from '../engine/runContext.ts';
import type { ApiClient } from './apiClient.ts';
import type { DeliveryLog, LeftEndpoints } from './deliveryLog.ts';
import type { Lateness } from '../engine/lateness.ts';
import type { ServicePlan } from './plan.ts';
import { eventsOfNumbers } from '../../spec/serviceTerms.ts';
import type { Owner } from '../engine/cases.ts';

/**
 * What a run of the service suite knows and can do. The parts that are made of it (callers, registrars, the list of
 * notifications) are no members, for each of them says itself what it needs of a run: see {@link ServiceContext}.
 */
export interface RunState extends RunContext {
  readonly plan: ServicePlan;
  readonly api: ApiClient;
  readonly catcher: Catcher;
  /** Wakes all who wait because something was caught, or ended. */
  readonly changeSignal: ChangeSignal;
  readonly deliveryLog: DeliveryLog;
  /** The cases that wait for deliveries: all at once. */
  readonly scenarios: Activity;
  /** The cases that only call. */
  readonly calls: Activity;
  /** The cases that run one at a time. */
  readonly singly: Activity;
  /** The cases that hold process control of the target: one after the other, waits included. */
  readonly solo: Activity;
  /** The base address without a slash at its end. */
  readonly base: string;
  /** Events for the steps of a scenario. The control leaves out those for which the service takes no webhook. */
  scenarioEvents: ScenarioEvents;
  /** The same for cases that run one at a time, so that they do not wake what waits. */
  otherScenarioEvents: ScenarioEvents;
  /** The endpoints of earlier sittings that are open again, by their names. */
  readonly reopened: Map<string, Endpoint>;
  /** Follows what comes to an endpoint. */
  hear(endpoint: Endpoint, owner: Owner): void;
  /** Which media type an operation is called with in the place of one that it has to take and refuses, by its id. */
  readonly mediaTypes: Map<string, string>;
  /** The operations of lists that were cut off. */
  readonly cutLists: Set<string>;
  /** What was learned last, by the assumption. */
  readonly learned: Map<string, string>;
  /** Reports what was seen of times while the kit itself was late: better than nothing, once the run is over. */
  readonly doubtful: (() => void)[];
  readonly lateness: Lateness;
  /** Milliseconds that the service waited for an answer before it gave up, the longest that was seen for certain. */
  longestWait: number;
  readonly hangWatch: HangWatch;
  readonly answerTimes: AnswerTimes;
  /** Operations that were answered at least once. */
  readonly answered: Set<string>;
  /** Names of all endpoints of the run. */
  readonly endpoints: Set<string>;
  readonly leftEndpoints: LeftEndpoints;
  readonly traffic: Traffic;
  /** Milliseconds of the slowest first delivery so far; nothing before there was one. */
  slowestArrival: number | undefined;
  /** When something was awaited for the first time, in milliseconds of the run, and whatever it was. */
  awaitedSince: number | undefined;
  /** Whether what a killed worker may have held is still worth a whole retry window: not once one brought nothing. */
  awaitsClaims: boolean;
  /** Whether a webhook was notified after it had been deleted. */
  deletedNotified: boolean;
  /** Records what fills a gap, as the value of an assumption. */
  learn(key: AssumptionKey, value: string, evidence: string): void;
  /** Asks the second opinion about a call. */
  judge(call: Call): void;
  /** Removes what is still registered at the target; within a few seconds where the run was ended early. */
  removeWebhooks(): Promise<void>;
}

/** The value of an assumption of this run. */
export function assumed({ plan }: Pick<RunState, 'plan'>, key: AssumptionKey): string {
  return assumptionValue(plan.assumptions, key);
}

/** The same with where it comes from. */
export function assumption({ plan }: Pick<RunState, 'plan'>, key: AssumptionKey): Assumption | undefined {
  return plan.assumptions.find((each) => each.key === key);
}

/** Milliseconds within which changes are reported together. */
const together = 4;

/**
 * Wakes all who wait for something to change, without saying what: each looks for itself. Changes that come close
 * together wake them once.
 */
export class ChangeSignal {
  #waiters = new Set<() => void>();
  #notifying = false;

  /** Something changed. */
  notify(): void {
    if (this.#notifying) return;
    this.#notifying = true;
    setTimeout(() => this.#wake(), together);
  }

  /** Resolves after the next change, or after so many milliseconds. */
  next(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.max(1, ms));
      this.#waiters.add(wake);
    });
  }

  #wake(): void {
    this.#notifying = false;
    const waiters = this.#waiters;
    this.#waiters = new Set();
    for (const wake of waiters) wake();
  }
}

/** Events for the steps of a scenario. */
export type ScenarioEvents = readonly [string, string, string, string];

/**
 * The events for the steps of scenarios: four different ones that are about nothing but themselves, where `--emit` can
 * raise any; else those that numbers can cause, again and again.
 *
 * @param events - what can be made to happen
 * @param from - how many to leave out, for those who want others
 */
export function scenarioEventsOf(plan: ServicePlan, events: readonly string[], from = 0): ScenarioEvents {
  const { terms, contract, emit } = plan;
  const ofNumbers = eventsOfNumbers(terms);
  const plain = emit === undefined ? events : events.filter((event) => !ofNumbers.includes(event));
  const chosen = plain.length > 0 ? plain : contract.events.map(({ name }) => name);
  const at = (index: number): string => chosen[index % chosen.length]!;
  return [at(from), at(from + 1), at(from + 2), at(from + 3)];
}

/**
 * Follows all that comes to the endpoints of a run. A service that has as many attempts under way as it ever had may have
 * no room for another: what it does not send then may be waiting for its turn.
 */
export class Traffic {
  /** When anything came, a retry included, in milliseconds of the run. */
  latest = 0;
  /** Attempts that have no answer yet. */
  readonly #open = new Set<Caught>();
  #most = 0;
  #fullAt = 0;

  /** To be called when an attempt has arrived, and when it has ended. */
  note(caught: Caught): void {
    const { at, end } = caught;
    if (end === undefined) {
      this.latest = at;
      this.#open.add(caught);
      this.#most = Math.max(this.#most, this.#open.size);
    }
    if (this.#open.size === this.#most) this.#fullAt = end?.at ?? at;
    if (end !== undefined) this.#open.delete(caught);
  }

  /** How many attempts were under way at once, at most. */
  get most(): number {
    return this.#most;
  }

  /** When the service had as many attempts under way as ever, the last time. @param now - in milliseconds of the run */
  fullAt(now: number): number {
    return this.#open.size > 0 && this.#open.size === this.#most ? now : this.#fullAt;
  }
}
