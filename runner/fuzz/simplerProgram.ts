import { type DrawnStep, fixedStep, simplestSteps, smallerSteps, type Program } from './gene.ts';
import type { FuzzStep } from '../../suites/fuzz/fuzzing.ts';
import { nextFew } from '../engine/shrunk.ts';

/**
 * Makes the steps of a sequence simpler, as long as it fails: each by itself, then all at once that could be made simpler
 * by themselves.
 */
export async function simplerProgram<F>(failing: Failing<F>, shrinking: Shrinking<F>): Promise<Failing<F>> {
  let smallest = failing;
  let guesses: readonly Program[] = [];
  while (shrinking.goesOn()) {
    const failed = await firstThatFail(smallest, guesses, shrinking);
    if (failed.length === 0) return smallest;
    smallest = simplestOf(failed);
    guesses = guessFrom(smallest, failed);
  }
  return smallest;
}

/** Tries neighbours in parts, up to the first part in which some fail. @returns these */
async function firstThatFail<F>(
  { program: { steps } }: Failing<F>,
  guesses: readonly Program[],
  shrinking: Shrinking<F>,
): Promise<readonly Failing<F>[]> {
  const neighbours = simplerPrograms(steps, shrinking);
  let part = [...guesses, ...nextFew(neighbours, shrinking.width - guesses.length)];
  while (part.length > 0 && shrinking.goesOn()) {
    const failed = (await shrinking.play(part)).filter((each) => each !== undefined);
    if (failed.length > 0) return failed;
    part = [...nextFew(neighbours, shrinking.width)];
  }
  return [];
}

function simplestOf<F>(failed: readonly Failing<F>[]): Failing<F> {
  return failed.reduce((one, other) => (sizeOf(other.program) < sizeOf(one.program) ? other : one));
}

/** Several steps made simpler at once, each of which could be made so alone. */
function guessFrom<F>({ program: { steps } }: Failing<F>, failed: readonly Failing<F>[]): readonly Program[] {
  const best = steps.map((own, place) =>
    failed
      .map(({ program }) => program.steps[place]!)
      .reduce((one, other) => (isSimpler(other, one) ? other : one), own),
  );
  return best.some((step, place) => step !== steps[place]) ? [{ steps: best }] : [];
}

/** Whether a step is a simpler one in the same place. */
function isSimpler(step: DrawnStep, than: DrawnStep): boolean {
  return step.gene.seed === than.gene.seed && lengthOf(step) < lengthOf(than);
}

function sizeOf({ steps }: Program): number {
  return steps.reduce((sum, step) => sum + lengthOf(step), 0);
}

function lengthOf({ step }: DrawnStep): number {
  return JSON.stringify(step).length;
}

/** Sequences with one simpler step: plainer ones and the simplest of each first, then the neighbours of all steps in turns. */
function* simplerPrograms<F>(steps: readonly DrawnStep[], { width, plainer }: Shrinking<F>): Generator<Program> {
  for (const [place, { step }] of steps.entries())
    for (const other of plainer?.(step) ?? []) yield { steps: steps.with(place, fixedStep(other)) };
  for (const [place, step] of steps.entries())
    for (const simplest of simplestSteps(step)) yield { steps: steps.with(place, simplest) };
  const neighbours = steps.map((step) => smallerSteps(step));
  const each = Math.max(1, Math.floor(width / steps.length));
  for (let some = true; some;) {
    some = false;
    for (const [place, more] of neighbours.entries()) {
      for (const step of nextFew(more, each)) {
        some = true;
        yield { steps: steps.with(place, step) };
      }
    }
  }
}

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
