import type { Contract } from '../../../spec/contract.ts';
import type { Caught } from '../../exchange.ts';

/**
 * How an attempt ended for the service: `open` while it has not; `unclear` where it left before an accepting answer was
 * complete.
 */
export type Outcome = 'accepted' | 'refused' | 'broken' | 'open' | 'unclear';

/** How an attempt ended, as the service must have seen it. */
export function outcomeOf({ step, end }: Caught, { delivery }: Contract): Outcome {
  if (end === undefined) return 'open';
  const accepts = step.do === 'respond' && delivery.acceptedStatuses.includes(step.status);
  if (accepts) return end.kind === 'answered' ? 'accepted' : 'unclear';
  return end.kind === 'answered' ? 'refused' : 'broken';
}
