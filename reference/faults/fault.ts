import type { ReceiverPolicies } from '../receiver/policies.ts';

/**
 * A receiver's mistake: the replacement of one decision, or of two that belong together.
 *
 * Whatever else it does, it leaves a plain delivery accepted with one effect (compact JSON, ASCII, an ordinary event),
 * so that the mistake shows beside something that works.
 */
export interface ReceiverFault {
  /** What it does wrong, as one sentence. */
  readonly summary: string;
  /** Every requirement that it breaks. The first one is its main point. */
  readonly breaks: readonly [string, ...string[]];
  /** What it remembers starts afresh with each call. */
  readonly change: (policies: ReceiverPolicies) => ReceiverPolicies;
  /** Secrets to start it with, where it takes more than one to see it. */
  readonly secrets?: readonly string[];
  /** Delivery time-out in ms with which it shows soon; where it is missing nothing depends on time. */
  readonly timeout?: number;
}

/** Faults by name; the name says what a receiver with it does. */
export type ReceiverFaults = Readonly<Record<string, ReceiverFault>>;
