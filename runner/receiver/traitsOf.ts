import type { Delivery } from '../../suites/delivery.ts';
import type { Traits } from '../engine/agreement.ts';
import { distinct, headerTraits } from '../engine/headerTraits.ts';

/** What a case of a receiver was about, by all that it delivered. */
export function traitsOf(deliveries: readonly Delivery[]): Traits {
  return {
    values: {
      event: distinct(deliveries.map(({ event }) => event)),
      method: distinct(deliveries.map(({ method }) => method)),
      ...headerTraits(deliveries.map(({ headers }) => headers)),
    },
    bytes: Math.max(0, ...deliveries.map(({ body }) => body.length)),
  };
}
