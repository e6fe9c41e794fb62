import type { ReceiverPolicies } from './policies.ts';
import type { NotificationStore } from './store.ts';

/** Notifications that take effect in one transaction. */
const batch = 500;

/** Milliseconds until a drain that failed (a locked database, a full disk) is tried again. */
const retryDelay = 250;

/**
 * Lets accepted notifications take effect in the background, oldest first: those that a stopped or killed process left
 * behind as well as new ones.
 */
export class EffectsWorker {
  readonly #store: NotificationStore;
  readonly #work: ReceiverPolicies['work'];
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param delay - milliseconds between an acceptance and its effect */
  constructor(store: NotificationStore, { work }: Pick<ReceiverPolicies, 'work'>, delay: number) {
    this.#store = store;
    this.#work = work;
    store.onPending = () => this.#wake(delay);
    this.#wake(delay);
  }

  /** What is still pending stays in the store for the next start. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #wake(delay: number): void {
    if (this.#stopped) return;
    this.#timer ??= setTimeout(() => this.#drain(), delay);
  }

  #drain(): void {
    this.#timer = undefined;
    try {
      if (this.#work(this.#store, batch) === batch) this.#wake(0);
    } catch {
      // Nothing is lost: the transaction was rolled back, and the notifications are still pending.
      this.#wake(retryDelay);
    }
  }
}
