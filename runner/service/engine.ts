import type { RunEvent } from '../../reports/model/events.ts';
import { EventQueue } from '../engine/eventQueue.ts';
import { runStarted } from '../engine/runStarted.ts';
import type { ServiceContext } from './context.ts';
import type { EventsFound } from './control.ts';
import type { ServicePlan } from './plan.ts';
import { hiddenEvent } from '../secrets/hiddenEvent.ts';
import { secretsOfService } from '../secrets/secretsOf.ts';
import { ServiceRun } from './serviceRun.ts';
import { inServiceSession } from './serviceSession.ts';
import { serviceGone } from './run.ts';

/**
 * Tests a service against the contract. Yields everything that happens, in order, from `run.started` to
 * `run.finished`; ends the same way when it is interrupted (`plan.signal`), loses its target, or fails itself.
 *
 * @example for await (const event of runService(plan)) journal.write(event);
 */
export async function* runService(plan: ServicePlan): AsyncGenerator<RunEvent> {
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

async function conduct(plan: ServicePlan, events: EventQueue<RunEvent>): Promise<void> {
  const start = performance.now();
  const elapsed = () => Math.round((performance.now() - start) * 10) / 10;
  // The command that starts the service may well hold its key.
  events.push(hiddenEvent(runStarted(plan, { kind: 'service', address: plan.base.href }), secretsOfService(plan)));
  await inServiceSession(plan, {
    elapsed,
    emit: (event) => events.push({ ...event, ms: elapsed() } as RunEvent),
    work: testTarget,
    end(context) {
      const interrupted = plan.signal.aborted;
      const complete = context !== undefined && context.endedBy === undefined && !interrupted;
      const at = new Date().toISOString();
      const durationMs = Math.round(elapsed());
      events.push({ type: 'run.finished', ms: elapsed(), at, durationMs, complete, interrupted });
    },
  });
}

async function testTarget(context: ServiceContext, events: EventsFound): Promise<void> {
  await new ServiceRun(context, events).run(context.plan.checks);
  context.refusals.tell(context);
  for (const tell of context.doubtful) tell();
  if (!context.ended.aborted && !(await context.stillThere())) context.end(serviceGone('before the run had ended'));
}
