import type { Notified } from '../serviceKit.ts';

/**
 * Why the retries of a refused notification were not seen to their end, and what would change that. A service that gives each
 * retry an id of its own would be waited for in vain.
 *
 * @param came - all that came to the endpoint, by id, the notification that was waited for among them
 * @param most - the attempts that were waited for, all in all
 */
export function openRetries(came: readonly Notified[], most: number): string {
  const attempts = came.reduce((sum, notified) => sum + notified.attempts.length, 0);
  const seen = `${attempts} of ${most} attempts came while retries were waited for`;
  return areApart(came)
    ? `${seen}, each under an id of its own, so that none shows as the retry of another: no longer --retry-window changes that`
    : `${seen}: give a longer --retry-window`;
}

/** Whether several came of one event, and none a second time: retries look like that where each has an id of its own. */
export function areApart(came: readonly Notified[]): boolean {
  const events = new Set(came.map(({ event }) => event));
  return came.length > events.size && came.every(({ attempts }) => attempts.length === 1);
}
