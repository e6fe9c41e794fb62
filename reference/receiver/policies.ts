import type { IncomingMessage, Server } from 'node:http';

import type { RecoveryPolicies } from './recovery.ts';
import type { SourcePolicies } from './sources.ts';
import type { NotificationStore } from './store.ts';

/** What the receiver understood of a body: enough to route, to deduplicate and to store it. */
export interface Notification {
  /** `data.id` (section 2.2): the same in every redelivery. */
  readonly id: string;
  /** `data.attributes.event`, where it is text. */
  readonly event: string | undefined;
  /** The whole body, parsed. */
  readonly value: unknown;
  /** The whole body as it arrived. */
  readonly body: Buffer;
}

/** A delivery of which every byte has arrived. */
export interface ArrivedDelivery {
  /** Request line and headers; its stream has been read. */
  readonly head: IncomingMessage;
  /** The raw bytes, which are what was signed. */
  readonly body: Buffer;
  /** The value of the signature header, where there is one. */
  readonly signature: string | undefined;
  /** Each may have signed it: more than one while a secret is being replaced. */
  readonly secrets: readonly string[];
  /** The sender addresses that are let in; nothing where all are. */
  readonly published: readonly string[] | undefined;
}

/** Whether the store has just taken the notification or had it already. */
export type Acceptance = 'new' | 'duplicate';

/** How a delivery ended. `forged`: not signed by any secret; `unreadable`: not JSON, or without an id. */
export type Outcome = Acceptance | 'forged' | 'unreadable';

/** An HTTP answer. Without a `body` it is empty. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

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
