/** Milliseconds within which changes are reported together. */
const together = 4;

/**
 * Wakes all who wait for something to change, without saying what: each looks for itself. Changes that come close
 * together wake them once.
 */
export class ChangeSignal {
  #waiters = new Set<() => void>();
  #notifying = false;

  /** Something changed. */
  notify(): void {
    if (this.#notifying) return;
    this.#notifying = true;
    setTimeout(() => this.#wake(), together);
  }

  /** Resolves after the next change, or after so many milliseconds. */
  next(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.max(1, ms));
      this.#waiters.add(wake);
    });
  }

  #wake(): void {
    this.#notifying = false;
    const waiters = this.#waiters;
    this.#waiters = new Set();
    for (const wake of waiters) wake();
  }
}
