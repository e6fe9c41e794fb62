import type { Assumption } from '../../spec/assumptions.ts';
import type { Contract } from '../../spec/contract.ts';
import type { ReceiverCheck } from '../../suites/check.ts';
import type { Header } from '../../suites/delivery.ts';
import type { Access } from '../http/access.ts';
import type { ProcessSpec } from '../process/targetProcess.ts';
import type { PlayApi } from '../receiver/playApi.ts';
import type { Expectation } from '../../reports/model/events.ts';

/** How many cases each property tries, from a quick look to a long run. */
export const intensities = ['quick', 'standard', 'thorough'] as const;

/** One of {@link intensities}. */
export type Intensity = (typeof intensities)[number];

/**
 * Everything that a run of the receiver suite depends on. The engine reads nothing else: no environment, no config
 * file, no clock of its own beside this.
 */
export interface ReceiverPlan extends Access {
  readonly contract: Contract;
  readonly assumptions: readonly Assumption[];
  /** Already selected, in the order of the registry. */
  readonly checks: readonly ReceiverCheck[];
  /** Those that were not selected. */
  readonly leftOut?: readonly ReceiverCheck[];
  readonly url: URL;
  /** In the user's order; empty where none is known, and then no signature is judged. */
  readonly secrets: readonly string[];
  /** A URL with `{id}`, or a shell command. */
  readonly probe?: string;
  /** Patterns of event names with `*`; empty means all. */
  readonly events: readonly string[];
  /** How the kit starts the receiver, and may kill and restart it; nothing where it runs by itself. */
  readonly targetProcess?: ProcessSpec;
  /** The sender addresses that the receiver lets in, addresses of this machine; empty where it lets in all. */
  readonly published: readonly string[];
  /** The API of the service, played by the kit for the receiver; nothing where it is not. */
  readonly api?: PlayedApiSpec;
  /** Custom headers that go out with each delivery. */
  readonly headers: readonly Header[];
  /** 0 to 4294967295. */
  readonly seed: number;
  readonly intensity: Intensity;
  /** Deliveries in flight at most. */
  readonly concurrency: number;
  /** Deliveries per second at most; none where left out. */
  readonly rate?: number;
  /** Stop at the first failure. */
  readonly bail: boolean;
  /** Milliseconds that an absence is awaited; measured where left out. */
  readonly settle?: number;
  /** Milliseconds after which a delivery counts as unanswered. */
  readonly timeout: number;
  /** A broken SHOULD counts like a broken MUST. */
  readonly strict: boolean;
  readonly insecure: boolean;
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

/** Where the kit plays the service's API, and how a receiver is made to recover from it. */
export interface PlayedApiSpec {
  readonly listen: { readonly host: string; readonly port: number };
  /** A URL that is posted to, or a shell command; nothing where the receiver recovers by itself. */
  readonly recover?: string;
  /** Starts it. The reference service is loaded only then. */
  readonly play: PlayApi;
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
