import type { Effects, SettledEffect } from '../../suites/kit.ts';

/** When an id was delivered last, and since when the target runs, in milliseconds (monotonic). */
interface Times {
  of(id: string): number | undefined;
  readonly upSince?: number;
}

/** Ids that are remembered, the latest: more than are asked for again. */
const most = 5000;

/** What is remembered of the waits for effects of a run: a look at its end shows what has changed since. */
export class SettledEffects {
  readonly #known = new Map<string, SettledEffect>();

  /** @param at - when (monotonic) they were asked for */
  record(expected: ReadonlyMap<string, number>, effects: Effects, at: number): void {
    // An id keeps its place: whatever forgets, a probe too, forgets by when something took effect.
    for (const [id, wanted] of expected) this.#known.set(id, { expected: wanted, count: effects.get(id) ?? 0, at });
    for (const id of this.#known.keys()) {
      if (this.#known.size <= most) break;
      this.#known.delete(id);
    }
  }

  /** Those whose ids were not delivered later, and that an interruption cannot have changed. */
  since(times: Times): ReadonlyMap<string, SettledEffect> {
    const { upSince = 0 } = times;
    return new Map([...this.#known].filter(([id, { at }]) => at >= upSince && (times.of(id) ?? Infinity) <= at));
  }
}
