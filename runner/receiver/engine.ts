import { performance } from 'node:perf_hooks';

import type { RunEvent } from '../../reports/model/events.ts';
import { EventQueue } from '../engine/eventQueue.ts';
import type { ReceiverPlan } from '../engine/plan.ts';
import type { ReceiverContext, ControlResult } from './receiverContext.ts';
import { ReceiverRun } from './receiverRun.ts';
import { inSession } from './receiverSession.ts';
import { hiddenEvent } from '../secrets/hiddenEvent.ts';
import { secretsOf } from '../secrets/secretsOf.ts';
import type { UntimedEvent } from '../engine/runEvents.ts';
import { declaredRequirements, runStarted } from '../engine/runStarted.ts';
import { Unproven } from '../../suites/check.ts';
import { receiverObservations } from '../../suites/receiver/observations.ts';
import { CaseKit } from './receiverKit.ts';
import { RunEnded } from '../engine/runEnded.ts';

/**
 * Tests a receiver against the contract. Yields everything that happens, in order, from `run.started` to
 * `run.finished`; ends the same way when it is interrupted (`plan.signal`), loses its target, or fails itself.
 *
 * @example for await (const event of runReceiver(plan)) journal.write(event);
 */
export async function* runReceiver(plan: ReceiverPlan): AsyncGenerator<RunEvent> {
  const events = new EventQueue<RunEvent>();
  const left = new AbortController();
  const signal = AbortSignal.any([plan.signal, left.signal]);
  const run = conduct({ ...plan, signal }, events).finally(() => events.close());
  try {
    yield* events;
  } finally {
    // Anyone who stops reading ends the run, so that nothing of it goes on unseen.
    left.abort();
    await run;
  }
}

async function conduct(plan: ReceiverPlan, events: EventQueue<RunEvent>): Promise<void> {
  const start = performance.now();
  const elapsed = () => Math.round((performance.now() - start) * 10) / 10;
  const emit = (event: UntimedEvent): void => events.push({ ...event, ms: elapsed() } as RunEvent);
  const target = { kind: 'receiver', address: plan.url.href } as const;
  await inSession(plan, {
    elapsed,
    emit,
    begin: () => events.push(hiddenEvent(runStarted(plan, target, declaredRequirements(plan)), secretsOf(plan))),
    work: async (context, found) => {
      await new ReceiverRun(context, found).run(plan.checks);
      if (context.endedBy === undefined) await makeObservations(context, found);
    },
    end: (context) => emit(finished(context)),
  });
}

function finished(context: ReceiverContext): UntimedEvent {
  const interrupted = context.plan.signal.aborted;
  return {
    type: 'run.finished',
    at: new Date().toISOString(),
    durationMs: Math.round(context.elapsed()),
    complete: context.endedBy === undefined && !interrupted,
    interrupted,
  };
}

/** Makes the observations that belong to the selected checks, one after the other, once every check has ended. */
async function makeObservations(context: ReceiverContext, found: ControlResult): Promise<void> {
  const { plan, activity } = context;
  const selected = new Set(plan.checks.map(({ id }) => id));
  const possible = receiverObservations.filter(
    ({ beside, needsSecret }) => selected.has(beside) && (!needsSecret || plan.secrets.length > 0),
  );
  for (const [index, observation] of possible.entries()) {
    const kit = new CaseKit(context, { check: observation.beside, case: -1 - index }, found);
    await activity.run(() => observation.observe(kit)).catch(ignoreEnd);
  }
  observeLatency(context);
}

/** GAP-17 of a contract is about time-outs: how long the slowest answer took tells what would be too short. */
function observeLatency(context: ReceiverContext): void {
  const { log, plan } = context;
  if (log.slowest === 0) return;
  const gap = plan.assumptions.find(({ key }) => key === 'delivery.timeout')?.gap;
  if (gap === undefined) return;
  const value = `the slowest accepted delivery was answered after ${Math.ceil(log.slowest)} ms`;
  context.emit({
    type: 'observed',
    gap,
    value,
    evidence: `${log.count} deliveries; the time-out was ${plan.timeout} ms`,
  });
}

function ignoreEnd(error: unknown): void {
  if (!(error instanceof RunEnded) && !(error instanceof Unproven)) throw error;
}
