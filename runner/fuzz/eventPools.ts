import type { ServicePlan } from '../service/plan.ts';

/** Events of one pool. */
const size = 3;

/**
 * Splits events into pools, so that sequences that are played at the same time need not share any. What a tracking
 * request causes is in none of them, where anything else can be made to happen.
 *
 * @param events - what can be made to happen
 * @returns one pool at least, which may be empty
 */
export function eventPools({ terms, emit }: ServicePlan, events: readonly string[]): readonly (readonly string[])[] {
  if (emit === undefined) return [events];
  const { found, unknown } = terms.tracking;
  const free = events.filter((event) => event !== found && event !== unknown);
  const count = Math.max(1, Math.floor(free.length / size));
  return Array.from({ length: count }, (_, pool) => free.slice(pool * size, (pool + 1) * size));
}
