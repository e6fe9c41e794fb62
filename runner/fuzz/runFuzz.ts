import type { RunEvent, RunStarted } from '../../reports/model/events.ts';
import { eventStream, runFinished, type EventSink } from '../engine/eventStream.ts';
import type { RunEnd, UntimedEvent } from '../engine/runEvents.ts';
import { runStarted } from '../engine/runStarted.ts';
import { hiddenEvent } from '../secrets/hiddenEvent.ts';
import { CorpusFile } from './corpusFile.ts';
import { finishedChecks } from './finishChecks.ts';
import { fuzzChecks } from './fuzzChecks.ts';
import type { FuzzPlan } from './fuzzPlan.ts';
import type { FuzzFound, FuzzTarget } from './fuzzTarget.ts';
import { Lookout } from './lookout.ts';
import { fuzzModels, type FuzzModels } from './models.ts';
import { QuietEvents } from './quietEvents.ts';
import { FuzzSearch } from './search.ts';
import { searchable } from './searchable.ts';

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
  yield* eventStream(plan.plan.signal, (sink) => conduct(plan, { ...fuzzModels, ...models }, sink));
}

async function conduct(plan: FuzzPlan, models: FuzzModels, sink: EventSink): Promise<void> {
  const subject = searchable(plan, models);
  const { target, secrets } = subject;
  const emit = (event: UntimedEvent): void => sink.emit(hiddenEvent(event, secrets));
  const events = new QuietEvents(emit);
  await subject.inSession(sink.signal, {
    elapsed: () => sink.elapsed(),
    emit: (event) => events.emit(event),
    begin: () => sink.push(hiddenEvent(started(plan, target, models), secrets)),
    work: (fuzzed) => searched(fuzzed, plan, events),
    end: ({ endedBy }) => emit(runFinished(budgetAside(endedBy), sink.signal.aborted, sink)),
  });
}

/** What the budget ended is complete. */
function budgetAside(endedBy: RunEnd | undefined): RunEnd | undefined {
  return endedBy?.lost === false ? undefined : endedBy;
}

function started(plan: FuzzPlan, target: RunStarted['target'], models: FuzzModels): RunStarted {
  const { subject, plan: base, budget, feedback, requirements, required = [] } = plan;
  const checks = fuzzChecks(models[subject], base.contract, requirements);
  return {
    ...runStarted({ ...base, timeLimit: undefined, checks, required }, target),
    search: { ...budget, feedback },
  };
}

async function searched<F extends FuzzFound>(
  target: FuzzTarget<F>,
  plan: FuzzPlan,
  events: QuietEvents,
): Promise<void> {
  const { seed, kit } = plan.plan;
  const file = new CorpusFile(plan.corpus, plan.subject, kit.version);
  const search = new FuzzSearch(target, { search: plan, seed, file, events });
  for (const { id } of search.checks) events.emit({ type: 'check.started', check: id });
  const lookout = new Lookout(target, events);
  await search.run(lookout);
  if (!target.ended.aborted) await target.conclude();
  if (!target.ended.aborted && events.unanswered > 0) await lookout.look();
  for (const event of finishedChecks(target, search)) events.emit(event);
}
