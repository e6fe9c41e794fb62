import { receiverChecks } from '../../suites/receiver/index.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import { cannotRun, replayed, type Replayed, savedCaseAgain } from '../engine/replayed.ts';
import { caseOf, readSavedCase, type SavedCase } from '../engine/savedCase.ts';
import type { Side, SideCheck } from '../engine/side.ts';
import type { Suite } from '../engine/suite.ts';
import type { Found } from '../engine/trial.ts';
import { fuzzCheckId, fuzzModels, type FuzzModel } from '../fuzz/fuzzTarget.ts';
import type { ReceiverConfig, ServiceConfig } from '../options/config.ts';
import type { Options } from '../options/option.ts';
import {
  receiverReplayOptions,
  type ReceiverReplaySettings,
  serviceReplayOptions,
  type ServiceReplaySettings,
} from '../options/replayOptions.ts';
import { type CommandLine, resolveSettings } from '../options/settings.ts';
import type { PlayApi } from '../receiver/plan.ts';
import { receiverPlan } from '../receiver/receiverPlan.ts';
import { receiverSuite } from '../receiver/runReceiver.ts';
import { secretVariable, tokenVariable } from '../secrets/standIns.ts';
import { serviceSuite } from '../service/runService.ts';
import { servicePlan } from '../service/servicePlan.ts';
import { type ReplayKind, replaySaved, replayWords } from './replaySaved.ts';
import { replaySequence } from './replaySequence.ts';

type Replayable = Omit<
  ReceiverConfig & ServiceConfig,
  'report' | 'only' | 'skip' | 'require' | 'intensity' | 'seed' | 'bail' | 'strict' | 'learn'
>;

/**
 * Whatever is given counts instead of what the case holds, in the forms that a config file takes: a new `url`, the `secret`
 * or the `token`, which no case holds, a `start`. What is undefined counts as not given. No config file is read.
 */
export type ReplayOptions = { readonly [Name in keyof Replayable]?: Replayable[Name] | undefined } & {
  /** Send to an address that is neither loopback nor private. */
  readonly allowRemote?: boolean | undefined;
  /** Run the commands and use the addresses that the case names, where nothing is given in their place. Default: false. */
  readonly trust?: boolean | undefined;
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined;
  /** Where `SEAWORTHY_SECRET`, `SEAWORTHY_TOKEN` and the like are looked up. Default: the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Plays the service's API; needed for cases of a receiver that reads from it (`apiListen`). */
  readonly play?: PlayApi | undefined;
};

/** How a case stands with the target as it is now. */
export interface ReplayResult {
  readonly outcome: 'fixed' | 'fails' | 'cannot-run';
  /** What was seen, or why nothing could be: for a message. */
  readonly says: string;
}

/**
 * Tries a failure again that a run has kept, as `seaworthy replay` does: the positive control, then that very case alone,
 * with fresh ids.
 *
 * @param saved - the path of the file, or what is in it
 * @throws UsageError where it is no saved case, it names a command or an address that was not given (`trust`), an option
 * cannot be read, or the target cannot be started
 *
 * @example
 * const { outcome, says } = await replay('found/receiver-fuzz-idm-2-1.json', { url: 'http://localhost:3000/hooks' });
 * expect(outcome, says).toBe('fixed');
 */
export async function replay(saved: SavedCase | string, options: ReplayOptions = {}): Promise<ReplayResult> {
  const { signal = new AbortController().signal, environment = process.env, play, trust = false, ...given } = options;
  const tried = typeof saved === 'string' ? await readSavedCase(saved) : caseOf(saved, 'the case');
  const place = (options: Options) => {
    const commandLine = textsOf(given, options);
    return { sources: { commandLine, environment, config: [], directory: process.cwd() }, trust, signal };
  };
  const again = {
    receiver: () => replaySaved(receiverReplay(play), tried, place(receiverReplayOptions)),
    service: () => replaySaved(serviceReplay, tried, place(serviceReplayOptions)),
  };
  const replayed = await again[tried.subject]();
  return { outcome: replayed.outcome, says: replayWords(replayed) };
}

/** As they would stand on a command line. */
function textsOf(given: Readonly<Record<string, unknown>>, options: Options): CommandLine {
  const known = Object.entries(given).filter(([name, value]) => value !== undefined && name in options);
  return Object.fromEntries(known.map(([name, value]) => [name, options[name]!.kind.texts(value, process.cwd())]));
}

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
