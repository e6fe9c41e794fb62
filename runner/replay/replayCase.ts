import { caseAgain } from '../engine/caseAgain.ts';
import { drawnFrom } from '../receiver/drawnFrom.ts';
import { missingNeed } from '../receiver/missingNeed.ts';
import type { ReceiverPlan } from '../engine/plan.ts';
import type { ControlResult, ReceiverContext } from '../receiver/receiverContext.ts';
import { receiverDraw } from '../receiver/receiverDraw.ts';
import { inSession } from '../receiver/receiverSession.ts';
import { ReceiverTrier } from '../receiver/receiverTrier.ts';
import { cannotObserve, cannotRun, replayed, triedAgain, type Replayed } from '../engine/replayed.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import { isTimed } from '../../suites/check.ts';
import { Suspects } from '../engine/suspects.ts';

/**
 * Tries a saved case of a receiver again: the positive control, then this case alone, with fresh ids.
 *
 * @param plan - for the case's check alone
 * @throws UsageError where the target cannot be started as the user asked for
 * @throws whatever a fault of the kit throws
 */
export async function replayCase(plan: ReceiverPlan, saved: SavedCase): Promise<Replayed> {
  return replayed<ReceiverContext, ControlResult>(
    plan.signal,
    async (parts) => inSession(plan, parts),
    async (context, found) => tried(context, found, saved),
  );
}

async function tried(context: ReceiverContext, found: ControlResult, saved: SavedCase): Promise<Replayed | undefined> {
  const { plan, activity } = context;
  const check = plan.checks.find(({ id }) => id === saved.check);
  if (check === undefined) return cannotRun(`there is no check ${saved.check}`);
  const missing = missingNeed(plan, found, check);
  if (missing !== undefined) return cannotObserve(missing);
  const judgedBy = drawnFrom(check);
  const draw = receiverDraw(context, { ...found, [judgedBy]: new Set(saved.events) }, judgedBy);
  const generated = draw.events.length === 0 ? undefined : caseAgain(check, draw, saved);
  if (generated === undefined)
    return cannotRun(`the case cannot be made again: it was written by version ${saved.kit.version}`);
  activity.limit = 1;
  const trier = new ReceiverTrier(context, found, check, new Suspects());
  const again = await triedAgain({ timed: isTimed(check) }, trier, activity, generated);
  return check.schedule?.kind === 'last' && again?.outcome === 'fixed' ? cannotRun(tooShort) : again;
}

/** Why a case that is about the length of a run shows nothing where it holds. */
const tooShort =
  'it held, but it depends on how long a run has been, and a replay is short: run seaworthy receiver again, with this check and others';
