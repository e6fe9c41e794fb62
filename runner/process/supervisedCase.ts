import type { NotStarted } from '../../suites/processControl.ts';

/** Which case of which check; `control` where the engine itself is at work. */
export interface Owner {
  readonly check: string;
  readonly case: number;
}

/** That the target went away although nobody asked for it. */
export interface TargetDeath {
  /** Which death of the run it is, from 1. */
  readonly number: number;
  /** How it went, without a subject: `died with exit code 1`, `went away: connections to it were refused`. */
  readonly how: string;
}

/** A case of a check, as far as the process of the target is concerned. */
export interface SupervisedCase extends Owner {
  /** Since when (monotonic, in milliseconds) it does nothing but wait; nothing where it is at work. */
  readonly waitingSince: number | undefined;
  /** True where it holds process control of the target. */
  readonly controlsProcess: boolean;
  /** True where cases of its phase run one at a time. */
  readonly inTurn: boolean;
  /** True where a request of it came as far as the target. */
  readonly reached: boolean;
  /** The target died while it was at work, or right after. @param after - milliseconds for which it had not been at work */
  suspected(death: TargetDeath, after: number): void;
  /** The target died while it waited: what it waits for may be gone with it. */
  disturbed(death: TargetDeath): void;
  /** The target died of this case, as far as can be seen, and does not come up again. */
  convicted(death: TargetDeath, error: NotStarted): void;
  /** The target hangs of this case, as far as can be seen. @param how - in words: `it hung` */
  hung(how: string): void;
  /** Keeps it in a file, where the run writes any. @returns the shell line that tries it again */
  keep(death: TargetDeath): string | undefined;
}

/** A case that may be what the target died of, and for how long it had not been at work. */
export interface Suspected {
  readonly supervised: SupervisedCase;
  readonly after: number;
}
