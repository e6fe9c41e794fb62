import type { ProcessChange } from '../../reports/model/processEvents.ts';
import { assumptionValue } from '../../spec/assumptions.ts';
import { parseScheme, signatureHeaderName } from '../../spec/signature.ts';
import { Activity } from '../engine/activity.ts';
import { createDeliverer } from '../http/deliverer.ts';
import { Ending } from '../engine/ending.ts';
import { presenceOf } from '../engine/presence.ts';
import { openGuarded } from '../process/guardedProcess.ts';
import { SentDeliveries, type ReceiverContext } from './receiverContext.ts';
import type { RunEnd, UntimedEvent } from '../engine/runEvents.ts';
import { Settler } from './settler.ts';
import { createProbe } from './createProbe.ts';
import type { ReceiverPlan } from './plan.ts';

/** What a run brings along for its context. */
type Given = Pick<ReceiverContext, 'elapsed' | 'emit' | 'api' | 'secrets'>;

/** The changes after which the target runs. */
const isUp: ReadonlySet<ProcessChange> = new Set(['started', 'resumed', 'returned']);

/**
 * What the parts of one run of the receiver suite share. Nothing has been sent or started yet.
 *
 * @throws UsageError where the target cannot be started in this way at all
 */
export async function createReceiverContext(plan: ReceiverPlan, given: Given): Promise<ReceiverContext> {
  const scheme = parseScheme(assumptionValue(plan.assumptions, 'signature.scheme'));
  const log = new SentDeliveries();
  const ending = new Ending(plan.signal, (event) => given.emit(event));
  const end = (reason: RunEnd): void => ending.end(reason);
  const activity = new Activity(plan.concurrency * 4, () => void settler?.begin());
  const { targetProcess: spec, url, directory } = plan;
  const emit = (event: UntimedEvent): void => {
    if (event.type === 'life.changed' && isUp.has(event.change)) log.upSince = performance.now();
    given.emit(event);
  };
  const deliverer = createDeliverer({ ...plan, localAddress: plan.published[0] });
  const presence = presenceOf(deliverer);
  const guarded = { kind: 'receiver', url, directory, ...given, emit, ended: ending.signal, end };
  const { guardian, targetProcess } = await openGuarded(spec, { ...guarded, access: plan, presence });
  const probe = plan.probe === undefined ? undefined : createProbe(plan.probe, plan);
  const settler = probe && new Settler({ probe, times: log, settle: plan.settle, signal: ending.signal });
  return {
    plan,
    scheme,
    signatureHeader: signatureHeaderName(scheme, assumptionValue(plan.assumptions, 'signature.header')),
    deliverer,
    settler,
    probe,
    targetProcess,
    guardian,
    activity,
    log,
    startedAt: Date.now(),
    ...given,
    emitDelivery: (event) => given.emit({ type: 'delivery.finished', ...event }),
    ended: ending.signal,
    end,
    get endedBy() {
      return ending.by;
    },
    ...presence,
  };
}
