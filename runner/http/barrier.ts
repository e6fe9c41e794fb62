import type { Delivery } from '../../suites/delivery.ts';

/**
 * A point where a fixed number of parties wait for each other. It can be passed again and again; anyone who leaves is no
 * longer waited for.
 */
export class Barrier {
  #parties: number;
  readonly #waiting = new Set<() => void>();

  constructor(parties: number) {
    this.#parties = parties;
  }

  /**
   * Calls `pass` once all parties have come, all in the same turn.
   *
   * @returns takes this party's arrival back
   */
  arrive(pass: () => void): () => void {
    this.#waiting.add(pass);
    this.#openWhenFull();
    return () => this.#waiting.delete(pass);
  }

  /** One party ends without coming (again). */
  leave(): void {
    this.#parties -= 1;
    this.#openWhenFull();
  }

  #openWhenFull(): void {
    if (this.#waiting.size < this.#parties) return;
    const passing = [...this.#waiting];
    this.#waiting.clear();
    for (const pass of passing) queueMicrotask(pass);
  }
}

/** Holds back those who arrive until it is released; anyone who comes later passes at once. */
export class Hold {
  readonly #held = new Set<() => void>();
  #released = false;

  /** @returns takes the arrival back */
  arrive(pass: () => void): () => void {
    if (this.#released) queueMicrotask(pass);
    else this.#held.add(pass);
    return () => this.#held.delete(pass);
  }

  release(): void {
    this.#released = true;
    for (const pass of this.#held) queueMicrotask(pass);
    this.#held.clear();
  }
}

/** Whether a delivery waits for the others that are sent at the same moment. */
export function hasBarrier({ wire }: Delivery): boolean {
  return wire?.steps.some((step) => 'barrier' in step) ?? false;
}
