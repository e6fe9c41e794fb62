import type { Activity } from './activity.ts';
import type { GeneratedCase } from './cases.ts';
import type { Deadline } from './ending.ts';
import type { FatalTrier } from './fatalCases.ts';
import type { Intensity } from './plan.ts';
import type { Failure, Trial, Tried } from './trial.ts';

/** How the cases of one check are tried. */
export interface Trier<F> extends FatalTrier<F> {
  /** Tries a case once, with fresh ids. Called from within a place of the activity. */
  try(generated: GeneratedCase): Promise<Trial<F>>;
  /** It held: most such cases are never looked at again. */
  forget?(generated: GeneratedCase): void;
  /** Whether cases come one at a time. */
  readonly inTurn: boolean;
  /** Whether the run is over, asked before a case begins. */
  over(): Promise<boolean>;
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
  /** True where it is about a MUST: then every kind of case is tried, whatever the target dies of. Default false. */
  readonly binding?: boolean;
  /** Whether a requirement is a MUST: what breaks one is reported before what breaks none. Default: all are alike. */
  readonly isMust?: (requirement: string) => boolean;
}

/** What a check has shown, before it is put in words. */
export interface PropertyResult<F> {
  readonly cases: number;
  /** Where the time was over before all were tried: how many it would have had, their kinds, and the kinds not tried even once. */
  readonly cutShort?: { readonly planned: number; readonly kinds: number; readonly untried: number };
  readonly failure?: Failure<F>;
  /** Every case, in the order of their numbers, and how its last try ended. */
  readonly tried: readonly Tried<F>[];
  /** How many cases there were to try. */
  readonly planned: number;
  /** What failed, and could be neither confirmed nor ruled out. */
  readonly unconfirmed?: F;
  /** Why it is not settled, where nothing failed. */
  readonly unproven?: string;
  /** What the target does not offer, where no case could look at it. */
  readonly unobservable?: string;
  /** True where a case showed nothing because the target gave no answer that can be judged. */
  readonly unusable?: true;
  readonly error?: unknown;
  readonly ended: boolean;
}

/** Milliseconds that one counterexample may take to shrink. */
export const shrinkBudget = { quick: 2_000, standard: 8_000, thorough: 60_000 } as const satisfies Record<
  Intensity,
  number
>;

/**
 * The same where cases depend on the moment of a kill: each is tried so often before it counts as one that holds, and
 * takes as long as a target needs to come up again.
 */
export const timed = {
  recurrences: 5,
  shrinkTries: 3,
  shrinkBudget: { quick: 6_000, standard: 20_000, thorough: 120_000 } satisfies Record<Intensity, number>,
} as const;
