import type { ProcessChange } from '../../reports/model/processEvents.ts';
import { assumptionValue } from '../../spec/assumptions.ts';
import { signatureHeaderName } from '../../spec/signature.ts';
import { Activity } from '../engine/activity.ts';
import { Pace } from '../http/pace.ts';
import { ConnectionSpacing, ConnectionTurns } from '../http/connectionHabits.ts';
import { createDeliverer } from '../http/deliverer.ts';
import { Ending } from '../engine/ending.ts';
import { HangWatch } from '../engine/hangWatch.ts';
import { Lateness } from '../engine/lateness.ts';
import { presenceOf, type Presence } from '../process/presence.ts';
import { openGuarded } from '../process/guardedProcess.ts';
import { SentDeliveries, type ReceiverContext } from './receiverContext.ts';
import type { RunEnd, UntimedEvent } from '../engine/eventStream.ts';
import { Settler } from './settler.ts';
import { createProbe } from './createProbe.ts';
import { RetriedProbe } from './probe.ts';
import type { ReceiverPlan } from './plan.ts';

/** What a run brings along for its context. */
type Given = Pick<ReceiverContext, 'elapsed' | 'emit' | 'api' | 'secrets' | 'deadline'>;

/** The turn of what goes before all cases that have not begun. */
const atOnce = -1;

/** The changes after which the target runs. */
const isUp: ReadonlySet<ProcessChange> = new Set(['started', 'resumed', 'returned']);
const isEnd: ReadonlySet<ProcessChange> = new Set(['killed', 'stopping', 'died', 'lost']);

/**
 * What the parts of one run of the receiver suite share. Nothing has been sent or started yet.
 *
 * @throws UsageError where the target cannot be started in this way at all
 */
export async function createReceiverContext(plan: ReceiverPlan, given: Given): Promise<ReceiverContext> {
  const log = new SentDeliveries();
  const ending = new Ending(plan.signal, (event) => given.emit(event));
  const pace = new Pace(plan.concurrency);
  const activity = activityOf(pace, () => void settler?.begin());
  const lateness = new Lateness();
  const turns = new ConnectionTurns();
  const access = { ...plan, spacing: new ConnectionSpacing() };
  const deliverer = createDeliverer({ ...access, concurrency: pace, localAddress: plan.published[0], lateness, turns });
  const presence = presenceOf(deliverer);
  const { guardian, targetProcess } = await guardedBy(plan, given, { log, ending, presence, lateness });
  const probe = probeOf(access, turns, ending.signal);
  const inTurn = <T>(ask: () => Promise<T>): Promise<T> => activity.run(ask, atOnce);
  const settling = { times: log, settle: plan.settle, signal: ending.signal, lateness, inTurn, ...given };
  const settler = probe && new Settler({ probe, ...settling });
  const context: ReceiverContext = {
    plan,
    scheme: plan.scheme,
    signatureHeader: signatureHeaderName(plan.scheme, assumptionValue(plan.assumptions, 'signature.header')),
    deliverer,
    settler,
    probe,
    targetProcess,
    guardian,
    activity,
    log,
    lateness,
    hangWatch: new HangWatch('receiver', plan.timeout, () => context),
    startedAt: Date.now(),
    ...given,
    emitDelivery: (event) => given.emit({ type: 'delivery.finished', ...event }),
    ended: ending.signal,
    end: (reason) => ending.end(reason),
    get endedBy() {
      return ending.by;
    },
    ...presence,
  };
  return context;
}

function probeOf({ probe, url, ...access }: ReceiverPlan, turns: ConnectionTurns, signal: AbortSignal) {
  return probe === undefined ? undefined : new RetriedProbe(createProbe(probe, access, url, turns), signal);
}

/** A case does other things too: several times as many are at work as deliveries are under way. */
function activityOf(pace: Pace, onIdle: () => void): Activity {
  return new Activity(Infinity, onIdle, () => 4 * pace.limit);
}

interface Surroundings {
  readonly log: SentDeliveries;
  readonly ending: Ending;
  readonly presence: Presence;
  readonly lateness: Lateness;
}

async function guardedBy(plan: ReceiverPlan, given: Given, { log, ending, presence, lateness }: Surroundings) {
  const { targetProcess, url, directory } = plan;
  const emit = (event: UntimedEvent): void => {
    if (event.type === 'life.changed' && isUp.has(event.change)) log.upSince = performance.now();
    if (event.type === 'life.changed' && isEnd.has(event.change)) log.ended();
    given.emit(event);
  };
  const end = (reason: RunEnd): void => ending.end(reason);
  const guarded = { kind: 'receiver', url, directory, ...given, emit, ended: ending.signal, end };
  return openGuarded(targetProcess, { ...guarded, access: plan, presence, lateness });
}
