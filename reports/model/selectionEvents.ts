/** An entry of `--expect-failures`: what is known to fail, and why. */
export interface Expectation {
  /** A requirement or a check. */
  readonly id: string;
  readonly reason: string;
  /** The last day on which it counts: `2027-01-31`. */
  readonly expires?: string;
  readonly link?: string;
}

/** A check that the suite has and a run was not given. */
export interface LeftOutCheck {
  readonly id: string;
  readonly requirements: readonly string[];
}
