import type { IncomingMessage, Server } from 'node:http';

import type { RecoveryPolicies } from './recovery.ts';
import type { SourcePolicies } from './sources.ts';
import type { NotificationStore } from './store.ts';
import type { Notification, ArrivedDelivery, Acceptance, Reply, Outcome } from './records.ts';

/**
 * Every decision that a receiver makes, one small function each, in the order in which a delivery meets them.
 * `conformingPolicies` decides as the contract asks; a fault replaces one or two.
 *
 * A policy that throws is answered with 500.
 */
export interface ReceiverPolicies extends SourcePolicies, RecoveryPolicies {
  /** Looks at what an earlier process left behind, before the first delivery. @throws where it cannot go on from there */
  readonly begin: (store: NotificationStore) => void;
  /** Sets up the HTTP server before it listens: time-outs and what else concerns connections. */
  readonly tune: (server: Server) => void;
  /** Looks at a delivery before its body is read; a reply refuses it there and then. */
  readonly admit: (head: IncomingMessage) => Reply | undefined | Promise<Reply | undefined>;
  /** Reads the body. @throws BodyError where it is too large or its connection broke */
  readonly collect: (head: IncomingMessage) => Promise<Buffer>;
  /** Finds the value of the signature header of this name (any case). */
  readonly findSignature: (head: IncomingMessage, name: string) => string | undefined;
  /** Whether one of the secrets signed exactly these bytes. */
  readonly verify: (delivery: ArrivedDelivery) => boolean;
  /** What the body says, or nothing where it is not a notification. */
  readonly read: (body: Buffer) => Notification | undefined;
  /** Stores the notification durably, once for each id. Settles after the commit. */
  readonly accept: (
    notification: Notification,
    store: NotificationStore,
    delivery: ArrivedDelivery,
  ) => Promise<Acceptance>;
  /** The answer for a delivery that came this far. `notification` is there for `new` and `duplicate`. */
  readonly answer: (outcome: Outcome, delivery: ArrivedDelivery, notification?: Notification) => Reply;
  /** Lets the oldest pending notifications take effect. Returns how many did. */
  readonly work: (store: NotificationStore, limit: number) => number;
  /** Asked to end: no connection is taken any more, and what is in flight is still answered. */
  readonly end: (store: NotificationStore) => void;
}
