import type { ReceiverPolicies } from '../../receiver/policies.ts';
import type { RequirementId } from '../../../spec/names.ts';

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
  readonly breaks: readonly [RequirementId, ...RequirementId[]];
  /** What it remembers starts afresh with each call. */
  readonly change: (policies: ReceiverPolicies) => ReceiverPolicies;
  /** Secrets to start it with, where it takes more than one to see it. */
  readonly secrets?: readonly string[];
  /**
   * True where it takes a run of its own to see it: one that kills, pauses or stops the process, or keeps it busy.
   * Default: any run shows it.
   */
  readonly processControl?: true;
  /**
   * What it takes to see it: a receiver that lets in listed senders only, one that reads that list from the service, one
   * that recovers after an outage, one that takes its secret from its environment, one whose deliveries are signed with a
   * timestamp, or one whose redeliveries are marked by a header (`X-Retry-Number`). Default: any receiver shows it.
   */
  readonly setting?: 'sources' | 'changed-sources' | 'recovery' | 'secret' | 'timestamps' | 'marked-redeliveries';
  /**
   * True where it shows only after several deliveries in a certain order, or in one that is unusual in more than one way: a
   * search finds it (`seaworthy fuzz`), and the suite need not. Default: the suite finds it.
   */
  readonly subtle?: true;
  /** Delivery time-out in ms with which it shows soon; where it is missing nothing depends on time. */
  readonly timeout?: number;
}

/** Faults by name; the name says what a receiver with it does. */
export type ReceiverFaults = Readonly<Record<string, ReceiverFault>>;
