import type { Contract } from '../../../spec/contract.ts';
import type { Json } from '../../../generators/json/json.ts';
import type { Caught } from '../../exchange.ts';
import { isShownInactive } from '../../service/firstDelivery.ts';
import type { ServiceModelState } from './serviceModelState.ts';

/**
 * How an attempt ended for the service: `open` while it has not; `unclear` where it had the head of an accepting answer
 * and not the whole of it, because it left or because the connection broke. It may take that for an acceptance, since
 * the status says so, or for a failure, since the answer is not whole: it may try again or not.
 */
export type Outcome = 'accepted' | 'refused' | 'broken' | 'open' | 'unclear';

/** How an attempt ended, as the service must have seen it. */
export function outcomeOf({ step, end }: Caught, { delivery }: Contract): Outcome {
  if (end === undefined) return 'open';
  const accepts = step.do === 'respond' && delivery.acceptedStatuses.includes(step.status);
  if (accepts) return end.kind === 'answered' ? 'accepted' : 'unclear';
  if (step.do === 'reset' && step.when === 'after') return 'unclear';
  return end.kind === 'answered' ? 'refused' : 'broken';
}

/** Whether the service has switched off a webhook, shown like this, as it may where any attempt was not accepted (GAP-5). */
export function isSwitchedOff(modelState: ServiceModelState, resource: Json | undefined): boolean {
  return hasFailed(modelState) && isShownInactive(modelState.kit, resource);
}

/** Whether any attempt was not accepted: nothing else lets a service switch a webhook off. */
export function hasFailed({ deliveries, kit }: ServiceModelState): boolean {
  return deliveries.some(({ attempts }) => attempts.some((each) => outcomeOf(each, kit.contract) !== 'accepted'));
}
