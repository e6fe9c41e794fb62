import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds after which a first packet that was lost is sent again, or a little less (RFC 6298: one second). */
const sentAgain = 900;

/** Milliseconds of a connection at most that was made at once. */
const atOnce = 100;

/** Connections that may be opened at the same moment: no more than the shortest usual queue of a listener holds (5). */
const burst = 4;

/** Milliseconds between two others: at first, and at most. */
const gaps = { first: 5, most: 10 } as const;

/**
 * How fast connections to one target are opened: as fast as they are asked for, until one takes as long as a lost packet takes
 * to be sent again, where others were made at once. Then the target's queue of new connections is short, as that of Python's
 * `http.server` is (5), and each one beyond it would cost a second or more.
 *
 * @example const socket = await spacing.take(() => connected());
 */
export class ConnectionSpacing {
  #wasMadeAtOnce = false;
  #gap = 0;
  /** When the gap was last made longer, in milliseconds (monotonic). What began before says nothing about it. */
  #since = -Infinity;
  /** The turn of the one that came last. */
  #last = -Infinity;

  /** Opens a connection when it is its turn. @param connect - resolves once it is made, and may reject */
  async take<T>(connect: () => Promise<T>): Promise<T> {
    const wait = this.#turn() - performance.now();
    if (wait > 0) await sleep(wait);
    const began = performance.now();
    const connection = await connect();
    this.#made(began);
    return connection;
  }

  /** When the next one may be opened. */
  #turn(): number {
    const now = performance.now();
    this.#last = Math.max(this.#last + this.#gap, now - (burst - 1) * this.#gap);
    return this.#last;
  }

  #made(began: number): void {
    const took = performance.now() - began;
    this.#wasMadeAtOnce ||= took < atOnce;
    if (took < sentAgain || !this.#wasMadeAtOnce || began < this.#since) return;
    this.#gap = Math.min(gaps.most, Math.max(gaps.first, 2 * this.#gap));
    this.#since = performance.now();
  }
}
