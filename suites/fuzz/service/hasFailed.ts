import { outcomeOf } from './outcome.ts';
import type { World } from './world.ts';

/** Whether any attempt was not accepted: a service may switch off what fails (GAP-5). */
export function hasFailed({ letters, kit }: World): boolean {
  return letters.some(({ attempts }) => attempts.some((each) => outcomeOf(each, kit.contract) !== 'accepted'));
}
