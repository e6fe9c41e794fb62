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
