import { setTimeout as sleep } from 'node:timers/promises';

import { ProbeError, type Probe } from './probe.ts';

/** Milliseconds before each further try. */
const pauses = [100, 300, 1000, 2000];
/** What took so many milliseconds to fail is not tried again. */
const patience = 5000;

/** A probe that is asked again where it fails: it may be restarting, or overloaded for a moment. */
export class RetriedProbe implements Probe {
  readonly #probe: Probe;
  readonly #signal: AbortSignal;
  /** True once it failed for good: until it answers again, nobody waits for it more than once. */
  #isDown = false;

  /** @param signal - aborted where nothing is waited for any more */
  constructor(probe: Probe, signal: AbortSignal) {
    this.#probe = probe;
    this.#signal = signal;
  }

  get silence(): string | undefined {
    return this.#probe.silence;
  }

  get asksEach(): boolean {
    return this.#probe.asksEach;
  }

  async count(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (!this.asksEach) return this.#count(ids);
    const counts = await Promise.all(ids.map((id) => this.#count([id])));
    return new Map(counts.flatMap((count) => [...count]));
  }

  async #count(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const from = performance.now();
    for (const pause of [...(this.#isDown ? [] : pauses), undefined]) {
      try {
        const counts = await this.#probe.count(ids);
        this.#isDown = false;
        return counts;
      } catch (error) {
        const isOver = this.#signal.aborted || performance.now() - from > patience;
        if (!(error instanceof ProbeError) || isOver || pause === undefined) {
          this.#isDown = error instanceof ProbeError;
          throw error;
        }
        await sleep(pause, undefined, { signal: this.#signal }).catch(() => undefined);
      }
    }
    throw new TypeError('the last try returns or throws');
  }

  close(): Promise<void> {
    return this.#probe.close();
  }
}
