import type { buildConnector } from 'undici';

import { type Contract, loadContract } from '../../spec/contract.ts';
import { Announcer } from './announcer.ts';
import { Database } from './database.ts';
import { Deliveries } from './deliveries.ts';
import type { CallPolicies, DeliveryTuning, ListPolicies, Page, ServicePolicies, WebhookPolicies } from './policies.ts';
import type { ListName, MadeAttempt, Reply, Resource } from './records.ts';
import { Samples } from './samples.ts';
import { Sender } from './sender.ts';
import { notificationOf, NotificationStore, ResourceStore, VoyageStore, webhookOf, WebhookStore } from './stores.ts';
import { Voyages } from './voyages.ts';

export interface ServicePartsOptions {
  /** Path of the database. */
  readonly file: string;
  readonly policies: ServicePolicies;
  readonly tuning: DeliveryTuning;
  readonly speed: number;
  readonly ca: string | undefined;
  readonly connect: buildConnector.connector | undefined;
  readonly onAttempt: (attempt: MadeAttempt) => void;
}

/** All parts of a service but its HTTP face, and how they begin and end. */
export interface Engine {
  readonly parts: ServiceParts;
  /** Goes on with what an earlier process left to be done. */
  resume(): void;
  /** Begins nothing new. */
  stop(): void;
  /** Waits for what is in flight, cuts off what takes longer, and closes the database. */
  end(timeLimit: number): Promise<void>;
}

/** Read once in a process: it never changes, and reading it takes longer than anything else at the start. */
let contract: Contract | undefined;

/** @throws Error where the database cannot be used */
export function createServiceParts(options: ServicePartsOptions): Engine {
  const { file, policies, tuning, speed, ca, connect, onAttempt } = options;
  contract ??= loadContract();
  const database = new Database(file);
  const stores = { database, webhooks: new WebhookStore(database), notifications: new NotificationStore(database) };
  forgetLost(stores, policies);
  const sender = new Sender({ ca, connect, localAddress: policies.localAddress });
  const deliveries = new Deliveries({ ...stores, policies, tuning, sender, onAttempt });
  const announcer = new Announcer({ ...stores, deliveries, policies });
  const voyages = new Voyages({ ...voyageStores(database), contract, announcer, policies, speed });
  const samples = new Samples({ ...stores, contract, policies, tuning, announcer, sender });
  const lists = new Lists(database, policies);
  const catalogue = contract.events.map(({ name }) => name);
  return {
    parts: { ...stores, contract, catalogue, policies, lists, announcer, samples, voyages },
    resume: () => {
      deliveries.resume();
      voyages.resume();
    },
    stop: () => {
      deliveries.stop();
      voyages.stop();
    },
    end: async (timeLimit) => {
      const cut = setTimeout(() => void sender.close(), timeLimit);
      await deliveries.ended();
      clearTimeout(cut);
      await sender.close();
      database.close();
    },
  };
}

/** Removes the webhooks of an earlier process that are not to be there any more. */
function forgetLost(
  { database, webhooks }: Pick<ServiceParts, 'database' | 'webhooks'>,
  policies: ServicePolicies,
): void {
  const lost = webhooks.all().filter((webhook) => !policies.survives(webhook));
  if (lost.length > 0) void database.write(() => lost.forEach(({ id }) => webhooks.delete(id)));
}

function voyageStores(database: Database) {
  return {
    database,
    voyages: new VoyageStore(database),
    requests: new ResourceStore(database, 'tracking_requests'),
    shipments: new ResourceStore(database, 'shipments'),
    containers: new ResourceStore(database, 'containers'),
  };
}

/** A call that is authorised, and whose body is valid for the contract's schema. */
export interface Call {
  /** The path without the query, as it was called. */
  readonly path: string;
  /** What stands in the place of `{id}`. */
  readonly id: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** The value of the Accept header. */
  readonly accept: string | undefined;
  /** The value of the Content-Type header; empty where there is none. */
  readonly contentType: string;
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

type Row = Readonly<Record<string, never>>;

/** A page of a list, and how long the whole list is. */
interface Slice {
  readonly items: readonly Resource[];
  readonly total: number;
}

/** Reads the lists of the API. */
class Lists {
  readonly #database: Database;
  readonly #policies: ListPolicies & WebhookPolicies & CallPolicies;

  constructor(database: Database, policies: ListPolicies & WebhookPolicies & CallPolicies) {
    this.#database = database;
    this.#policies = policies;
  }

  read(list: ListName, page: Page): Slice {
    const { where, orderBy } = this.#policies.selection(list);
    const { offset, limit } = this.#policies.window(page, list);
    const counted = this.#database.prepare(`SELECT count(*) AS total FROM ${list} WHERE ${where}`).get();
    const rows = this.#database
      .prepare(`SELECT * FROM ${list} WHERE ${where} ORDER BY ${orderBy} LIMIT ? OFFSET ?`)
      .all(limit, offset);
    return { items: rows.map((row) => this.#resource(list, row as Row)), total: Number(counted!['total']) };
  }

  #resource(list: ListName, row: Row): Resource {
    switch (list) {
      case 'webhooks':
        return this.#policies.webhookResource(webhookOf(row), 'listed', this.#policies.timestamp);
      case 'webhook_notifications':
        return this.#notification(row);
      default:
        return {
          id: row['id']!,
          type: list.slice(0, -1),
          attributes: JSON.parse(row['attributes']!) as object as never,
        };
    }
  }

  #notification(row: Row): Resource {
    const notification = notificationOf(row);
    const { shownStatus, timestamp, listedNotification } = this.#policies;
    const attributes = {
      event: notification.event,
      delivery_status: shownStatus(notification),
      created_at: timestamp(notification.createdAt),
    };
    return listedNotification({ id: notification.id, type: 'webhook_notification', attributes }, notification);
  }
}
