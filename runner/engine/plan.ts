import type { LeftOutCheck, Resumed, Shard } from '../../reports/model/selectionEvents.ts';
import type { Expectation, RetriesAwaited } from '../../reports/model/events.ts';
import type { LearnedAssumption } from '../../reports/model/runSummary.ts';
import type { Assumption } from '../../spec/assumptions.ts';
import type { Contract } from '../../spec/contract.ts';
import type { Access } from '../http/access.ts';
import type { ProcessSpec } from '../process/targetProcess.ts';

/** How many cases each property tries, from a quick look to a long run. */
export const intensities = ['quick', 'standard', 'thorough'] as const;

/** How many cases each property tries, from a quick look to a long run. */
export type Intensity = (typeof intensities)[number];

/** The deliveries or calls in flight that cases are made for (a burst, a crowd) where the user did not fix their number. */
export const usualConcurrency = 10;

/**
 * Everything that a run depends on, whatever its target is. The engine reads nothing else: no environment, no config
 * file, no clock of its own beside this.
 *
 * @typeParam C - the checks of the suite
 */
export interface RunPlan<C> extends Access {
  readonly contract: Contract;
  readonly assumptions: readonly Assumption[];
  /** Already selected, in the order of the registry. */
  readonly checks: readonly C[];
  /** Those that were not selected. */
  readonly leftOut?: readonly LeftOutCheck[];
  /** Which part of a run it is; the whole where left out. */
  readonly shard?: Shard;
  /** The run that this one goes on with, and which checks it has settled; none where left out. */
  readonly earlier?: EarlierPart;
  /** How the kit starts the target, and may kill and restart it; nothing where it runs by itself. */
  readonly targetProcess?: ProcessSpec;
  /** 0 to 4294967295. */
  readonly seed: number;
  readonly intensity: Intensity;
  /** Milliseconds that one counterexample may take to shrink. Default: by intensity. */
  readonly shrinkTime?: number;
  /** Milliseconds that the run may take, all that it does included. A search is bounded by its own budget instead. */
  readonly timeLimit?: number;
  /** Deliveries or calls in flight at most, where the user fixed it; else it follows what the target can take. */
  readonly concurrency?: number;
  /** Deliveries or calls per second at most; none where left out. */
  readonly rate?: number;
  /** Stop at the first failure. */
  readonly bail: boolean;
  /** Milliseconds that an absence is awaited; measured where left out. */
  readonly settle?: number;
  /** Bytes of one answer that are read at most, where the user said how many. */
  readonly maxAnswer?: number;
  /** Milliseconds after which a delivery or a call counts as unanswered. */
  readonly timeout: number;
  /** A broken SHOULD counts like a broken MUST. */
  readonly strict: boolean;
  readonly insecure: boolean;
  /** Ids of requirements that must be observed. */
  readonly required?: readonly string[];
  /** What is known to fail. */
  readonly expectations?: readonly Expectation[];
  /** The shell command that brings the target back to a clean state. It runs before the target is started, or anything is sent. */
  readonly reset?: string;
  readonly runId: string;
  /** The command that repeats this run: seed included, secrets left out. */
  readonly command: string;
  /** Where files of large bodies go, failed cases, and the output of a target that the kit starts. */
  readonly directory: string;
  /** What the user gave, so that failed cases can be kept; nothing where they are not. */
  readonly given?: GivenOptions;
  readonly kit: { readonly name: string; readonly version: string };
  /** Aborted means interrupted. */
  readonly signal: AbortSignal;
}

/** What a run takes over from the one that it goes on with. */
export interface EarlierPart extends Resumed {
  readonly settled: ReadonlySet<string>;
  /** The addresses of its endpoints. */
  readonly endpoints: readonly string[];
  /** The retries that were still to come to them. */
  readonly awaited: readonly RetriesAwaited[];
  readonly learned: readonly LearnedAssumption[];
}

/** What a run was given, as a saved case holds it: all but what may be a secret. */
export interface GivenOptions {
  /** The address of the target as it was given. */
  readonly url: string;
  /** Texts by option, as they would stand on a command line. */
  readonly options: Readonly<Record<string, readonly string[]>>;
  /** Names of the environment variables that the target was given. */
  readonly env: readonly string[];
}
