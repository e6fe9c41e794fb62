import type { Arbitrary } from 'fast-check';

import type { Attempt } from './delivery.ts';
import type { Draw } from './draw.ts';
import type { ReceiverKit } from './kit.ts';

/** What a check cannot do without; the option that provides it is named in the report where it is missing. */
export type Need = 'secret' | 'probe';

/** Why a requirement is broken, as data: nothing here has been formatted for a reader's terminal. */
export interface Finding {
  /** The requirement ids that this case breaks: some of the check's own. */
  readonly requirements: readonly string[];
  readonly expected: string;
  readonly actual: string;
  /** True for an absence (no effect, no answer), which must recur with fresh ids before it counts. */
  readonly absence: boolean;
  /** What was sent and what came back, in order, the decisive attempt last. */
  readonly attempts: readonly Attempt[];
  /** The accepted neighbour that differs from the decisive attempt in one detail. */
  readonly twin?: Attempt;
  /** What differs between the twin and the decisive attempt, in a few words. */
  readonly difference?: string;
  /** True where what counts happened at the same time or within a connection: shell lines one after the other cannot show it. */
  readonly concurrent?: boolean;
  /** Ids whose number of effects is the point of the finding. */
  readonly effects?: readonly { readonly id: string; readonly expected: number; readonly actual: number }[];
}

/** Thrown by a check when a case shows nothing: its twin was not accepted, its connection could not be made. */
export class Unproven extends Error {
  override readonly name = 'Unproven';
}

/**
 * A check of a receiver: data and one `run`.
 *
 * @typeParam V - one generated case
 */
export interface ReceiverCheck<V = unknown> {
  /** `receiver/<topic>/<name>`, fixed for ever: users select by it. */
  readonly id: string;
  /** What a right receiver does, as a sentence without a subject ("refuses a body changed after signing"). */
  readonly title: string;
  /** The requirements that it can show broken; the first one is its main point. */
  readonly requirements: readonly [string, ...string[]];
  readonly needs: readonly Need[];
  /** True where it would disturb checks that run beside it (floods, hostile input); such checks run alone and last. */
  readonly disturbs?: boolean;
  /** The requirement that a receiver breaks by dying of a case. Default: the first one. */
  readonly fatal?: string;
  /** How many cases it gets, relative to the intensity's number. Default 1. */
  readonly weight?: number;
  /** How receivers usually get this wrong and how to mend it. */
  readonly hint: string;
  /** The kinds of case, one arbitrary each; every kind is tried at least once at any intensity. */
  cases(draw: Draw): readonly Arbitrary<V>[];
  /**
   * Tries one case.
   *
   * @returns a finding where the case shows a requirement broken, else nothing
   * @throws Unproven where the case showed neither
   */
  run(kit: ReceiverKit, value: V): Promise<Finding | undefined>;
}

/** Keeps a check's case type while it is written, and forgets it in the registry. */
export function receiverCheck<V>(check: ReceiverCheck<V>): ReceiverCheck {
  return check as ReceiverCheck;
}
