/** Milliseconds that a target may take to end after it was asked to. */
const longest = 15_000;

/** Milliseconds that are enough where it was seen that waiting for its end is in vain: what is in flight is answered by then. */
const shortest = 2_000;

/**
 * How long an end is awaited that a target was asked for. One that did not end by itself in all that time does not do so the
 * next time either: from then on it is awaited for twice as long as its slowest end took, if it ever did end.
 */
export class StopGrace {
  readonly #longest: number;
  #slowest = 0;
  #inVain = false;

  /** @param ms - at most. Default 15 000 */
  constructor(ms = longest) {
    this.#longest = ms;
  }

  /** Milliseconds. */
  get ms(): number {
    return this.#inVain ? Math.min(this.#longest, Math.max(shortest, 2 * this.#slowest)) : this.#longest;
  }

  /** It ended by itself after so many milliseconds, or had to be killed. */
  note(byItself: boolean, ms: number): void {
    if (byItself) this.#slowest = Math.max(this.#slowest, ms);
    else this.#inVain = true;
  }
}

/**
 * Whether a promise settles in time. What runs is waited for, so that a program which does nothing else meanwhile does not
 * end; and no timer is left afterwards.
 *
 * @param timeLimit - milliseconds
 * @param signal - where it is aborted, waiting ends
 */
export function settlesWithin(promise: Promise<unknown>, timeLimit: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (answer: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', give);
      resolve(answer);
    };
    const give = (): void => settle(false);
    const timer = setTimeout(give, timeLimit);
    signal?.addEventListener('abort', give);
    if (signal?.aborted === true) give();
    const inTime = (): void => settle(true);
    promise.then(inTime, inTime);
  });
}
