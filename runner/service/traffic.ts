import type { Caught } from '../../suites/exchange.ts';

/**
 * Follows all that comes to the endpoints of a run. A service that has as many attempts under way as it ever had may have
 * no room for another: what it does not send then may be waiting for its turn.
 */
export class Traffic {
  /** When anything came, a retry included, in milliseconds of the run. */
  latest = 0;
  /** Attempts that have no answer yet. */
  readonly #open = new Set<Caught>();
  #most = 0;
  #fullAt = 0;

  /** To be called when an attempt has arrived, and when it has ended. */
  note(caught: Caught): void {
    const { at, end } = caught;
    if (end === undefined) {
      this.latest = at;
      this.#open.add(caught);
      this.#most = Math.max(this.#most, this.#open.size);
    }
    if (this.#open.size === this.#most) this.#fullAt = end?.at ?? at;
    if (end !== undefined) this.#open.delete(caught);
  }

  /** How many attempts were under way at once, at most. */
  get most(): number {
    return this.#most;
  }

  /** When the service had as many attempts under way as ever, the last time. @param now - in milliseconds of the run */
  fullAt(now: number): number {
    return this.#open.size > 0 && this.#open.size === this.#most ? now : this.#fullAt;
  }
}
