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
import { replayTogether } from './replayTogether.ts';
import { replayedCheck } from './replayedCheck.ts';
import { receiverDraw } from '../receiver/receiverDraw.ts';
import { serviceDraw } from '../service/serviceDraw.ts';
import { unplayable } from '../fuzz/unplayable.ts';
import { sequenceCase } from '../fuzz/sequenceCase.ts';
import { ServiceFuzzTarget } from '../fuzz/serviceFuzzTarget.ts';

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
const all = { life: true, alone: true } as const;

function ofReceiver(plan: ReceiverPlan, saved: SavedCase, { receiver: model }: FuzzModels): Promise<Replayed> {
  return replayed<ReceiverContext, ControlResult>(
    plan.signal,
    async (parts) => inSession(plan, parts),
    async (context, found) => {
      const steps = (saved.sequence ?? []).map(({ step }) => step);
      const draw = receiverDraw(context, found, found.effective.size > 0 ? 'effective' : 'accepted');
      const trouble = unplayable(model, model.kinds(draw, all), saved);
      if (trouble !== undefined) return cannotRun(trouble);
      const holdsLife = steps.some((step) => model.holdsLife(step));
      const check = replayedCheck(model, saved, holdsLife);
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
      const draw = serviceDraw(plan, events.possible ? context.happenings.events : []);
      const trouble = unplayable(model, model.kinds(draw, all), saved);
      if (trouble !== undefined) return cannotRun(trouble);
      const holdsLife = steps.some((step) => model.holdsLife(step));
      const check = { ...replayedCheck(model, saved, holdsLife), waits: true };
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
