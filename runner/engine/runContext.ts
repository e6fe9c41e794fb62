import type { Expectation } from '../../reports/model/events.ts';
import type { Contract } from '../../spec/contract.ts';
import type { GuardedProcess } from '../process/guardedProcess.ts';
import type { Deadline } from './ending.ts';
import type { Guardian } from '../process/guardian.ts';
import type { Presence } from '../process/presence.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Intensity } from './plan.ts';
import type { RunEnd, UntimedEvent } from './eventStream.ts';

/** What the parts of a run share, whatever its target is. */
export interface RunContext extends Presence {
  readonly plan: {
    readonly contract: Contract;
    readonly seed: number;
    /** The command that repeats this run: seed included, secrets left out. */
    readonly command: string;
    readonly intensity: Intensity;
    /** Milliseconds that one counterexample may take to shrink. Default: by intensity. */
    readonly shrinkTime?: number;
    readonly bail: boolean;
    /** Milliseconds that the run may take. */
    readonly timeLimit?: number;
    readonly expectations?: readonly Expectation[];
    /** Aborted means interrupted. */
    readonly signal: AbortSignal;
  };
  /** Nothing where the target runs by itself. */
  readonly targetProcess: GuardedProcess | undefined;
  /** Notices that the target died, and waits until it is up again, no matter what starts it. */
  readonly guardian: Guardian;
  /** What is written nowhere. */
  readonly secrets: Secrets;
  /** When the run has to be at its end. */
  readonly deadline: Deadline;
  /** Milliseconds since the start of the run. */
  elapsed(): number;
  emit(event: UntimedEvent): void;
  /** Aborted when the run ends early: interrupted, target lost, or `--bail`. */
  readonly ended: AbortSignal;
  /** Ends the run early. The first reason stays. */
  end(end: RunEnd): void;
  /** Why the run ended early; nothing while it goes on. */
  readonly endedBy: RunEnd | undefined;
}
