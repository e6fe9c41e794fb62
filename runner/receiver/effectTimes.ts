import type { Effects, SettledEffect } from '../../suites/kit.ts';

/** An effect that came while it was watched for. Both in milliseconds (monotonic). */
interface Seen {
  readonly owedSince: number;
  /** When a look showed that it was not there yet. */
  readonly absentAt: number;
}

const shortest = 1000;
const factor = 5;
/** By what part of its time an effect may be owed before one that came earlier, in a queue of several workers. */
const disorder = 0.2;
/** So long is an absence awaited at most because of effects that had to wait for others before them. */
const longestForQueue = 10_000;

/**
 * How long effects take, and with that how long an absence has to be awaited.
 *
 * In a queue an effect comes after those that were owed before it, and what waits for its turn says nothing of how long
 * one takes that has it: a minute of backlog is no reason to await each absence for five.
 */
export class EffectTimes {
  #slowest = 0;
  #slowestTurn = 0;
  /** When effects came last, and since when the first of them was owed. */
  #last = { at: 0, owedSince: Infinity };

  /** Milliseconds of the slowest effect seen. */
  get slowest(): number {
    return this.#slowest;
  }

  /** Milliseconds that an absence is awaited, as far as is known by now. */
  get settle(): number {
    return Math.max(shortest, factor * this.#slowestTurn, Math.min(factor * this.#slowest, longestForQueue));
  }

  /** The moment (monotonic) at which what came last would have been owed if nothing had been before it. */
  get lastTurn(): number {
    return this.#last.at - this.settle / factor;
  }

  /** These effects came at this moment (monotonic). */
  record(effects: readonly Seen[], now: number): void {
    if (effects.length === 0) return;
    for (const { owedSince, absentAt } of effects) {
      const ms = now - owedSince;
      const isNext = this.#last.owedSince - owedSince <= disorder * ms;
      this.#slowest = Math.max(this.#slowest, ms);
      // Before anybody looked, others may have come.
      const turn = Math.max(owedSince, absentAt, isNext ? this.#last.at : 0);
      this.#slowestTurn = Math.max(this.#slowestTurn, now - turn);
    }
    this.#last = { at: now, owedSince: Math.min(...effects.map(({ owedSince }) => owedSince)) };
  }
}

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
