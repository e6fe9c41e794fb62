import type { ReceiverConfig, ServiceConfig } from '../options/config.ts';
import type { Options } from '../options/option.ts';
import type { PlayApi } from '../receiver/plan.ts';
import { receiverReplay, serviceReplay } from './replayKinds.ts';
import { receiverReplayOptions, serviceReplayOptions } from '../options/replayOptions.ts';
import { replaySaved, replayWords } from './replaySaved.ts';
import { caseOf, readSavedCase, type SavedCase } from '../engine/savedCase.ts';
import type { CommandLine } from '../options/settings.ts';

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
