import type { Assumption } from '../../spec/assumptions.ts';
import type { Contract, ServiceTerms } from '../../spec/contract.ts';
import type { ServiceCheck } from '../../suites/check.ts';
import type { TrackedNumber } from '../../suites/serviceDraw.ts';
import type { Access } from '../http/access.ts';
import type { ProcessSpec } from '../process/targetProcess.ts';
import type { GivenOptions, Intensity } from '../engine/plan.ts';
import type { Expectation } from '../../reports/model/events.ts';

/** Everything that a run of the service suite depends on. The engine reads nothing else. */
export interface ServicePlan extends Access {
  readonly contract: Contract;
  readonly terms: ServiceTerms;
  readonly assumptions: readonly Assumption[];
  /** Already selected, in the order of the registry. */
  readonly checks: readonly ServiceCheck[];
  /** Those that were not selected. */
  readonly leftOut?: readonly ServiceCheck[];
  /** Without a slash at its end. */
  readonly base: URL;
  /** The API key; empty where none was given. */
  readonly token: string;
  readonly trackable: readonly TrackedNumber[];
  readonly untrackable: readonly TrackedNumber[];
  /** A URL, or a shell command that gets EVENT in its environment. */
  readonly emit?: string;
  /** How the kit starts the service, and may kill and restart it; nothing where it runs by itself. */
  readonly targetProcess?: ProcessSpec;
  /** Where the service reaches the catcher; default: where it listens. */
  readonly catcher?: URL;
  /** Default: loopback, a free port. */
  readonly catcherListen?: { readonly host: string; readonly port: number };
  /** What the service calls the machine of the kit; default: as where the catcher listens. */
  readonly catcherHost?: string;
  /** Where the certificate authority of an https catcher is kept. */
  readonly authorityDirectory: string;
  /** Milliseconds that the retries of a notification are waited for. */
  readonly retryWindow: number;
  /** 0 to 4294967295. */
  readonly seed: number;
  readonly intensity: Intensity;
  /** Calls in flight at most. */
  readonly concurrency: number;
  /** Calls per second at most; none where left out. */
  readonly rate?: number;
  readonly bail: boolean;
  /** Milliseconds that an absence is awaited; measured where left out. */
  readonly settle?: number;
  /** Milliseconds after which a call counts as unanswered. */
  readonly timeout: number;
  readonly strict: boolean;
  readonly insecure: boolean;
  /** Whether another judge looks at every call as well, which takes a third of the kit's own time. */
  readonly secondOpinion: boolean;
  /** What is known to fail. */
  readonly expectations?: readonly Expectation[];
  /** The shell command that brings the target back to a clean state. It runs before the target is started, or anything is sent. */
  readonly reset?: string;
  readonly runId: string;
  /** The command that repeats this run: seed included, secrets left out. */
  readonly command: string;
  /** Where files of large bodies go, failed cases, and the output of a service that the kit starts. */
  readonly directory: string;
  /** What the user gave, so that failed cases can be kept; nothing where they are not. */
  readonly given?: GivenOptions;
  readonly kit: { readonly name: string; readonly version: string };
  /** Aborted means interrupted. */
  readonly signal: AbortSignal;
}
