import { caseAgain } from '../engine/caseAgain.ts';
import { cannotObserve, cannotRun, replayed, triedAgain, type Replayed } from '../engine/replayed.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import { Suspects } from '../engine/suspects.ts';
import { activityOf } from '../service/serviceRun.ts';
import type { ServiceContext } from '../service/context.ts';
import type { EventsFound } from '../service/control.ts';
import { missingServiceNeed } from '../service/missingServiceNeed.ts';
import type { ServicePlan } from '../service/plan.ts';
import { serviceDraw } from '../service/serviceDraw.ts';
import { inServiceSession } from '../service/serviceSession.ts';
import { ServiceTrier } from '../service/serviceTrier.ts';

/**
 * Tries a saved case of a service again: the positive control, then this case alone, with fresh endpoints.
 *
 * @param plan - for the case's check alone
 * @throws UsageError where the service cannot be started, or the kit cannot listen, as the user asked for
 * @throws whatever a fault of the kit throws
 */
export async function replayServiceCase(plan: ServicePlan, saved: SavedCase): Promise<Replayed> {
  return replayed<ServiceContext, EventsFound>(
    plan.signal,
    async (parts) => inServiceSession(plan, parts),
    async (context, events) => tried(context, events, saved),
  );
}

async function tried(context: ServiceContext, events: EventsFound, saved: SavedCase): Promise<Replayed | undefined> {
  const { plan } = context;
  const check = plan.checks.find(({ id }) => id === saved.check);
  if (check === undefined) return cannotRun(`there is no check ${saved.check}`);
  const missing = missingServiceNeed(plan, events, check);
  if (missing !== undefined) return cannotObserve(missing);
  const generated = caseAgain(check, serviceDraw(plan, saved.events), saved);
  if (generated === undefined)
    return cannotRun(`the case cannot be made again: it was written by version ${saved.kit.version}`);
  const activity = activityOf(check, context);
  return triedAgain(check, new ServiceTrier(context, check, activity, new Suspects()), activity, generated);
}
