import type { RunEvent, RunStarted } from '../../reports/model/events.ts';
import { hiddenEvent, type Secrets } from '../secrets/secrets.ts';
import { eventStream, runFinished } from './eventStream.ts';
import type { Found } from './trial.ts';
import { runStarted, type StartedPlan } from './runStarted.ts';
import type { SessionParts } from './session.ts';
import type { EarlierPart } from './plan.ts';
import type { Side, SideCheck } from './side.ts';
import { SuiteRun } from './suiteRun.ts';

/** A suite: what its runs begin with, and how a target becomes a {@link Side}. */
export interface Suite<Plan, C extends SideCheck<Draw>, Draw, F extends Found, S extends Side<C, Draw, F>> {
  target(plan: Plan): RunStarted['target'];
  /** Ids of requirements that count like a MUST because the user declared them. */
  declared(plan: Plan): readonly string[];
  /** What is written nowhere. */
  secretsOf(plan: Plan): Secrets;
  inSession(plan: Plan, parts: SessionParts<S>): Promise<void>;
  /** Called once every check has ended. */
  finish(side: S): Promise<void>;
}

/** What the engine reads of a plan. */
interface SuitePlan<C> extends StartedPlan {
  readonly checks: readonly (C & StartedPlan['checks'][number])[];
  readonly earlier?: EarlierPart;
  readonly signal: AbortSignal;
}

/**
 * Tests a target against the contract. Yields everything that happens, in order, from `run.started` to `run.finished`;
 * ends the same way when it is interrupted (`plan.signal`), loses its target, or fails itself.
 */
export async function* runSuite<
  Plan extends SuitePlan<C>,
  C extends SideCheck<Draw>,
  Draw,
  F extends Found & object,
  S extends Side<C, Draw, F>,
>(suite: Suite<Plan, C, Draw, F, S>, plan: Plan): AsyncGenerator<RunEvent> {
  yield* eventStream(plan.signal, async (sink) => {
    const { signal } = sink;
    await suite.inSession(
      { ...plan, signal },
      {
        timeLimit: plan.timeLimit,
        elapsed: () => sink.elapsed(),
        emit: (event) => sink.emit(event),
        begin: () => sink.push(beginning(suite, plan)),
        async work(side) {
          await new SuiteRun(side).run(unsettled(plan));
          await suite.finish(side);
        },
        end: ({ endedBy }) => sink.emit(runFinished(endedBy, signal.aborted, sink)),
      },
    );
  });
}

/** The first event of a run. The command that starts the target may well hold its key. */
export function beginning<Plan extends StartedPlan>(
  { target, declared, secretsOf }: Pick<Suite<Plan, never, never, never, never>, 'target' | 'declared' | 'secretsOf'>,
  plan: Plan,
): RunStarted {
  return hiddenEvent(runStarted(plan, target(plan), declared(plan)), secretsOf(plan));
}

/** The checks of a plan that an earlier sitting of the same run has not settled. */
export function unsettled<C extends { readonly id: string }>({
  checks,
  earlier,
}: {
  readonly checks: readonly C[];
  readonly earlier?: EarlierPart;
}): readonly C[] {
  return checks.filter(({ id }) => earlier?.settled.has(id) !== true);
}
