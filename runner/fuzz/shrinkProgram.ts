import { type DrawnStep, smallerSteps } from './gene.ts';
import type { Program } from './program.ts';
import { slotsInOrder } from './slotsInOrder.ts';
import { subsequences } from './subsequences.ts';

/** A sequence that fails, and how. */
export interface Failing<F> {
  readonly program: Program;
  readonly finding: F;
}

/** How smaller sequences are tried. */
export interface Shrinking<F> {
  /** Candidates that are tried at once, at most. */
  readonly width: number;
  /** Whether there is time for more. */
  goesOn(): boolean;
  /** Plays candidates, each with fresh ids. @returns in their order how each fails in the same way; nothing for one that does not */
  play(candidates: readonly Program[]): Promise<readonly (Failing<F> | undefined)[]>;
}

/** Sequences with more steps than this are made shorter before their steps are made simpler. */
const few = 4;

/**
 * Looks for the smallest sequence that fails in the same way: fewer steps count most, then simpler steps, then slots
 * whose names are in the order in which they appear.
 */
export async function shrinkProgram<F>(failing: Failing<F>, shrinking: Shrinking<F>): Promise<Failing<F>> {
  let smallest = failing;
  let guess: Program | undefined;
  while (shrinking.goesOn()) {
    const smaller = await smallerThan(smallest, shrinking, guess);
    if (smaller === undefined) break;
    smallest = smaller.failing;
    guess = smaller.guess;
  }
  return withSlotsInOrder(smallest, shrinking);
}

interface Smaller<F> {
  readonly failing: Failing<F>;
  /** Several of its steps made simpler at once: each alone was possible. */
  readonly guess?: Program;
}

async function smallerThan<F>(
  { program: { steps } }: Failing<F>,
  shrinking: Shrinking<F>,
  guess: Program | undefined,
): Promise<Smaller<F> | undefined> {
  const shorter = subsequences(steps, shrinking.width).map((some) => ({ steps: some }));
  const simpler = simplerPrograms(steps, shrinking.width);
  const first = guess ? [guess, ...shorter] : shorter;
  const together = steps.length <= few && shrinking.width > few;
  const found = together
    ? await firstOf([...first, ...nextFew(simpler, shrinking.width)], shrinking)
    : await firstOf(first, shrinking);
  if (found) return found;
  while (shrinking.goesOn()) {
    const more = nextFew(simpler, shrinking.width);
    if (more.length === 0) return undefined;
    const one = await firstOf(more, shrinking);
    if (one) return one;
  }
  return undefined;
}

/** The smallest of the candidates that fail, looked for in parts. */
async function firstOf<F>(candidates: readonly Program[], shrinking: Shrinking<F>): Promise<Smaller<F> | undefined> {
  for (let from = 0; from < candidates.length && shrinking.goesOn(); from += shrinking.width) {
    const part = candidates.slice(from, from + shrinking.width);
    const failed = (await shrinking.play(part)).filter((each) => each !== undefined);
    if (failed.length > 0) return smallestOf(failed);
  }
  return undefined;
}

function smallestOf<F>(failed: readonly Failing<F>[]): Smaller<F> {
  const [failing] = failed.toSorted((one, other) => sizeOf(one.program) - sizeOf(other.program));
  const { length } = failing!.program.steps;
  const alike = failed.map(({ program }) => program.steps).filter((steps) => steps.length === length);
  const best = failing!.program.steps.map((own, place) =>
    alike.map((steps) => steps[place]!).reduce((one, other) => (isSimpler(other, one) ? other : one), own),
  );
  const changed = best.filter((step, place) => step !== failing!.program.steps[place]).length;
  return { failing: failing!, ...(changed > 0 && { guess: { steps: best } }) };
}

/** Whether a step is a simpler one in the same place. */
function isSimpler(step: DrawnStep, than: DrawnStep): boolean {
  return step.gene.seed === than.gene.seed && lengthOf(step) < lengthOf(than);
}

/** A step less counts more than anything that is simpler in steps. */
function sizeOf({ steps }: Program): number {
  return steps.reduce((sum, step) => sum + lengthOf(step), steps.length * 1e9);
}

function lengthOf({ step }: DrawnStep): number {
  return JSON.stringify(step).length;
}

/** Sequences with one simpler step, the neighbours of all steps in turns. */
function* simplerPrograms(steps: readonly DrawnStep[], width: number): Generator<Program> {
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

async function withSlotsInOrder<F>(failing: Failing<F>, shrinking: Shrinking<F>): Promise<Failing<F>> {
  const { steps } = failing.program;
  const renamed = slotsInOrder(steps);
  if (renamed === steps) return failing;
  const [failed] = await shrinking.play([{ steps: renamed }]);
  return failed ?? failing;
}

function nextFew<T>(items: Iterator<T>, count: number): readonly T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const next = items.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}
