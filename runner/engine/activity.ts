/** So many of a list wait for a place at most: what waits takes memory. */
const ahead = 256;

/** The turn of who has begun, and comes back from a wait. */
const begun = -1;

/**
 * Limits how many cases are at work at once, and knows when none is.
 *
 * A case that waits for something shared is parked: it gives its place to the next one, so that a wait which all cases
 * have in common is spent once. Who has begun goes before who has not; of those who have not, the lowest turn goes first.
 */
export class Activity {
  #limit: number;
  #active = 0;
  /** Those that wait for a place, by turn, and of one turn in the order in which they came. */
  readonly #queue: { readonly turn: number; readonly enter: () => void }[] = [];
  readonly #onIdle: () => void;
  readonly #most: () => number;

  /**
   * @param onIdle - called whenever the last case at work ended or was parked
   * @param most - how many may be at work whatever the limit is, asked for each anew. Default: any number
   */
  constructor(limit: number, onIdle: () => void, most: () => number = () => Infinity) {
    this.#limit = limit;
    this.#onIdle = onIdle;
    this.#most = most;
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

  /** Runs the work as soon as a place is free. @param turn - lower ones go first. Default 0 */
  async run<T>(work: () => Promise<T>, turn = 0): Promise<T> {
    await this.#enter(turn);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Runs the work for each item of a list. The first ones of lists that begin together go before the others. */
  async runAll<T>(items: readonly T[], work: (item: T) => Promise<void>, turnOf: (item: T) => number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const left = items.values();
    let open = 0;
    const next = (): void => {
      const { value, done } = left.next();
      if (done === true) return;
      open += 1;
      const begin = (): Promise<void> => {
        next();
        return work(value);
      };
      this.run(begin, turnOf(value)).then(() => void (--open === 0 && resolve()), reject);
    };
    next();
    await Promise.resolve();
    for (let asked = 1; asked < ahead; asked += 1) next();
    if (open === 0) resolve();
    return promise;
  }

  /** Gives the caller's place away until the wait is over. To be called from within {@link run}. */
  async park<T>(wait: Promise<T>): Promise<T> {
    this.#leave();
    try {
      return await wait;
    } finally {
      await this.#enter(begun);
    }
  }

  #enter(turn: number): Promise<void> {
    return new Promise((enter) => {
      const place = this.#queue.findLastIndex((waiting) => waiting.turn <= turn) + 1;
      this.#queue.splice(place, 0, { turn, enter });
      this.#admit();
    });
  }

  #leave(): void {
    this.#active -= 1;
    this.#admit();
    if (this.idle) this.#onIdle();
  }

  #admit(): void {
    while (this.#active < Math.min(this.#limit, this.#most()) && this.#queue.length > 0) {
      this.#active += 1;
      this.#queue.shift()!.enter();
    }
  }
}
