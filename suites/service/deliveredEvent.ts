import type { Contract } from '../../spec/contract.ts';

/**
 * The event that a delivery is of. Several webhooks of a document may be called by one name: it is the one whose schema the body
 * meets, else the one that it is nearest to.
 *
 * @param name - what the delivery calls its event
 * @returns nothing where no event is called so
 */
export function deliveredEvent(
  { events }: Contract,
  name: unknown,
  body: unknown,
): Contract['events'][number] | undefined {
  const called = events.filter(({ value }) => value === name);
  if (called.length < 2 || body === undefined) return called[0];
  const misses = called.map((event) => ({
    event,
    count: event.validate(body) ? 0 : (event.validate.errors?.length ?? 0),
  }));
  return misses.reduce((best, each) => (each.count < best.count ? each : best)).event;
}
