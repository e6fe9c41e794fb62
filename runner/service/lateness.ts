/** Milliseconds between two looks at the clock. */
const pace = 20;
/** Milliseconds of lateness that a service may take for a slow answer. */
const noticeable = 100;
/** A wait lasts at least this many times as long as the kit was late within it. */
const factor = 5;

interface Late {
  readonly from: number;
  readonly to: number;
}

/**
 * Knows when the kit itself was kept from its work: an endpoint that answered late for that reason shows nothing about
 * the service.
 */
export class Lateness {
  readonly #elapsed: () => number;
  readonly #late: Late[] = [];
  readonly #timer: NodeJS.Timeout;
  #last: number;

  /** @param elapsed - milliseconds of the run */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
    this.#last = elapsed();
    this.#timer = setInterval(() => this.#look(), pace).unref();
  }

  /** Milliseconds of the worst lateness within a time of the run; 0 where there was none to speak of. */
  within(from: number, to: number): number {
    this.#look();
    const times = this.#late.filter((late) => late.from < to && late.to > from).map((late) => late.to - late.from);
    return Math.round(Math.max(0, ...times));
  }

  /**
   * When a wait is over, in milliseconds of the run. A machine that keeps the kit from its work keeps a service on it from its
   * own: what did not come is absent only where it was awaited several times as long as the kit itself was late meanwhile.
   *
   * @param from - when the wait began
   * @param due - when it would be over had the kit not been late
   */
  extended(from: number, due: number): number {
    return Math.max(due, from + factor * this.within(from, this.#elapsed()));
  }

  /** Forgets what is over. To be called where nobody asks for it any more. */
  forget(): void {
    this.#late.length = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = this.#elapsed();
    if (now - this.#last - pace > noticeable) this.#late.push({ from: this.#last, to: now });
    this.#last = now;
  }
}
