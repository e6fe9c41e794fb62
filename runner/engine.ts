import { performance } from 'node:perf_hooks';

import type { RunEvent } from '../reports/events.ts';
import { assumptionValue } from '../spec/assumptions.ts';
import { parseScheme, signatureHeaderName } from '../spec/signature.ts';
import { describeAnswer } from '../suites/answer.ts';
import type { Attempt } from '../suites/delivery.ts';
import { Activity } from './activity.ts';
import { positiveControl } from './control.ts';
import { reportedAttempt } from './counterexample.ts';
import { createDeliverer } from './deliverer.ts';
import { described } from './described.ts';
import { EventQueue } from './eventQueue.ts';
import { makeObservations } from './observing.ts';
import type { ReceiverPlan } from './plan.ts';
import { createProbe, type Probe } from './probe.ts';
import { DeliveryLog, type ReceiverContext } from './receiverContext.ts';
import { ReceiverRun } from './receiverRun.ts';
import { isThere } from './isThere.ts';
import { RunEnded } from './runEnded.ts';
import type { RunEnd } from './runEvents.ts';
import { runStarted } from './runStarted.ts';
import { Settler } from './settler.ts';
import { singleFlight } from './singleFlight.ts';

/**
 * Holds a receiver against the contract. Yields everything that happens, in order, from `run.started` to
 * `run.finished`; ends the same way when it is interrupted (`plan.signal`), loses its target, or fails itself.
 *
 * @example for await (const event of runReceiver(plan)) journal.write(event);
 */
export async function* runReceiver(plan: ReceiverPlan): AsyncGenerator<RunEvent> {
  const events = new EventQueue<RunEvent>();
  const run = conduct(plan, events).finally(() => events.close());
  yield* events;
  await run;
}

async function conduct(plan: ReceiverPlan, events: EventQueue<RunEvent>): Promise<void> {
  const start = performance.now();
  const elapsed = () => Math.round((performance.now() - start) * 10) / 10;
  events.push(runStarted(plan, { kind: 'receiver', address: plan.url.href }));
  const deliverer = createDeliverer(plan);
  const probe = plan.probe === undefined ? undefined : createProbe(plan.probe);
  const context = createContext(plan, {
    deliverer,
    probe,
    elapsed,
    emit: (event) => events.push({ ...event, ms: elapsed() } as RunEvent),
  });
  try {
    await testTarget(context);
  } catch (error) {
    if (!(error instanceof RunEnded)) context.emit({ type: 'kit.errored', where: 'engine', ...described(error) });
  } finally {
    await Promise.allSettled([deliverer.close(), probe?.close()]);
    const interrupted = plan.signal.aborted;
    const complete = context.endedBy === undefined && !interrupted;
    events.push({
      type: 'run.finished',
      ms: elapsed(),
      at: new Date().toISOString(),
      durationMs: Math.round(elapsed()),
      complete,
      interrupted,
    });
  }
}

async function testTarget(context: ReceiverContext): Promise<void> {
  const control = await positiveControl(context);
  const attempt = reportedAttempt(context, control.attempt, '');
  context.emit({ type: 'control.finished', accepted: control.accepted, attempt });
  if (!control.accepted) return lose(context, control.attempt);
  await new ReceiverRun(context, control.found).run(context.plan.checks);
  if (context.endedBy === undefined) await makeObservations(context, control.found);
}

function lose(context: ReceiverContext, { answer }: Attempt): void {
  const { plan } = context;
  if (answer.kind !== 'answered') {
    const reason = `the receiver at ${plan.url.href} cannot be reached: ${describeAnswer(answer)}`;
    return context.end({ reason, advice: 'Start the receiver, check the address and the port, and run again.' });
  }
  const advice =
    plan.secrets.length === 0
      ? 'No secret was given, so the delivery was not signed: give --secret (or SEAWORTHY_SECRET).'
      : 'Check --secret, the path of the URL, and --events; if the receiver expects another signature, see seaworthy requirements --assumptions.';
  context.end({
    reason: `a plain valid delivery was not accepted: the receiver answered ${describeAnswer(answer)}`,
    advice,
  });
}

interface Parts extends Pick<ReceiverContext, 'elapsed' | 'emit' | 'deliverer'> {
  readonly probe: Probe | undefined;
}

function createContext(plan: ReceiverPlan, { deliverer, probe, elapsed, emit }: Parts): ReceiverContext {
  const scheme = parseScheme(assumptionValue(plan.assumptions, 'signature.scheme'));
  const log = new DeliveryLog();
  const ending = new AbortController();
  const ended = AbortSignal.any([plan.signal, ending.signal]);
  const settler = probe && new Settler({ probe, times: log, settle: plan.settle, signal: ended });
  let endedBy: RunEnd | undefined;
  return {
    plan,
    scheme,
    signatureHeader: signatureHeaderName(scheme, assumptionValue(plan.assumptions, 'signature.header')),
    deliverer,
    settler,
    probe,
    activity: new Activity(plan.concurrency * 4, () => void settler?.begin()),
    log,
    startedAt: Date.now(),
    elapsed,
    emit,
    emitDelivery: (event) => emit({ type: 'delivery.finished', ...event }),
    ended,
    end(end) {
      if (endedBy !== undefined || plan.signal.aborted) return;
      endedBy = end;
      if (end.lost !== false) emit({ type: 'target.lost', reason: end.reason, advice: end.advice ?? '' });
      ending.abort();
    },
    get endedBy() {
      return endedBy ?? (plan.signal.aborted ? { reason: 'the run was interrupted' } : undefined);
    },
    stillThere: singleFlight(() => isThere(deliverer)),
  };
}
