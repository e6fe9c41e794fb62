import type { Json } from '../../generators/json/json.ts';
import type { AssumptionKey } from '../../spec/names.ts';
import { offers } from '../../spec/serviceTerms.ts';
import { Unobservable, Unproven } from '../../suites/check.ts';
import type { Answer } from '../../suites/delivery.ts';
import type { Caught } from '../../suites/exchange.ts';
import type { Endpoint } from '../catcher/endpoint.ts';
import { Activity } from '../engine/activity.ts';
import { Ending, partingTime } from '../engine/ending.ts';
import type { RunEnd } from '../engine/eventStream.ts';
import { HangWatch } from '../engine/hangWatch.ts';
import { Lateness } from '../engine/lateness.ts';
import { presenceOf } from '../process/presence.ts';
import { requestDigest } from '../engine/journaled.ts';
import { AnswerTimes } from '../http/answerTimes.ts';
import { ConnectionSpacing } from '../http/connectionHabits.ts';
import { Pace } from '../http/pace.ts';
import { openGuarded } from '../process/guardedProcess.ts';
import { ApiClient } from './apiClient.ts';
import { Caller, plainCall, Refusals } from './caller.ts';
import { Creations } from './creations.ts';
import { DeliveryLog, LeftEndpoints, nameOf } from './deliveryLog.ts';
import { Traffic, assumption, ChangeSignal, scenarioEventsOf } from './runState.ts';
import { EventTrigger } from './eventTrigger.ts';
import { TriggeredEvents } from './triggeredEvents.ts';
import { ListedNotifications } from './listedNotifications.ts';
import { readList } from './lists.ts';
import { textAt } from './located.ts';
import type { Opinions } from './opinions.ts';
import type { ServicePlan } from './plan.ts';
import { type Registering, Registrar } from './registrar.ts';
import { Room } from './room.ts';
import { describeStep } from './serviceTimeline.ts';
import { control, type Owner } from '../engine/cases.ts';

interface Parts extends Pick<ServiceContext, 'catcher' | 'secrets' | 'elapsed' | 'emit' | 'deadline'> {
  readonly opinions: Opinions;
}

/**
 * Puts the parts of a run together. Nothing has been sent or started yet.
 *
 * @throws UsageError where the service cannot be started in this way at all
 */
export async function createContext(plan: ServicePlan, parts: Parts): Promise<ServiceContext> {
  const { catcher, opinions, secrets, emit, deadline } = parts;
  const pace = new Pace(plan.concurrency);
  const api = new ApiClient({ ...plan, spacing: new ConnectionSpacing(), concurrency: pace });
  const caller = new Caller(() => context, control);
  const triggeredEvents = new TriggeredEvents(new EventTrigger(plan, caller, () => context.ended));
  const ending = new Ending(plan.signal, emit);
  const context: ServiceContext = {
    plan,
    api,
    catcher,
    ...(await guardedBy(plan, { ...parts, api }, ending, () => context)),
    secrets,
    triggeredEvents,
    scenarioEvents: scenarioEventsOf(plan, triggeredEvents.events),
    otherScenarioEvents: scenarioEventsOf(plan, triggeredEvents.events, 4),
    listedNotifications: new ListedNotifications(() => context),
    room: new Room(() => context),
    ...activitiesOf(pace, () => triggeredEvents.stage()),
    get base() {
      return plan.base.href.replace(/\/$/, '');
    },
    ...memory(plan, parts),
    emit,
    deadline,
    hear: (endpoint, owner) => hear(context, endpoint, owner),
    learn: (key, value, evidence) => learn(context, key, value, evidence),
    judge: (call) => opinions.judge(call),
    get ended() {
      return ending.signal;
    },
    end: (end) => ending.end(end),
    get endedBy() {
      return ending.by;
    },
    removeWebhooks: () => removeWebhooks(context, ending),
    hangWatch: new HangWatch('service', plan.timeout, () => context),
  };
  return context;
}

function activitiesOf(pace: Pace, stage: () => void) {
  return {
    scenarios: new Activity(Infinity, stage),
    calls: new Activity(Infinity, stage, () => pace.limit),
    singly: new Activity(1, stage),
    solo: new SoloActivity(stage),
  };
}

async function guardedBy(
  plan: ServicePlan,
  parts: Parts & { readonly api: ApiClient },
  ending: Ending,
  context: () => ServiceContext,
) {
  const { base: url, directory } = plan;
  const { secrets, elapsed, emit, deadline } = parts;
  const end = (end: RunEnd): void => ending.end(end);
  const ask = (): Promise<Answer> => new Caller(context, control).ask(plainCall(plan));
  const run = { secrets, elapsed, emit, deadline, ask, kind: 'service', ended: ending.signal, end };
  const presence = presenceOf(parts.api);
  const opened = await openGuarded(plan.targetProcess, { url, directory, access: plan, presence, ...run });
  return { ...opened, ...presence };
}

/** What a run remembers of itself. */
function memory({ contract, earlier }: ServicePlan, { catcher, elapsed }: Pick<Parts, 'catcher' | 'elapsed'>) {
  const deliveryLog = new DeliveryLog(contract.delivery.acceptedStatuses);
  return {
    changeSignal: new ChangeSignal(),
    deliveryLog,
    traffic: new Traffic(),
    slowestArrival: undefined,
    awaitedSince: undefined,
    awaitsClaims: true,
    deletedNotified: false,
    answerTimes: new AnswerTimes(),
    answered: new Set<string>(),
    elapsed,
    mediaTypes: new Map<string, string>(),
    cutLists: new Set<string>(),
    learned: new Map<string, string>(),
    lateness: new Lateness(elapsed),
    longestWait: 0,
    refusals: new Refusals(earlier?.learned),
    registrars: new Set<Registrar>(),
    creations: new Creations(),
    removed: new Map(),
    doubtful: [] as (() => void)[],
    reopened: new Map<string, Endpoint>(),
    leftEndpoints: new LeftEndpoints(catcher, deliveryLog),
    endpoints: new Set(earlier?.endpoints.map(nameOf)),
  };
}

/** Removes what is still registered; reports what cannot be removed. */
async function removeWebhooks(context: ServiceContext, ending: Ending): Promise<void> {
  const { deadline, plan, ended } = context;
  const parting = partingTime(plan.timeLimit ?? Infinity);
  await ending.part(() => cleanUp(context), ended.aborted ? parting : deadline.left + parting);
  const left = leftOver(context);
  if (left.length > 0) context.emit({ type: 'left.over', what: left.map((id) => `webhook ${id}`) });
}

/** Follows an endpoint: sorts what comes to it, reports it, and wakes who waits for it. */
function hear(context: ServiceContext, endpoint: Endpoint, owner: Owner): void {
  const heard = new WeakSet<Caught>();
  endpoint.on((caught) => {
    context.traffic.note(caught);
    if (!heard.has(caught)) {
      heard.add(caught);
      const event = textAt(caught, context.plan.contract.delivery.event);
      context.deliveryLog.add(caught, event);
      tellCaught(context, caught, event, owner);
      tellDeleted(context, caught);
    }
    context.changeSignal.notify();
  });
}

/** The contract says nothing of what becomes of a webhook that is deleted (GAP-13). */
function tellDeleted(context: ServiceContext, { endpoint }: Caught): void {
  if (context.deletedNotified || !context.leftEndpoints.isStillNotified(endpoint)) return;
  context.deletedNotified = true;
  context.emit({
    type: 'observed',
    gap: 'GAP-13',
    value: 'a webhook that was deleted is notified of what happens later',
    evidence: 'notifications of several events came to an endpoint after the deletion of its webhook had succeeded',
  });
}

/** Reports what came to an endpoint. */
export function tellCaught(context: ServiceContext, caught: Caught, event: string, owner: Owner): void {
  const { endpoint, key, number, bytes, headers, body, step } = caught;
  context.emit({
    type: 'delivery.caught',
    ...owner,
    endpoint,
    id: key,
    event,
    number,
    bytes: Math.max(bytes, body.length),
    digest: requestDigest('', { headers, body }),
    answered: describeStep(step, caught.end),
  });
}

/**
 * The same value once more is no news, and where the contract leaves nothing open there is nothing to learn. Where the
 * user assumed another value, the report says so beside it.
 */
function learn(context: ServiceContext, key: AssumptionKey, value: string, evidence: string): void {
  const definition = context.plan.contract.assumptions.find((each) => each.key === key);
  if (definition === undefined || context.learned.get(key) === value) return;
  context.learned.set(key, value);
  const given = assumption(context, key);
  const contradicts = given !== undefined && given.source !== 'default' && given.value !== value;
  const seen = contradicts ? `${evidence}; ${given.value} was assumed` : evidence;
  context.emit({ type: 'learned', key, gap: definition.gap, value, evidence: seen });
}

/** One case after the other, each from its start to its end: also while it waits, nobody else comes in. */
class SoloActivity extends Activity {
  constructor(onIdle: () => void) {
    super(1, onIdle);
  }

  override park<T>(wait: Promise<T>): Promise<T> {
    return wait;
  }
}

/**
 * Removes the webhooks of the run: those that are known, then those that the service lists at an endpoint of the run,
 * for it may have made some of calls that it refused, or whose answers were never read.
 */
async function cleanUp(context: ServiceContext): Promise<void> {
  await Promise.all([...context.registrars].map((registrar) => registrar.clean()));
  const caller = new Caller(() => context, control);
  const registrar = new Registrar(context, caller, control);
  try {
    if (!offers(context.plan.contract, 'list')) return;
    const { items, complete } = await readList(context, caller, 'list');
    const own = items.filter((item) => isAt(context.endpoints, registrar, item));
    if (complete) for (const other of context.registrars) other.forgetAllBut(own);
    // This run has tried to delete its own that are inactive.
    const earlier = new Set(context.plan.earlier?.endpoints.map(nameOf));
    const isLeft = (item: Json): boolean =>
      registrar.member(item, 'active') !== false || isAt(earlier, registrar, item);
    await registrar.removeListed(own.filter(isLeft));
  } catch (error) {
    if (!(error instanceof Unproven || error instanceof Unobservable)) throw error;
  }
}

/** Ids of what could not be removed. */
function leftOver({ registrars }: ServiceContext): readonly string[] {
  return [...new Set([...registrars].flatMap(({ remaining }) => remaining))];
}

/** @param endpoints - by their names */
function isAt(endpoints: ReadonlySet<string>, registrar: Registrar, item: Json): boolean {
  const url = registrar.member(item, 'url');
  return typeof url === 'string' && endpoints.has(nameOf(url));
}

/** A run of the service suite with all of its parts: for those who put the parts together, and for cases. */
export interface ServiceContext extends Registering {
  readonly triggeredEvents: TriggeredEvents;
  readonly listedNotifications: ListedNotifications;
  readonly room: Room;
}
