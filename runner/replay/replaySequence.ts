import type { Activity } from '../engine/activity.ts';
import { missingNeed } from '../receiver/missingNeed.ts';
import type { ControlResult, ReceiverContext } from '../receiver/receiverContext.ts';
import { inSession } from '../receiver/receiverSession.ts';
import { ReceiverTrier } from '../receiver/receiverTrier.ts';
import { cannotObserve, cannotRun, replayed, triedAgain, type Replayed } from '../engine/replayed.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import { activityOf } from '../service/serviceRun.ts';
import type { ServiceContext } from '../service/context.ts';
import type { EventsFound } from '../service/control.ts';
import { missingServiceNeed } from '../service/missingServiceNeed.ts';
import { inServiceSession } from '../service/serviceSession.ts';
import { ServiceTrier } from '../service/serviceTrier.ts';
import type { ReceiverPlan } from '../engine/plan.ts';
import type { ServicePlan } from '../service/plan.ts';
import { Suspects } from '../engine/suspects.ts';
import type { FuzzSubject } from '../fuzz/fuzzPlan.ts';
import { fuzzModels, type FuzzModels } from '../fuzz/models.ts';
import { ReceiverFuzzTarget } from '../fuzz/receiverFuzzTarget.ts';
import { receiverDraw } from '../receiver/receiverDraw.ts';
import { serviceDraw } from '../service/serviceDraw.ts';
import { unplayable } from '../fuzz/unplayable.ts';
import { sequenceCase, type SequenceCase } from '../fuzz/sequenceCase.ts';
import { sequenceSchedule, ServiceFuzzTarget } from '../fuzz/serviceFuzzTarget.ts';
import type { FuzzFound, FuzzTarget } from '../fuzz/fuzzTarget.ts';
import { Unobservable, Unproven } from '../../suites/check.ts';
import type { Fuzzing } from '../../suites/fuzz/fuzzing.ts';

/**
 * Plays a saved sequence again, as it stands in the file: the positive control, then its steps alone, with fresh ids.
 * One that did not fail each time when it was found is played several times.
 *
 * @param target - its plan's checks do not matter
 * @param models - what right targets do. Default: those of the kit
 * @throws UsageError where the target cannot be started, or the kit cannot listen, as the user asked for
 * @throws whatever a fault of the kit throws
 */
export async function replaySequence(
  target: FuzzSubject,
  saved: SavedCase,
  models: Partial<FuzzModels> = {},
): Promise<Replayed> {
  const known = { ...fuzzModels, ...models };
  if (target.subject === 'receiver') return ofReceiver(target.plan, saved, known);
  return ofService({ ...target.plan, secondOpinion: false }, saved, known);
}

/** Whatever a run may have the means for. */
const all = { processControl: true, alone: true } as const;

function ofReceiver(plan: ReceiverPlan, saved: SavedCase, { receiver: model }: FuzzModels): Promise<Replayed> {
  return replayed<ReceiverContext, ControlResult>(
    plan.signal,
    async (parts) => inSession(plan, parts),
    async (context, found) => {
      const steps = (saved.sequence ?? []).map(({ step }) => step);
      const draw = receiverDraw(context, found, found.effective.size > 0 ? 'effective' : 'accepted');
      const trouble = unplayable(model, model.kinds(draw, all), saved);
      if (trouble !== undefined) return cannotRun(trouble);
      const controlsProcess = steps.some((step) => model.controlsProcess(step));
      const check = replayedCheck(model, saved, controlsProcess);
      const missing = missingNeed(plan, found, check);
      if (missing !== undefined) return cannotObserve(missing);
      if (saved.beside) return replayTogether(new ReceiverFuzzTarget(context, found, model), saved);
      context.activity.limit = 1;
      const trier = new ReceiverTrier(context, found, check, new Suspects());
      return again(saved, trier, context.activity, sequenceCase(steps, 0).generated);
    },
  );
}

function ofService(plan: ServicePlan, saved: SavedCase, { service: model }: FuzzModels): Promise<Replayed> {
  return replayed<ServiceContext, EventsFound>(
    plan.signal,
    async (parts) => inServiceSession(plan, parts),
    async (context, events) => {
      const steps = (saved.sequence ?? []).map(({ step }) => step);
      const draw = serviceDraw(plan, events.possible ? context.triggeredEvents.events : []);
      const trouble = unplayable(model, model.kinds(draw, all), saved);
      if (trouble !== undefined) return cannotRun(trouble);
      const controlsProcess = steps.some((step) => model.controlsProcess(step));
      const check = { ...replayedCheck(model, saved, controlsProcess), schedule: sequenceSchedule(controlsProcess) };
      const missing = missingServiceNeed(plan, events, check);
      if (missing !== undefined) return cannotObserve(missing);
      if (saved.beside) return replayTogether(new ServiceFuzzTarget(context, events, model), saved);
      const activity = activityOf(check, context);
      const trier = new ServiceTrier(context, check, activity, new Suspects());
      return again(saved, trier, activity, sequenceCase(steps, 0).generated);
    },
  );
}

async function again(
  { sequence, rate }: SavedCase,
  trier: Parameters<typeof triedAgain>[1],
  activity: Activity,
  generated: Parameters<typeof triedAgain>[3],
): Promise<Replayed | undefined> {
  if (sequence === undefined) return cannotRun('the file holds no sequence');
  const timed = rate !== undefined && rate.failed < rate.tries;
  return triedAgain({ timed }, trier, activity, generated);
}

/** How often sequences are played again that did not fail yet. */
const tries = 5;

/**
 * Plays saved sequences that failed only side by side: at the same time again, several times.
 *
 * @returns nothing where the run ended meanwhile
 */
async function replayTogether<F extends FuzzFound>(
  target: FuzzTarget<F>,
  { sequence = [], beside = [], cause, requirements: [broken = target.model.fatal] }: SavedCase,
): Promise<Replayed | undefined> {
  const all = [sequence, ...beside].map((steps) => steps.map(({ step }) => step));
  let judged = false;
  for (let count = 0; count < tries; count++) {
    const played = await target.play(all, false);
    target.forget();
    for (const { trial } of played) {
      if (trial.kind === 'errored') throw trial.error;
      if (trial.kind === 'broken' && trial.finding.cause === cause) return { outcome: 'fails', finding: trial.finding };
    }
    if (target.ended.aborted) return undefined;
    judged ||= played.some((each) => each.judged.includes(broken));
  }
  return judged ? { outcome: 'fixed', tries } : cannotRun(`nothing of it shows whether ${broken} is broken`);
}

/** A saved sequence as a check. It shows nothing where the requirement that was broken cannot be seen. */
function replayedCheck<Kit, Source, Found extends object>(
  model: Fuzzing<Kit, Source, Found>,
  { check: id, title, requirements }: SavedCase,
  controlsProcess: boolean,
) {
  const [broken = model.fatal] = requirements;
  return {
    id,
    title,
    requirements: [broken] as const,
    needs: controlsProcess ? (['process-control'] as const) : [],
    fatal: model.fatal,
    hint: '',
    cases: () => [],
    run: async (kit: Kit, value: unknown): Promise<Found | undefined> => {
      const { steps } = value as SequenceCase<Found>;
      const { finding, judged } = await model.run(kit, steps).catch((error: unknown) => {
        // What stands in a file may be anything: a damaged step is no fault of the kit.
        if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
        throw new Unobservable(`a step of the file cannot be played as it stands: ${error.message}`);
      });
      if (finding === undefined && broken !== model.fatal && !judged.includes(broken))
        throw new Unproven(
          `nothing of it shows whether ${broken} is broken: see that all options of that run are given`,
        );
      return finding;
    },
  };
}
