import type { Notified } from '../serviceKit.ts';

/** What was waited for. */
interface Awaited {
  /** Default 1. */
  readonly notifications?: number;
  readonly attempts: number;
}

/**
 * Why the retries of a refused notification were not seen to their end, and what would change that. A service that gives each
 * retry an id of its own would be waited for in vain.
 *
 * @param came - all that came of these events to the endpoint, by id
 * @param awaited - how many notifications there are to be, and how many attempts of all of them
 */
export function openRetries(came: readonly Notified[], { notifications = 1, attempts: most }: Awaited): string {
  const attempts = came.reduce((sum, notified) => sum + notified.attempts.length, 0);
  if (areApart(came, notifications)) {
    return `${attempts} refused deliveries came, each under an id of its own, so that none shows as the retry of another: a longer --retry-window changes nothing`;
  }
  const seen = attempts > most ? `${attempts} attempts` : `${attempts} of ${most} attempts`;
  return `${seen} came while retries were waited for: give a longer --retry-window`;
}

/** Whether more came than there are notifications, and none a second time: retries look like that where each has an id of its own. */
export function areApart(came: readonly Notified[], notifications = 1): boolean {
  return came.length > notifications && came.every(({ attempts }) => attempts.length === 1);
}
