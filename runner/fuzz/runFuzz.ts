import type { CheckFinished, RunEvent, RunStarted } from '../../reports/model/events.ts';
import { strictest } from '../engine/checkEnd.ts';
import { type EventSink, eventStream, runFinished, type UntimedEvent } from '../engine/eventStream.ts';
import { runStarted } from '../engine/runStarted.ts';
import type { SessionParts } from '../engine/session.ts';
import type { Side, SideCheck } from '../engine/side.ts';
import type { Suite } from '../engine/suite.ts';
import { receiverSuite } from '../receiver/runReceiver.ts';
import { hiddenEvent, type Secrets } from '../secrets/secrets.ts';
import { serviceSuite } from '../service/runService.ts';
import { CorpusFile } from './corpus.ts';
import { fuzzChecks, fuzzModels } from './fuzzTarget.ts';
import type { FuzzCheck, FuzzModels, FuzzFound, FuzzTarget } from './fuzzTarget.ts';
import type { FuzzPlan, FuzzSubject } from './fuzzPlan.ts';
import { QuietEvents } from './lookout.ts';
import { ReceiverFuzzTarget, ServiceFuzzTarget } from './targetKinds.ts';
import { FuzzSearch } from './search.ts';
import type { SideFound, SideTarget } from './sideTarget.ts';

/** What is done with a target of sequences, whatever side it is made of. */
type TargetWork = <C extends SideCheck<Draw>, Kit, Draw, F extends SideFound>(
  target: SideTarget<C, Kit, Draw, F>,
) => Promise<void>;

/** A target of sequences that is not open yet, whatever side it will be made of. */
interface Searchable {
  readonly target: RunStarted['target'];
  readonly secrets: Secrets;
  /** @param signal - ends it early */
  inSession(
    signal: AbortSignal,
    parts: Omit<SessionParts<never>, 'work'> & { readonly work: TargetWork },
  ): Promise<void>;
}

/** The one place where a search, or a replay of what it found, distinguishes receivers from services. */
export function searchable(subject: FuzzSubject, models: Partial<FuzzModels> = {}): Searchable {
  const { receiver, service } = { ...fuzzModels, ...models };
  switch (subject.subject) {
    case 'receiver':
      return searchableSide(receiverSuite, subject.plan, (side) => new ReceiverFuzzTarget(side, receiver));
    case 'service': {
      // The second opinion takes a third of the kit's time, and the suites have it anyway.
      const plan = { ...subject.plan, secondOpinion: false };
      return searchableSide(serviceSuite, plan, (side) => new ServiceFuzzTarget(side, service));
    }
  }
}

function searchableSide<Plan, C extends SideCheck<Draw>, Kit, Draw, F extends SideFound, S extends Side<C, Draw, F>>(
  suite: Suite<Plan, C, Draw, F, S>,
  plan: Plan,
  targetOf: (side: S) => SideTarget<C, Kit, Draw, F>,
): Searchable {
  return {
    target: suite.target(plan),
    secrets: suite.secretsOf(plan),
    inSession: (signal, { work, ...parts }) =>
      suite.inSession({ ...plan, signal }, { ...parts, work: (side) => work(targetOf(side)) }),
  };
}

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
  const { time: timeLimit } = plan.budget;
  // A search that its time ends is complete.
  let complete = false;
  await subject.inSession(sink.signal, {
    elapsed: () => sink.elapsed(),
    ...(timeLimit !== undefined && { timeLimit }),
    emit: (event) => events.emit(event),
    begin: () => sink.push(hiddenEvent(started(plan, target, models), secrets)),
    work: async (fuzzed) => {
      await searched(fuzzed, plan, events);
      complete = fuzzed.endedBy === undefined || fuzzed.endedBy.lost === false;
    },
    end: ({ endedBy }) => emit(runFinished(complete ? undefined : endedBy, sink.signal.aborted, sink)),
  });
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
  await search.run();
  for (const event of finishedChecks(target, search)) events.emit(event);
}

/** How each requirement stands at the end of a search. */
function finishedChecks<F extends FuzzFound>(
  target: FuzzTarget<F>,
  search: FuzzSearch<F>,
): readonly Omit<CheckFinished, 'ms'>[] {
  return search.checks.map((check) => finished(target, search, check));
}

function finished<F extends FuzzFound>(target: FuzzTarget<F>, search: FuzzSearch<F>, check: FuzzCheck) {
  const [requirement] = check.requirements;
  const cases = search.judged(requirement);
  const base = { type: 'check.finished', check: check.id, cases, durationMs: Math.round(target.elapsed()) } as const;
  const failure = search.failures.smallestOf(requirement);
  if (failure) {
    const { counterexample } = failure;
    const level = strictest(target.contract, counterexample.requirements);
    return { ...base, outcome: level === 'must' ? 'failed' : 'warned', counterexample } as const;
  }
  const flaky = search.failures.flaky.find((known) => known.requirement === requirement);
  if (flaky) {
    const { failed, tries } = flaky.rate;
    const { actual } = flaky.counterexample;
    const reason =
      tries === 0 ? untried(actual) : `a failure did not come again (${failed} of ${tries} tries): ${actual}`;
    return { ...base, outcome: 'inconclusive', reason } as const;
  }
  if (target.isLost) return { ...base, outcome: 'inconclusive', reason: target.endedBy?.reason ?? '' } as const;
  const open = search.untried(requirement);
  if (open !== undefined) return { ...base, outcome: 'inconclusive', reason: leftAside(open) } as const;
  if (cases > 0) return { ...base, outcome: 'passed' } as const;
  const late =
    target.endedBy?.lost === false
      ? 'the time was up before a sequence had ended that shows it: give it longer (--time)'
      : undefined;
  const reason = target.lacking(requirement) ?? late ?? search.silence ?? 'no sequence came to where it could be seen';
  return { ...base, outcome: 'not-observable', reason } as const;
}

function untried(actual: string): string {
  return `a failure was seen, and it was not seen again in the time that there was: ${actual}`;
}

function leftAside(actual: string): string {
  return `a sequence failed, and was not tried again until it was clear what it breaks: ${actual}`;
}
