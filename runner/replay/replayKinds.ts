import { receiverChecks } from '../../suites/receiver/index.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import { fuzzCheckId, fuzzModels } from '../fuzz/fuzzChecks.ts';
import type { FuzzModel } from '../fuzz/fuzzTarget.ts';
import { replaySequence } from './replaySequence.ts';
import type { PlayApi } from '../receiver/plan.ts';
import { receiverPlan } from '../receiver/receiverPlan.ts';
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
import { receiverSuite } from '../receiver/runReceiver.ts';
import { serviceSuite } from '../service/runService.ts';
import type { Found } from '../engine/trial.ts';
import { cannotRun, replayed, savedCaseAgain, type Replayed } from '../engine/replayed.ts';
import type { Side, SideCheck } from '../engine/side.ts';
import type { Suite } from '../engine/suite.ts';

/** How a case of a receiver is tried again. @param play - starts the service's API, where a case needs it */
export function receiverReplay(play?: PlayApi): ReplayKind<ReceiverReplaySettings> {
  return {
    secret: { flag: '--secret', variable: secretVariable },
    options: receiverReplayOptions,
    secretsOf: ({ secret }) => secret,
    knows: (saved) => isKnown(saved, receiverChecks, fuzzModels.receiver),
    read: (sources) => resolveSettings(receiverReplayOptions, sources),
    async replay(url, settings, saved, signal) {
      const wanted = secretsOf(saved);
      if (settings.secret.length < wanted)
        return cannotRun(
          `the case signs with secret number ${wanted}: give --secret ${wanted} times, in the order of the run`,
        );
      const given = { ...settings, ...selectionOf(saved), signal, ...(play && { play }) };
      if (saved.sequence === undefined) return replayCase(receiverSuite, await receiverPlan(url, given), saved);
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
    if (saved.sequence === undefined) return replayCase(serviceSuite, await servicePlan(url, given), saved);
    return replaySequence({ subject: 'service', plan: await servicePlan(url, { ...given, checks: [] }) }, saved);
  },
};

/** How many secrets the steps of a sequence sign with, where it is more than one. */
function secretsOf({ sequence = [], beside = [] }: SavedCase): number {
  const places = JSON.stringify([sequence, beside]).matchAll(/"secret":(\d+)/g);
  return Math.max(0, ...Array.from(places, ([, place]) => Number(place) + 1));
}

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
 * Tries a saved case again: the positive control, then this case alone, with fresh ids.
 *
 * @param plan - for the case's check alone
 * @throws UsageError where the target cannot be started, or the kit cannot listen, as the user asked for
 * @throws whatever a fault of the kit throws
 */
function replayCase<
  Plan extends { readonly checks: readonly C[]; readonly signal: AbortSignal },
  C extends SideCheck<Draw>,
  Draw extends { readonly events: readonly unknown[] },
  F extends Found & { readonly expected: string },
  S extends Side<C, Draw, F>,
>(suite: Suite<Plan, C, Draw, F, S>, plan: Plan, saved: SavedCase): Promise<Replayed> {
  return replayed(plan.signal, ({ settle, ...parts }) =>
    suite.inSession(plan, { ...parts, work: async (side) => settle(await savedCaseAgain(side, plan.checks, saved)) }),
  );
}
