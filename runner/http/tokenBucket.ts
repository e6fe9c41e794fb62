/** Milliseconds of unused rate that may be spent at once: timers wake too rarely to space out thousands a second. */
const burst = 20;

/** Lets through at most `rate` takers a second, evenly but for a burst of 20 ms worth (at least one). */
export class TokenBucket {
  readonly #rate: number;
  readonly #capacity: number;
  readonly #now: () => number;
  #tokens: number;
  #at: number;

  /** @param now - milliseconds of a clock that never goes back */
  constructor(rate: number, now: () => number) {
    this.#rate = rate;
    this.#capacity = Math.max(1, (rate * burst) / 1000);
    this.#now = now;
    this.#tokens = this.#capacity;
    this.#at = now();
  }

  /** Takes a token where there is one. */
  take(): boolean {
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes so many tokens, whether or not they are there: what is lacking is owed. @returns milliseconds until what was owed before is paid */
  owe(count: number): number {
    this.#fill();
    const before = Math.max(0, Math.ceil((-this.#tokens * 1000) / this.#rate));
    this.#tokens -= count;
    return before;
  }

  /** Milliseconds until the next token, at least one. */
  wait(): number {
    return Math.max(1, Math.ceil(((1 - this.#tokens) * 1000) / this.#rate));
  }

  #fill(): void {
    const now = this.#now();
    this.#tokens = Math.min(this.#capacity, this.#tokens + ((now - this.#at) * this.#rate) / 1000);
    this.#at = now;
  }
}
