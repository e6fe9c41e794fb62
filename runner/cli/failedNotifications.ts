import type { MadeAttempt, Outcome } from '../../reference/service/records.ts';
import { Unproven } from '../../suites/check.ts';
import { shippedContract } from '../options/shippedContract.ts';

/** Which notifications have failed for good, or were accepted: known from the attempts to deliver them. */
export class FailedNotifications {
  readonly #ends = new Map<string, 'failed' | 'accepted'>();
  #waiting: (() => void)[] = [];

  attempted({ id, outcome, retryAt }: MadeAttempt): void {
    if (retryAt !== undefined) return;
    this.#ends.set(id, isAccepted(outcome) ? 'accepted' : 'failed');
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }

  /** Resolves once all of them have failed for good. @throws Unproven where one was accepted */
  async until(ids: readonly string[]): Promise<void> {
    while (!ids.every((id) => this.#ends.has(id))) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (ids.some((id) => this.#ends.get(id) === 'accepted'))
      throw new Unproven('a notification that should have failed was accepted: the receiver was not down');
  }
}

function isAccepted(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && shippedContract().delivery.acceptedStatuses.includes(outcome.status);
}
