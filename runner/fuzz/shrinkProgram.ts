import { shorterProgram } from './shorterProgram.ts';
import type { Failing, Shrinking } from './shrinking.ts';
import { simplerProgram } from './simplerProgram.ts';
import { slotsInOrder } from './slotsInOrder.ts';

/**
 * Looks for the smallest sequence that fails in the same way: fewer steps count most, then simpler steps, then slots
 * whose names are in the order in which they appear. Ends once nothing smaller fails, or there is no more time.
 */
export async function shrinkProgram<F>(failing: Failing<F>, shrinking: Shrinking<F>): Promise<Failing<F>> {
  let smallest = failing;
  for (let before: Failing<F> | undefined; before !== smallest && shrinking.goesOn();) {
    before = smallest;
    const shorter = await shorterProgram(smallest, shrinking);
    smallest = await simplerProgram(shorter, shrinking);
    // What cannot be made simpler was just tried with fewer steps.
    if (smallest === shorter) break;
  }
  return withSlotsInOrder(smallest, shrinking);
}

async function withSlotsInOrder<F>(failing: Failing<F>, shrinking: Shrinking<F>): Promise<Failing<F>> {
  const { steps } = failing.program;
  const renamed = slotsInOrder(steps);
  if (renamed === steps) return failing;
  const [failed] = await shrinking.play([{ steps: renamed }]);
  return failed ?? failing;
}
