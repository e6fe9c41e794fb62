import { outcomeOf } from './outcome.ts';
import type { ServiceModelState } from './serviceModelState.ts';

/** Whether any attempt was not accepted: a service may switch off what fails (GAP-5). */
export function hasFailed({ deliveries, kit }: ServiceModelState): boolean {
  return deliveries.some(({ attempts }) => attempts.some((each) => outcomeOf(each, kit.contract) !== 'accepted'));
}
