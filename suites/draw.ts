import type { Arbitrary } from 'fast-check';

import type { Notification, NotificationOptions } from '../generators/notification/notification.ts';
import type { CatalogueEvent, Contract } from '../spec/contract.ts';
import type { SignatureScheme } from '../spec/signature.ts';

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
  /** A notification of one event, or of any of `events`. Plain ASCII content and a small `included` by default. */
  notification(options?: NotificationOptions & { readonly event?: CatalogueEvent }): Arbitrary<Notification>;
}
