/**
 * Limits how many cases are at work at once, and knows when none is.
 *
 * A case that waits for something shared is parked: it gives its place to the next one, so that a wait which all cases
 * have in common is spent once.
 */
export class Activity {
  #limit: number;
  #active = 0;
  readonly #queue: (() => void)[] = [];
  readonly #onIdle: () => void;

  /** @param onIdle - called whenever the last case at work ended or was parked */
  constructor(limit: number, onIdle: () => void) {
    this.#limit = limit;
    this.#onIdle = onIdle;
  }

  /** How many cases may be at work at once; a new number counts from now on. */
  get limit(): number {
    return this.#limit;
  }

  set limit(limit: number) {
    this.#limit = limit;
    this.#admit();
  }

  get idle(): boolean {
    return this.#active === 0 && this.#queue.length === 0;
  }

  /** Runs the work as soon as a place is free. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Gives the caller's place away until the wait is over. To be called from within {@link run}. */
  async park<T>(wait: Promise<T>): Promise<T> {
    this.#leave();
    try {
      return await wait;
    } finally {
      await this.#enter();
    }
  }

  #enter(): Promise<void> {
    return new Promise((resolve) => {
      this.#queue.push(resolve);
      this.#admit();
    });
  }

  #leave(): void {
    this.#active -= 1;
    this.#admit();
    if (this.idle) this.#onIdle();
  }

  #admit(): void {
    while (this.#active < this.#limit && this.#queue.length > 0) {
      this.#active += 1;
      this.#queue.shift()!();
    }
  }
}
