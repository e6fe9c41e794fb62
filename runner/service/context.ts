import type { Call } from '../../suites/exchange.ts';
import type { Activity } from '../engine/activity.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Catcher } from '../catcher/catcher.ts';
import type { Endpoint } from '../catcher/endpoint.ts';
import type { GuardedProcess } from '../process/guardedProcess.ts';
import type { RunEnd, UntimedEvent } from '../engine/runEvents.ts';
import type { ApiClient } from './apiClient.ts';
import type { ScenarioEvents } from './scenarioEvents.ts';
import type { TriggeredEvents } from './triggeredEvents.ts';
import type { Lateness } from './lateness.ts';
import type { ListedNotifications } from './listedNotifications.ts';
import type { ServicePlan } from './plan.ts';
import type { DeliveryLog } from './deliveryLog.ts';
import type { ChangeSignal } from './changeSignal.ts';
import type { Refusals } from './refusals.ts';
import type { Registrar } from './registrar.ts';
import type { Owner } from './run.ts';
import type { AssumptionKey } from '../../spec/names.ts';

/** What the parts of one run of the service suite share. */
export interface ServiceContext {
  readonly plan: ServicePlan;
  readonly api: ApiClient;
  readonly catcher: Catcher;
  /** Nothing where the service runs by itself. */
  readonly targetProcess: GuardedProcess | undefined;
  /** Tells all who wait that something was caught, or ended. */
  readonly changeSignal: ChangeSignal;
  /** What is written nowhere. */
  readonly secrets: Secrets;
  readonly deliveryLog: DeliveryLog;
  readonly triggeredEvents: TriggeredEvents;
  readonly listedNotifications: ListedNotifications;
  /** The cases that wait for deliveries: all at once. */
  readonly scenarios: Activity;
  /** The cases that only call. */
  readonly calls: Activity;
  /** The cases that run one at a time. */
  readonly singly: Activity;
  /** The cases that hold process control of the target: one after the other, waits included. */
  readonly solo: Activity;
  /** Changes that calls have made so far, by the check that made them. */
  readonly changes: Map<string, number>;
  /** The base address without a slash at its end. */
  readonly base: string;
  /** Events for the steps of a scenario. */
  readonly scenarioEvents: ScenarioEvents;
  /** The same for cases that run one at a time, so that they do not wake what waits. */
  readonly otherScenarioEvents: ScenarioEvents;
  /** Follows what comes to an endpoint. */
  hear(endpoint: Endpoint, owner: Owner): void;
  /** What was learned last, by the assumption. */
  readonly learned: Map<string, string>;
  /** Tells what was seen of times while the kit itself was late: better than nothing, once the run is over. */
  readonly doubtful: (() => void)[];
  readonly lateness: Lateness;
  readonly refusals: Refusals;
  /** Names of all endpoints of the run. */
  readonly endpoints: Set<string>;
  /** Those whose webhooks have not been removed yet. */
  readonly registrars: Set<Registrar>;
  /** Milliseconds of the slowest first delivery so far; nothing before there was one. */
  slowestArrival: number | undefined;
  /** Milliseconds since the start of the run. */
  elapsed(): number;
  emit(event: UntimedEvent): void;
  /** Records what fills a gap, as the value of an assumption. */
  learn(key: AssumptionKey, value: string, evidence: string): void;
  /** Asks the second opinion about a call. */
  judge(call: Call): void;
  /** Aborted when the run ends early: interrupted, target lost, or `--bail`. */
  readonly ended: AbortSignal;
  /** Ends the run early. The first reason stays. */
  end(end: RunEnd): void;
  /** Why the run ended early; nothing while it goes on. */
  readonly endedBy: RunEnd | undefined;
  /** Whether the target still takes connections. */
  stillThere(): Promise<boolean>;
  /** Removes what is still registered at the target; within a few seconds where the run was ended early. */
  removeWebhooks(): Promise<void>;
}
