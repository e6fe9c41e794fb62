import type { WebhookDelivery } from './registered.ts';

/** Milliseconds of the longest pause between two attempts of one of these notifications. Default: none. */
export function longestPause(deliveries: readonly WebhookDelivery[]): number {
  const pauses = deliveries.flatMap(({ attempts }) =>
    attempts.slice(1).map(({ at }, index) => at - (attempts[index]!.end?.at ?? at)),
  );
  return Math.max(0, ...pauses);
}
