import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { ProbeError, type Probe } from './probe.ts';

/** Milliseconds before each further try. */
const pauses = [200, 1000];
/** What took so many milliseconds to fail is not tried again. */
const patience = 5000;

/** A probe that is asked again where it fails: it may be restarting, or overloaded for a moment. */
export class RetriedProbe implements Probe {
  readonly #probe: Probe;
  readonly #signal: AbortSignal;
  #asking: Promise<ProbeError | undefined> | undefined;

  /** @param signal - aborted where nothing is waited for any more */
  constructor(probe: Probe, signal: AbortSignal) {
    this.#probe = probe;
    this.#signal = signal;
  }

  get silence(): string | undefined {
    return this.#probe.silence;
  }

  async count(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const from = performance.now();
    for (const pause of pauses) {
      try {
        return await this.#probe.count(ids);
      } catch (error) {
        const isOver = this.#signal.aborted || performance.now() - from > patience;
        if (!(error instanceof ProbeError) || isOver) throw error;
        await sleep(pause, undefined, { signal: this.#signal }).catch(() => undefined);
      }
    }
    return this.#probe.count(ids);
  }

  /** Asks for an id of no notification: nothing where that is answered. All who ask at the same time share one asking. */
  failure(): Promise<ProbeError | undefined> {
    this.#asking ??= this.count([randomUUID()])
      .then(
        () => undefined,
        (error: unknown) => (error instanceof ProbeError ? error : Promise.reject(error)),
      )
      .finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  close(): Promise<void> {
    return this.#probe.close();
  }
}
