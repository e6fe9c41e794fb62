import type { FuzzStep } from '../../suites/fuzz/fuzzing.ts';
import type { Program } from './program.ts';

/** A sequence that fails, and how. */
export interface Failing<F> {
  readonly program: Program;
  readonly finding: F;
}

/** The smallest sequence that was found. */
export interface Shrunken<F> extends Failing<F> {
  /** Whether there was no time to try all smaller ones. */
  readonly cut: boolean;
}

/** How smaller sequences are tried. */
export interface Shrinking<F> {
  /** Candidates that are tried at once, at most. */
  readonly width: number;
  /** Whether there is time for more. */
  goesOn(): boolean;
  /** Steps of other kinds that are easier to understand. Default: none. */
  readonly plainer?: (step: FuzzStep) => readonly FuzzStep[];
  /** Plays candidates, each with fresh ids. @returns in their order how each fails in the same way; nothing for one that does not */
  play(candidates: readonly Program[]): Promise<readonly (Failing<F> | undefined)[]>;
}
