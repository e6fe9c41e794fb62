/** Milliseconds between two looks at the clock. */
const pace = 20;
/** Milliseconds of lateness that count. */
const noticeable = 100;
/** A wait lasts at least this many times as long as the kit was late within it. */
const factor = 5;

interface Late {
  readonly from: number;
  readonly to: number;
}

/**
 * Knows when the kit itself was kept from its work: what it saw too late for that reason (an answer, an effect), or did
 * too late (an endpoint's answer), shows nothing about the target.
 */
export class Lateness {
  readonly #now: () => number;
  readonly #late: Late[] = [];
  readonly #timer: NodeJS.Timeout;
  #last: number;

  /** @param now - the clock that its times are of, in milliseconds. Default: `performance.now` */
  constructor(now = () => performance.now()) {
    this.#now = now;
    this.#last = now();
    this.#timer = setInterval(() => this.#look(), pace).unref();
  }

  /**
   * Milliseconds of the worst lateness between two times; 0 where there was none to speak of.
   *
   * @param span - milliseconds: what begins within as many adds up, as for one who waits so long. Default: 0, each by itself
   */
  within(from: number, to: number, span = 0): number {
    this.#look();
    const between = this.#late.filter((late) => late.from < to && late.to > from);
    const sums = between.map((first, place) =>
      between
        .slice(place)
        .filter((late) => late === first || late.from < first.from + span)
        .reduce((sum, late) => sum + late.to - late.from, 0),
    );
    return Math.round(Math.max(0, ...sums));
  }

  /**
   * When a wait is over. A machine that keeps the kit from its work keeps a target on it from its
   * own: what did not come is absent only where it was awaited several times as long as the kit itself was late meanwhile.
   *
   * @param from - when the wait began
   * @param due - when it would be over had the kit not been late
   */
  extended(from: number, due: number): number {
    return Math.max(due, from + factor * this.within(from, this.#now()));
  }

  /** Forgets what is over. To be called where nobody asks for it any more. */
  forget(): void {
    this.#late.length = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = this.#now();
    if (now - this.#last - pace > noticeable) this.#late.push({ from: this.#last, to: now });
    this.#last = now;
  }
}

/**
 * Calls back once a target has had its time, which is extended where the kit was late. Returns what cancels that.
 *
 * @param ms - milliseconds that the target has, from now on
 * @param lateness - by `performance.now`. Default: the kit is never late
 */
export function afterTime(ms: number, lateness: Lateness | undefined, callback: () => void): () => void {
  const from = performance.now();
  let timer: NodeJS.Timeout;
  const wait = (until: number): void => {
    timer = setTimeout(
      () => {
        const due = lateness?.extended(from, from + ms) ?? until;
        if (performance.now() < due) wait(due);
        else callback();
      },
      Math.max(0, until - performance.now()),
    );
  };
  wait(from + ms);
  return () => clearTimeout(timer);
}
