import { isTimed } from '../../suites/check.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import { fuzzCheckId } from '../fuzz/fuzzChecks.ts';
import type { FuzzModel } from '../fuzz/fuzzTarget.ts';
import { fuzzModels } from '../fuzz/models.ts';
import { replaySequence } from './replaySequence.ts';
import type { PlayApi } from '../receiver/playApi.ts';
import { receiverPlan } from '../receiver/receiverPlan.ts';
import { replayCase } from './replayCase.ts';
import {
  receiverReplayOptions,
  serviceReplayOptions,
  type ReceiverReplaySettings,
  type ServiceReplaySettings,
} from '../options/replayOptions.ts';
import type { ReplayKind } from './replaySaved.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import { servicePlan } from '../service/servicePlan.ts';
import { resolveSettings } from '../options/settings.ts';
import { secretVariable, tokenVariable } from '../secrets/standIns.ts';
import { caseAgain } from '../engine/caseAgain.ts';
import { cannotObserve, cannotRun, replayed, triedAgain, type Replayed } from '../engine/replayed.ts';
import { Suspects } from '../engine/suspects.ts';
import { activityOf } from '../service/serviceRun.ts';
import type { ServiceContext } from '../service/context.ts';
import type { EventsFound } from '../service/control.ts';
import { missingServiceNeed } from '../service/missingServiceNeed.ts';
import type { ServicePlan } from '../service/plan.ts';
import { serviceDraw } from '../service/serviceDraw.ts';
import { inServiceSession } from '../service/serviceSession.ts';
import { ServiceTrier } from '../service/serviceTrier.ts';

/** How a case of a receiver is tried again. @param play - starts the service's API, where a case needs it */
export function receiverReplay(play?: PlayApi): ReplayKind<ReceiverReplaySettings> {
  return {
    secret: { flag: '--secret', variable: secretVariable },
    options: receiverReplayOptions,
    secretsOf: ({ secret }) => secret,
    knows: (saved) => isKnown(saved, receiverChecks, fuzzModels.receiver),
    read: (sources) => resolveSettings(receiverReplayOptions, sources),
    async replay(url, settings, saved, signal) {
      const given = { ...settings, ...selectionOf(saved), signal, ...(play && { play }) };
      if (saved.sequence === undefined) return replayCase(await receiverPlan(url, given), saved);
      return replaySequence({ subject: 'receiver', plan: await receiverPlan(url, { ...given, checks: [] }) }, saved);
    },
  };
}

/** How a case of a service is tried again. */
export const serviceReplay: ReplayKind<ServiceReplaySettings> = {
  secret: { flag: '--token', variable: tokenVariable },
  options: serviceReplayOptions,
  secretsOf: ({ token }) => (token === undefined ? [] : [token]),
  knows: (saved) => isKnown(saved, serviceChecks, fuzzModels.service),
  read: (sources) => resolveSettings(serviceReplayOptions, sources),
  async replay(url, settings, saved, signal) {
    const given = { ...settings, ...selectionOf(saved), signal, secondOpinion: false };
    if (saved.sequence === undefined) return replayServiceCase(await servicePlan(url, given), saved);
    return replaySequence({ subject: 'service', plan: await servicePlan(url, { ...given, checks: [] }) }, saved);
  },
};

/** A sequence is played as it stands; any other case is drawn again, from its check. */
function selectionOf({ check, seed, intensity, sequence }: SavedCase) {
  return { seed, intensity, only: sequence === undefined ? [check] : [] };
}

function isKnown(
  { check, sequence }: SavedCase,
  checks: readonly { readonly id: string }[],
  { subject, requirements, fatal }: FuzzModel,
): boolean {
  if (sequence === undefined) return checks.some(({ id }) => id === check);
  return [...requirements, fatal].some((id) => fuzzCheckId(subject, id) === check);
}

/**
 * Tries a saved case of a service again: the positive control, then this case alone, with fresh endpoints.
 *
 * @param plan - for the case's check alone
 * @throws UsageError where the service cannot be started, or the kit cannot listen, as the user asked for
 * @throws whatever a fault of the kit throws
 */
async function replayServiceCase(plan: ServicePlan, saved: SavedCase): Promise<Replayed> {
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
  return triedAgain(
    { timed: isTimed(check) },
    new ServiceTrier(context, check, activity, new Suspects()),
    activity,
    generated,
  );
}
