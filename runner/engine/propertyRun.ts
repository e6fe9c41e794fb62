import type { Activity } from './activity.ts';
import type { GeneratedCase } from './cases.ts';
import type { Deadline } from './timeLimit.ts';
import type { FatalTrier } from './fatalCases.ts';
import type { Intensity } from './plan.ts';
import type { Trial } from './trial.ts';

/** How the cases of one check are tried. */
export interface Trier<F> extends Partial<FatalTrier<F>> {
  /** Tries a case once, with fresh ids. Called from within a place of the activity. */
  try(generated: GeneratedCase): Promise<Trial<F>>;
  /** Whether cases come one at a time. Default false. */
  readonly inTurn?: boolean;
  /** Whether the run is over, asked before a case begins. */
  over?(): Promise<boolean>;
}

/** Which cases are tried now, and how long. */
export interface Trying {
  readonly to?: number;
  readonly until?: Deadline;
  readonly kindsUntil?: Deadline;
}

/** What a property shares with the run that it is part of. */
export interface PropertyRun {
  readonly intensity: Intensity;
  readonly activity: Activity;
  /** Aborted when the run ends early. */
  readonly ended: AbortSignal;
  /** Milliseconds since the start of the run. */
  elapsed(): number;
  /** How many smaller candidates are tried side by side. */
  readonly shrinkWidth: number;
  /** Milliseconds that one counterexample may take to shrink. Default: by intensity. */
  readonly shrinkTime?: number;
  /**
   * True where what a case shows depends on the moment of a kill or of a pause, so that it is tried several times before
   * it counts as chance. Default false.
   */
  readonly timed?: boolean;
}
