/** Milliseconds that the canary pass should take at most, as far as that can be planned. */
const planned = 30_000;

/** Requests that a case of it makes, about, and the most cases that it tries side by side. */
const requestsOfCase = 3;
const most = 8;

/** Plain requests that are timed before it. */
const timed = 3;

/**
 * How many cases of the canary pass are tried at a time: one, unless the target answers so slowly that this would take
 * long. Then it is small groups.
 *
 * @param cases - how many there are
 * @param ask - makes a plain request, and resolves when it was answered
 */
export async function canaryWidth(cases: number, ask: () => Promise<unknown>): Promise<number> {
  let fastest = Infinity;
  for (let asked = 0; asked < timed; asked++) {
    const began = performance.now();
    await ask();
    fastest = Math.min(fastest, performance.now() - began);
  }
  return Math.min(most, Math.max(1, Math.ceil((cases * requestsOfCase * fastest) / planned)));
}
