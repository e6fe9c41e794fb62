/** The moment by which a run, or a part of it, has to end, and shares of the time until then. */
export class Deadline {
  readonly #at: number;

  /** @param at - milliseconds (monotonic). Default: never */
  constructor(at = Infinity) {
    this.#at = at;
  }

  /** @example Deadline.in(1000).part(0.5).left // 500 */
  static in(ms: number): Deadline {
    return new Deadline(performance.now() + ms);
  }

  /** Milliseconds until then; 0 afterwards. */
  get left(): number {
    return Math.max(0, this.#at - performance.now());
  }

  get over(): boolean {
    return this.left === 0;
  }

  /** The deadline of a part of the work that may take this share (0 to 1) of what is left. */
  part(share: number): Deadline {
    return Deadline.in(this.left * share);
  }
}
