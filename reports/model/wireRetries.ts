import type { DeliveryCaught } from './events.ts';
import type { RetriedNotification, TimedAttempt } from './wireFigures.ts';

/** Notifications that a report shows. */
const most = 40;
/** Notifications that are followed at once; those with the fewest attempts are forgotten for new ones. */
const followed = 4000;
/** Attempts of one notification that are kept. */
const mostAttempts = 40;

/** Keeps the notifications that a service attempted most often: a bounded number, however many there are. */
export class WireRetries {
  readonly #open = new Map<string, RetriedNotification & { readonly attempts: TimedAttempt[] }>();

  add({ id, event, check, endpoint, number, ms, answered }: DeliveryCaught): void {
    if (id === '') return;
    const key = JSON.stringify([endpoint, id]);
    const known = this.#open.get(key) ?? { id, event, check, endpoint, attempts: [] };
    this.#open.set(key, known);
    if (known.attempts.length < mostAttempts) known.attempts.push({ number, ms, answered });
    if (this.#open.size > followed) this.#forget();
  }

  /** Those with the most attempts first; none that was attempted only once. */
  notifications(): readonly RetriedNotification[] {
    return mostRetried([...this.#open.values()]);
  }

  /** Half of them go: the older of those with the fewest attempts, so that this is seldom done. */
  #forget(): void {
    const kept = [...this.#open].toReversed().toSorted(([, a], [, b]) => b.attempts.length - a.attempts.length);
    this.#open.clear();
    for (const [key, value] of kept.slice(0, followed / 2).toReversed()) this.#open.set(key, value);
  }
}

/** Of all these, the ones that a report shows: the most attempts first, then the earliest. */
export function mostRetried(notifications: readonly RetriedNotification[]): readonly RetriedNotification[] {
  return notifications
    .filter(({ attempts }) => attempts.length > 1)
    .toSorted((a, b) => b.attempts.length - a.attempts.length || startOf(a) - startOf(b))
    .slice(0, most);
}

function startOf({ attempts }: RetriedNotification): number {
  return attempts[0]?.ms ?? 0;
}
