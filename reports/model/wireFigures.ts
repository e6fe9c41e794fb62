/** How often an event went over the wire for a check, and how often that was refused or remained without an answer. */
export interface EventCell {
  readonly check: string;
  readonly deliveries: number;
  /** Answered with a status that does not end a delivery. */
  readonly refused: number;
  /** Broken connections and time-outs. */
  readonly unanswered: number;
}

/** One event of the catalogue (or one that was made up), and the checks that it was delivered for. */
export interface EventRow {
  readonly event: string;
  /** Whether the contract knows no event of this name. */
  readonly madeUp?: true;
  /** Without the checks that it was not delivered for. */
  readonly cells: readonly EventCell[];
}

/** How many answers took so long: `from` (included) to `to` (excluded) milliseconds. */
export interface LatencyBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** How long answers took. */
export interface Latencies {
  readonly count: number;
  /** Milliseconds. From the bins, so that they are right to the width of one. */
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
  readonly longest: number;
  /** Without empty bins; each is about a tenth as wide as its lower end, so that memory is bounded. */
  readonly bins: readonly LatencyBin[];
}

/** How long the answers took that one check got. */
export interface CheckLatencies extends Latencies {
  readonly check: string;
}

/** One attempt of a notification at an endpoint of the kit. */
export interface TimedAttempt {
  /** From 1. */
  readonly number: number;
  /** Milliseconds of the run. */
  readonly ms: number;
  /** What the endpoint did, in words. */
  readonly answered: string;
}

/** A notification that a service attempted several times. */
export interface RetriedNotification {
  readonly id: string;
  readonly event: string;
  readonly check: string;
  readonly endpoint: string;
  readonly attempts: readonly TimedAttempt[];
}

/** What went over the wire, added up. Its size does not depend on the number of deliveries. */
export interface WireFigures {
  /** In the order of their first delivery; made-up events beyond a bound share the row of the empty name. */
  readonly events: readonly EventRow[];
  /** Of the deliveries to a receiver, or of the calls of a service. */
  readonly latencies: Latencies;
  /** The same for each check, in the order of their first answers. */
  readonly latenciesByCheck: readonly CheckLatencies[];
  /** A bounded number of those with the most attempts. */
  readonly retried: readonly RetriedNotification[];
}
