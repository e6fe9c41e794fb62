import type { Contract } from '../../spec/contract.ts';
import type { Announcer } from './announcer.ts';
import type { Database } from './database.ts';
import type { Lists } from './lists.ts';
import type { NotificationStore } from './notificationStore.ts';
import type { ServicePolicies } from './policies.ts';
import type { Reply } from './records.ts';
import type { Samples } from './samples.ts';
import type { Voyages } from './voyages.ts';
import type { WebhookStore } from './webhookStore.ts';

/** A call that is authorised, and whose body is valid for the contract's schema. */
export interface Call {
  /** The path without the query, as it was called. */
  readonly path: string;
  /** What stands in the place of `{id}`. */
  readonly id: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** The value of the Accept header. */
  readonly accept: string | undefined;
  readonly body: unknown;
}

/** All that an operation works on. */
export interface ServiceParts {
  readonly contract: Contract;
  /** The name of every event. */
  readonly catalogue: readonly string[];
  readonly policies: ServicePolicies;
  readonly database: Database;
  readonly webhooks: WebhookStore;
  readonly notifications: NotificationStore;
  readonly lists: Lists;
  readonly announcer: Announcer;
  readonly samples: Samples;
  readonly voyages: Voyages;
}

/** Answers a call of one operation. @throws Refusal */
export type Handler = (call: Call, parts: ServiceParts) => Reply | Promise<Reply>;

/** By the operationId of the contract. */
export type Handlers = Readonly<Record<string, Handler>>;
