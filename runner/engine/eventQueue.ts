/** Passes events from where they happen to an async iterator, in order and without bound. */
export class EventQueue<T> {
  #events: T[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  push(event: T): void {
    this.#events.push(event);
    this.#wake?.();
  }

  /** No further events come; what was pushed is still handed out. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    while (!this.#closed || this.#events.length > 0) {
      const events = this.#events;
      this.#events = [];
      yield* events;
      if (this.#events.length > 0 || this.#closed) continue;
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
    }
  }
}
