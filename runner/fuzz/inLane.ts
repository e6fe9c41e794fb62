import type { FuzzFound, FuzzTarget } from './fuzzTarget.ts';
import { drawStep } from './gene.ts';
import type { Program } from './program.ts';

/** The same sequence with the events of another lane, so that what is played side by side does not get into each other's way. */
export function inLane<F extends FuzzFound>(target: FuzzTarget<F>, program: Program, lane: number): Program {
  const { lanes } = target;
  const asDrawn = program.steps.every(({ step, value }) => step === value.value);
  if (lanes === 1 || !asDrawn) return program;
  const kinds = target.kinds(false, lane % lanes);
  const steps = program.steps.flatMap((drawn) => (drawn.fixed ? drawn : (drawStep(kinds, drawn.gene) ?? [])));
  return steps.length === program.steps.length ? { steps } : program;
}
