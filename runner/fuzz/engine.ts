import type { RunEvent, RunStarted } from '../../reports/model/events.ts';
import { EventQueue } from '../engine/eventQueue.ts';
import type { GuardedProcess } from '../process/guardedProcess.ts';
import { inSession } from '../receiver/receiverSession.ts';
import type { RunEnd, UntimedEvent } from '../engine/runEvents.ts';
import { runStarted } from '../engine/runStarted.ts';
import { hiddenEvent } from '../secrets/hiddenEvent.ts';
import { secretsOf, secretsOfService } from '../secrets/secretsOf.ts';
import { inServiceSession } from '../service/serviceSession.ts';
import { targetGone } from '../receiver/receiverContext.ts';
import { CorpusFile } from './corpusFile.ts';
import { finishedChecks } from './finishChecks.ts';
import { fuzzChecks } from './fuzzChecks.ts';
import type { FuzzPlan } from './fuzzPlan.ts';
import type { FuzzFound, FuzzTarget } from './fuzzTarget.ts';
import { Lookout } from './lookout.ts';
import { fuzzModels, type FuzzModels } from './models.ts';
import { QuietEvents } from './quietEvents.ts';
import { ReceiverFuzzTarget } from './receiverFuzzTarget.ts';
import { FuzzSearch } from './search.ts';
import { ServiceFuzzTarget } from './serviceFuzzTarget.ts';
import { serviceGone } from '../service/run.ts';

/**
 * Searches for sequences of deliveries, or of calls, that a target gets wrong. Yields what happens, in order, from
 * `run.started` to `run.finished`; ends the same way when it is interrupted (`plan.signal`), loses its target, or fails
 * itself.
 *
 * @param models - what right targets do. Default: those of the kit
 * @throws UsageError where the target cannot be started, or the kit cannot listen, as the user asked for
 * @example for await (const event of runFuzz(plan)) journal.write(event);
 */
export async function* runFuzz(plan: FuzzPlan, models: Partial<FuzzModels> = {}): AsyncGenerator<RunEvent> {
  const events = new EventQueue<RunEvent>();
  const left = new AbortController();
  const signal = AbortSignal.any([plan.plan.signal, left.signal]);
  const run = conduct(withSignal(plan, signal), { ...fuzzModels, ...models }, events).finally(() => events.close());
  try {
    yield* events;
  } finally {
    // Anyone who stops reading ends the run, so that nothing of it goes on unseen.
    left.abort();
    await run;
  }
}

/** The second opinion takes a third of the kit's time, and the suites have it anyway. */
function withSignal(plan: FuzzPlan, signal: AbortSignal): FuzzPlan {
  if (plan.subject === 'receiver') return { ...plan, plan: { ...plan.plan, signal } };
  return { ...plan, plan: { ...plan.plan, signal, secondOpinion: false } };
}

async function conduct(plan: FuzzPlan, models: FuzzModels, queue: EventQueue<RunEvent>): Promise<void> {
  const start = performance.now();
  const elapsed = (): number => Math.round((performance.now() - start) * 10) / 10;
  const secrets = plan.subject === 'receiver' ? secretsOf(plan.plan) : secretsOfService(plan.plan);
  const push = (event: UntimedEvent): void => queue.push({ ...hiddenEvent(event, secrets), ms: elapsed() } as RunEvent);
  const events = new QuietEvents(push);
  const parts = { elapsed, emit: (event: UntimedEvent) => events.emit(event) };
  const end = (context: Ended | undefined): void => push(finished(plan, context, elapsed()));
  if (plan.subject === 'receiver') {
    await inSession(plan.plan, {
      ...parts,
      begin: () => queue.push(hiddenEvent(started(plan, models), secrets)),
      work: async (context, found) => {
        const target = new ReceiverFuzzTarget(context, found, models.receiver);
        await searched(target, plan, events, async () => {
          if (!(await isThereOrBroughtBack(context))) context.end(targetGone('before the run had ended'));
        });
      },
      end,
    });
    return;
  }
  queue.push(hiddenEvent(started(plan, models), secrets));
  await inServiceSession(plan.plan, {
    ...parts,
    work: async (context, found) => {
      const target = new ServiceFuzzTarget(context, found, models.service);
      await searched(target, plan, events, async () => {
        context.refusals.tell(context);
        if (!(await isThereOrBroughtBack(context))) context.end(serviceGone('before the run had ended'));
      });
    },
    end,
  });
}

/** Whether the target takes connections; one that is under process control may have died a moment ago. */
async function isThereOrBroughtBack({ ended, targetProcess, stillThere }: Lasting): Promise<boolean> {
  if (await stillThere()) return true;
  await targetProcess?.guardian.missed(stillThere);
  return ended.aborted || (await stillThere());
}

function started(plan: FuzzPlan, models: FuzzModels): RunStarted {
  const { subject, plan: base, budget, feedback, requirements } = plan;
  const checks = fuzzChecks(models[subject], base.contract, requirements);
  const address = plan.subject === 'receiver' ? plan.plan.url.href : plan.plan.base.href;
  return {
    ...runStarted({ ...base, checks }, { kind: subject, address }),
    search: { ...budget, feedback },
  };
}

/** @param looksForTarget - ends the run where the target is gone: then nothing that was not broken is known to hold */
async function searched<F extends FuzzFound>(
  target: FuzzTarget<F>,
  plan: FuzzPlan,
  events: QuietEvents,
  looksForTarget: () => Promise<void>,
): Promise<void> {
  const { seed, kit } = plan.plan;
  const file = new CorpusFile(plan.corpus, plan.subject, kit.version);
  const search = new FuzzSearch(target, { search: plan, seed, file, events });
  for (const { id } of search.checks) events.emit({ type: 'check.started', check: id });
  const lookout = new Lookout(target, events);
  await search.run(lookout);
  if (!target.ended.aborted) await looksForTarget();
  if (!target.ended.aborted && events.unanswered > 0) await lookout.look();
  for (const event of finishedChecks(target, search)) events.emit(event);
}

/** A target as it is looked for at the end of a search. */
interface Lasting {
  readonly ended: AbortSignal;
  readonly targetProcess: GuardedProcess | undefined;
  readonly stillThere: () => Promise<boolean>;
}

/** How a run ended. */
interface Ended {
  readonly endedBy: RunEnd | undefined;
}

function finished({ plan }: FuzzPlan, context: Ended | undefined, ms: number): UntimedEvent {
  const interrupted = plan.signal.aborted;
  // What the budget ended is complete.
  const atItsEnd = context !== undefined && (context.endedBy === undefined || context.endedBy.lost === false);
  const complete = atItsEnd && !interrupted;
  const at = new Date().toISOString();
  return { type: 'run.finished', at, durationMs: Math.round(ms), complete, interrupted };
}
