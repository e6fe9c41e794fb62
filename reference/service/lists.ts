import type { Database } from './database.ts';
import { notificationOf, webhookOf } from './stores.ts';
import type { CallPolicies, ListPolicies, Page, WebhookPolicies } from './policies.ts';
import type { ListName, Resource } from './records.ts';

type Row = Readonly<Record<string, never>>;

/** A page of a list, and how long the whole list is. */
export interface Slice {
  readonly items: readonly Resource[];
  readonly total: number;
}

/** Reads the lists of the API. */
export class Lists {
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
