import fc, { type Arbitrary } from 'fast-check';

import type { Notification, NotificationOptions } from '../generators/notification/notification.ts';
import type { CatalogueEvent, Contract } from '../spec/contract.ts';
import type { ServiceTerms } from '../spec/serviceTerms.ts';
import type { SignatureScheme } from '../spec/signature.ts';
import type { TrackedNumber } from './service/trackingBody.ts';

/** What a check draws its cases from. */
export interface Draw {
  readonly contract: Contract;
  /** The events that the receiver subscribes to and whose plain delivery it accepted. */
  readonly events: readonly CatalogueEvent[];
  /** All subscribed events, accepted or not. */
  readonly subscribed: readonly CatalogueEvent[];
  /** Catalogue events that it does not subscribe to. */
  readonly unsubscribed: readonly CatalogueEvent[];
  /** How deliveries are signed. */
  readonly scheme: SignatureScheme;
  /** The secrets that the receiver accepts. */
  readonly secrets: readonly string[];
  /** Every delivery status that the contract knows. */
  readonly statuses: readonly string[];
  /** The spellings of the JSON media type that a service may send. */
  readonly mediaTypes: readonly string[];
  /** Bytes up to which a receiver takes any body (GAP-23). */
  readonly judgedSize: number;
  /** Whether a notification without a list of related resources is worth trying (GAP-1). */
  readonly mayLackIncluded: boolean;
  /** JSON Pointers of the objects in a notification that may get further members. */
  readonly memberHolders: readonly string[];
  /** The sender addresses that the receiver lets in, the kit's usual one first; empty where it lets in all. */
  readonly published: readonly string[];
  /** The number of deliveries that the user lets the kit have in flight. */
  readonly concurrency: number;
  readonly intensity: 'quick' | 'standard' | 'thorough';
  /** A notification of one event, or of any of `events`. Plain ASCII content and a small `included` by default. */
  notification(options?: NotificationOptions & { readonly event?: CatalogueEvent }): Arbitrary<Notification>;
}

/**
 * The values that pass, in a list of one; none where nothing that was drawn for a trial passes. The bodies of some contract
 * may hold no number, or no text: a filter that waits for one would not end.
 */
export function passing<T>(arbitrary: Arbitrary<T>, passes: (value: T) => boolean): readonly Arbitrary<T>[] {
  return mayPass(arbitrary, passes) ? [arbitrary.filter(passes)] : [];
}

/** Whether anything passes that is drawn for a trial: of an arbitrary that is asked about again, the same values. */
export function mayPass<T>(arbitrary: Arbitrary<T>, passes: (value: T) => boolean): boolean {
  const known = (trials.get(arbitrary) ?? new Map()) as Map<number, readonly T[]>;
  trials.set(arbitrary, known);
  // A sample is made whole before it is looked at: most often the first value passes.
  return [1, 5, 100].some((numRuns) => {
    const drawn = known.get(numRuns) ?? fc.sample(arbitrary, { numRuns, seed: 1 });
    known.set(numRuns, drawn);
    return drawn.some(passes);
  });
}

/** What was drawn for trials, by how many values. */
const trials = new WeakMap<Arbitrary<unknown>, Map<number, readonly unknown[]>>();

/** What a check of a service draws its cases from. */
export interface ServiceDraw {
  readonly contract: Contract;
  readonly terms: ServiceTerms;
  /** Names of the events that the kit can make happen; empty where it can make none happen. */
  readonly events: readonly string[];
  /** Numbers that the service finds; empty where none was given. */
  readonly trackable: readonly TrackedNumber[];
  /** Numbers that it does not find. */
  readonly untrackable: readonly TrackedNumber[];
  /** The number of calls that the user lets the kit have in flight. */
  readonly concurrency: number;
  readonly intensity: 'quick' | 'standard' | 'thorough';
}
