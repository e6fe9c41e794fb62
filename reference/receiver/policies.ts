import type { IncomingMessage, Server } from 'node:http';

import type { Acceptance, ArrivedDelivery, Notification, Outcome, Reply, StampedSignature } from './records.ts';
import type { Resource, ServiceApi } from './serviceApi.ts';
import type { NotificationStore } from './store.ts';

/** What a delivery meets until its body has arrived, in this order. */
export interface ConnectionPolicies {
  /** Sets up the HTTP server before it listens: time-outs and what else concerns connections. */
  readonly tune: (server: Server) => void;
  /** Looks at a delivery before its body is read; a reply refuses it there and then. */
  readonly admit: (head: IncomingMessage) => Reply | undefined | Promise<Reply | undefined>;
  /** Reads the body. @throws BodyError where it is too large or its connection broke */
  readonly collect: (head: IncomingMessage) => Promise<Buffer>;
}

/** Where deliveries may come from (section 5.2), in a receiver that lets in published addresses only. */
export interface SourcePolicies {
  /** The address that a delivery comes from. */
  readonly senderOf: (head: IncomingMessage) => string;
  /** Whether an address is among the published addresses and blocks. */
  readonly isPublished: (address: string, published: readonly string[]) => boolean;
  /** The answer to everybody else. */
  readonly turnedAway: Reply;
  /** The addresses to let in from now on. @param read - what the service publishes now */
  readonly followed: (before: readonly string[], read: readonly string[]) => readonly string[];
  /** Milliseconds after which the list is read again; nothing for never. */
  readonly refreshAfter: (usual: number) => number | undefined;
}

/** Who signed a delivery (section 5.2). */
export interface SignaturePolicies {
  /** The secrets to verify with. @param configured - those that it was given. @throws TypeError where none can serve as a key */
  readonly usableSecrets: (configured: readonly string[]) => readonly string[];
  /** Finds the value of the signature header of this name (any case). */
  readonly findSignature: (head: IncomingMessage, name: string) => string | undefined;
  /** Whether one of the secrets signed exactly these bytes. */
  readonly verify: (delivery: ArrivedDelivery) => boolean;
}

/** When a right signature is still good, in a receiver whose deliveries are signed with a timestamp. */
export interface TimestampPolicies {
  /** What the header holds; nothing where it cannot be read. */
  readonly readStamped: (header: string) => StampedSignature | undefined;
  /** Whether a timestamp is near enough to the clock. All in milliseconds; the first two since the epoch. */
  readonly isTimely: (timestamp: number, clock: { readonly now: number; readonly tolerance: number }) => boolean;
}

/** What becomes of a signed delivery: it is read, stored and answered (section 4.4). */
export interface NotificationPolicies {
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
}

/** When a stored notification takes effect. */
export interface QueuePolicies {
  /** Lets the oldest pending notifications take effect. Returns how many did. */
  readonly work: (store: NotificationStore, limit: number) => number;
}

/** The start and the end of the process. */
export interface RestartPolicies {
  /** Looks at what an earlier process left behind, before the first delivery. @throws where it cannot go on from there */
  readonly begin: (store: NotificationStore) => void;
  /** Asked to end: no connection is taken any more, and what is in flight is still answered. */
  readonly end: (store: NotificationStore) => void;
}

/** The time after an outage (section 6.4). */
export interface RecoveryPolicies {
  /** Looks for what was missed. Returns the records that were read again. @throws Error where a call fails */
  readonly recover: (api: Pick<ServiceApi, 'all' | 'pages'>) => Promise<readonly Resource[]>;
}

/**
 * Every decision that a receiver makes, one small function each. `conformingPolicies` decides as the contract asks; a
 * fault replaces one or two.
 *
 * A policy that throws while a delivery is answered leads to a 500.
 */
export interface ReceiverPolicies
  extends
    ConnectionPolicies,
    SourcePolicies,
    SignaturePolicies,
    TimestampPolicies,
    NotificationPolicies,
    QueuePolicies,
    RestartPolicies,
    RecoveryPolicies {}
