import { setTimeout as sleep } from 'node:timers/promises';

/** So many of a list wait for a place at most: what waits takes memory. */
const ahead = 256;

/** Milliseconds after which a wait is long. */
const long = 250;

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

  /** Waits, and gives the caller's place away once that takes long. To be called from within {@link run}. */
  async parkIfLong<T>(wait: Promise<T>): Promise<T> {
    const isLong = await Promise.race([wait.then(() => false), sleep(long, true)]);
    return isLong ? this.park(wait) : wait;
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

/** Milliseconds that the canary pass should take at most, as far as that can be planned. */
const planned = 6000;

/** Requests that a case of it makes, about, and the most cases that it tries side by side. */
const requestsOfCase = 5;
const most = 48;

/** Plain requests that are timed. */
const timed = 3;

/** Milliseconds of the fastest of a few plain requests. @param ask - makes one, and resolves when it was answered */
export async function fastestOf(ask: () => Promise<unknown>): Promise<number> {
  let fastest = Infinity;
  for (let asked = 0; asked < timed; asked++) {
    const began = performance.now();
    await ask();
    fastest = Math.min(fastest, performance.now() - began);
  }
  return fastest;
}

/**
 * How many cases of the canary pass are tried at a time: one, unless the target answers so slowly that this would take
 * long. Then it is small groups.
 *
 * @param cases - how many there are
 * @param ms - milliseconds of a plain request
 */
export function canaryWidth(cases: number, ms: number): number {
  return Math.min(most, Math.max(1, Math.ceil((cases * requestsOfCase * ms) / planned)));
}

/** Milliseconds for which a target that nobody may start again gets one case at a time, however slow it is. */
const inTurn = 3000;

/** How many cases of the canary pass are tried at a time, while it goes on. */
export class CanaryPace {
  #timer: NodeJS.Timeout | undefined;

  /**
   * Begins with one case at a time where a death cannot be tried again: each round of kinds is known then.
   *
   * @param width - how many cases are to be tried at a time, see {@link canaryWidth}
   * @param isFinal - whether the target may well die, and nobody may start it again
   */
  begin(activity: { limit: number }, width: number, isFinal: boolean): void {
    this.end();
    activity.limit = isFinal ? 1 : width;
    if (activity.limit < width) this.#timer = setTimeout(() => (activity.limit = width), inTurn).unref();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
