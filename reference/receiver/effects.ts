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
  readonly #delay: number;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param delay - milliseconds between an acceptance and its effect */
  constructor(store: NotificationStore, delay: number) {
    this.#store = store;
    this.#delay = delay;
    this.wake();
  }

  /** Says that something is pending. */
  wake(delay: number = this.#delay): void {
    if (this.#stopped) return;
    this.#timer ??= setTimeout(() => this.#drain(), delay);
  }

  /** What is still pending stays in the store for the next start. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #drain(): void {
    this.#timer = undefined;
    try {
      if (this.#store.processPending(batch) === batch) this.wake(0);
    } catch {
      // Nothing is lost: the transaction was rolled back, and the notifications are still pending.
      this.wake(retryDelay);
    }
  }
}
