import { shorterProgram } from './shorterProgram.ts';
import type { Failing, Shrinking, Shrunken } from './shrinking.ts';
import { simplerProgram } from './simplerProgram.ts';
import { slotsInOrder } from './slotsInOrder.ts';

/**
 * Looks for the smallest sequence that fails in the same way: fewer steps count most, then simpler steps, then slots
 * whose names are in the order in which they appear. Ends once nothing smaller fails, or there is no more time.
 */
export async function shrinkProgram<F>(failing: Failing<F>, given: Shrinking<F>): Promise<Shrunken<F>> {
  let cut = false;
  const goesOn = (): boolean => {
    const isTime = given.goesOn();
    cut ||= !isTime;
    return isTime;
  };
  const shrinking = { ...given, goesOn };
  let smallest = failing;
  for (let simpler = true; simpler && shrinking.goesOn();) {
    const shorter = await shorterProgram(smallest, shrinking);
    // Nothing of it could be made simpler a moment ago.
    if (shorter === smallest && smallest !== failing) break;
    smallest = await simplerProgram(shorter, shrinking);
    simpler = smallest !== shorter;
  }
  return { ...(await withSlotsInOrder(smallest, shrinking)), cut };
}

async function withSlotsInOrder<F>(failing: Failing<F>, shrinking: Shrinking<F>): Promise<Failing<F>> {
  const { steps } = failing.program;
  const renamed = slotsInOrder(steps);
  if (renamed === steps) return failing;
  const [failed] = await shrinking.play([{ steps: renamed }]);
  return failed ?? failing;
}
