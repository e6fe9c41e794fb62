import type { Database } from './database.ts';
import type {
  Webhook,
  WebhookAttributes,
  DeliveryStatus,
  Notification,
  TrackingRequest,
  ListName,
  Resource,
} from './records.ts';

type WebhookRow = Readonly<Record<string, string | number>>;

/** The registered webhooks. What changes them is to be called within `Database.write`. */
export class WebhookStore {
  readonly #statements: ReturnType<typeof prepareWebhooks>;

  constructor(database: Database) {
    this.#statements = prepareWebhooks(database);
  }

  insert(webhook: Webhook): void {
    const { id, secret, createdAt, failures } = webhook;
    this.#statements.insert.run(id, attributesText(webhook), secret, createdAt, failures);
  }

  /** Stores what may change: the attributes and the count of failures. */
  update(webhook: Webhook): void {
    this.#statements.update.run(attributesText(webhook), webhook.failures, webhook.id);
  }

  delete(id: string): void {
    this.#statements.delete.run(id);
  }

  find(id: string): Webhook | undefined {
    const row = this.#statements.find.get(id);
    return row === undefined ? undefined : webhookOf(row as WebhookRow);
  }

  /** Oldest first. */
  all(): readonly Webhook[] {
    return this.#statements.all.all().map((row) => webhookOf(row as WebhookRow));
  }
}

/** Kept as JSON, which spells every text that a client may send, lone surrogates and U+0000 included. */
function attributesText({ url, active, events, headers, unlisted }: Webhook): string {
  const attributes: WebhookAttributes = {
    url,
    active,
    events,
    headers,
    ...(unlisted === undefined ? {} : { unlisted }),
  };
  return JSON.stringify(attributes);
}

/** @param row - of the table `webhooks` */
export function webhookOf(row: WebhookRow): Webhook {
  return {
    ...(JSON.parse(row['attributes'] as string) as WebhookAttributes),
    id: row['id'] as string,
    secret: row['secret'] as string,
    createdAt: row['created_at'] as number,
    failures: row['failures'] as number,
  };
}

function prepareWebhooks(database: Database) {
  return {
    insert: database.prepare(
      'INSERT INTO webhooks (id, attributes, secret, created_at, failures) VALUES (?, ?, ?, ?, ?)',
    ),
    update: database.prepare('UPDATE webhooks SET attributes = ?, failures = ? WHERE id = ?'),
    delete: database.prepare('DELETE FROM webhooks WHERE id = ?'),
    find: database.prepare('SELECT * FROM webhooks WHERE id = ? ORDER BY sequence LIMIT 1'),
    all: database.prepare('SELECT * FROM webhooks ORDER BY sequence'),
  };
}

type NotificationRow = Readonly<Record<string, unknown>>;

/** What is stored when a notification is created. */
type NewNotification = Omit<Notification, 'sequence' | 'attempts'> & { readonly body: Buffer };

const table = 'webhook_notifications';

const columns = 'sequence, id, webhook_id, event, status, created_at, attempts, due_at';

/** The notifications, and how far their delivery came. What changes them is to be called within `Database.write`. */
export class NotificationStore {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepareNotifications>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepareNotifications(database);
  }

  insert(notification: NewNotification): Notification {
    const { id, webhookId, event, status, createdAt, dueAt, body } = notification;
    const { lastInsertRowid } = this.#statements.insert.run(id, webhookId, event, status, createdAt, dueAt, body);
    return { id, webhookId, event, status, createdAt, dueAt, attempts: 0, sequence: Number(lastInsertRowid) };
  }

  find(sequence: number): (Notification & { readonly body: Buffer }) | undefined {
    const row = this.#statements.find.get(sequence) as NotificationRow | undefined;
    if (row === undefined) return undefined;
    const { buffer, byteOffset, byteLength } = row['body'] as Uint8Array<ArrayBuffer>;
    return { ...notificationOf(row), body: Buffer.from(buffer, byteOffset, byteLength) };
  }

  /** Those for which this SQL expression holds, oldest first. */
  where(expression: string): readonly Notification[] {
    const found = this.#database.prepare(`SELECT ${columns} FROM ${table} WHERE ${expression} ORDER BY sequence`);
    return found.all().map((row) => notificationOf(row));
  }

  /** Counts an attempt that begins. @param status - how it is to be found meanwhile */
  begin(sequence: number, attempts: number, status: DeliveryStatus): void {
    this.#statements.begin.run(attempts, status, sequence);
  }

  setStatus(sequence: number, status: DeliveryStatus): void {
    this.#statements.setStatus.run(status, sequence);
  }

  postpone(sequence: number, dueAt: number): void {
    this.#statements.postpone.run(dueAt, sequence);
  }

  /** Ends what is still pending for a webhook that is no more. */
  failPending(webhookId: string): void {
    this.#statements.failPending.run(webhookId);
  }
}

/** @param row - of the table `webhook_notifications` */
export function notificationOf(row: NotificationRow): Notification {
  return {
    sequence: row['sequence'] as number,
    id: row['id'] as string,
    webhookId: row['webhook_id'] as string,
    event: row['event'] as string,
    status: row['status'] as DeliveryStatus,
    createdAt: row['created_at'] as number,
    attempts: row['attempts'] as number,
    dueAt: row['due_at'] as number,
  };
}

function prepareNotifications(database: Database) {
  return {
    insert: database.prepare(
      `INSERT INTO ${table} (id, webhook_id, event, status, created_at, attempts, due_at, body) VALUES (?, ?, ?, ?, ?, 0, ?, ?)`,
    ),
    find: database.prepare(`SELECT ${columns}, body FROM ${table} WHERE sequence = ?`),
    begin: database.prepare(`UPDATE ${table} SET attempts = ?, status = ? WHERE sequence = ?`),
    postpone: database.prepare(`UPDATE ${table} SET due_at = ? WHERE sequence = ?`),
    setStatus: database.prepare(`UPDATE ${table} SET status = ? WHERE sequence = ?`),
    failPending: database.prepare(`UPDATE ${table} SET status = 'failed' WHERE webhook_id = ? AND status = 'pending'`),
  };
}

/** How far the voyage of a tracking request has come. */
export interface Progress {
  readonly request: TrackingRequest;
  /** Which step of its plan is next, from 0. */
  readonly step: number;
  /** When that step is due, in milliseconds since 1970. */
  readonly dueAt: number;
}

/** The voyages that go on. What changes them is to be called within `Database.write`. */
export class VoyageStore {
  readonly #statements: ReturnType<typeof prepareVoyages>;

  constructor(database: Database) {
    this.#statements = prepareVoyages(database);
  }

  save({ request, step, dueAt }: Progress): void {
    this.#statements.save.run(request.id, JSON.stringify(request), step, dueAt);
  }

  end(requestId: string): void {
    this.#statements.end.run(requestId);
  }

  all(): readonly Progress[] {
    return this.#statements.all.all().map((row) => ({
      request: JSON.parse(row['request'] as string) as TrackingRequest,
      step: row['step'] as number,
      dueAt: row['due_at'] as number,
    }));
  }
}

function prepareVoyages(database: Database) {
  return {
    save: database.prepare(
      `INSERT INTO voyages (request_id, request, step, due_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (request_id) DO UPDATE SET request = excluded.request, step = excluded.step, due_at = excluded.due_at`,
    ),
    end: database.prepare('DELETE FROM voyages WHERE request_id = ?'),
    all: database.prepare('SELECT request, step, due_at FROM voyages ORDER BY due_at'),
  };
}

/** The tables that hold resources as they are shown. */
type ResourceTable = Extract<ListName, 'tracking_requests' | 'shipments' | 'containers'>;

/** The records of tracking. What changes them is to be called within `Database.write`. */
export class ResourceStore {
  readonly #save: ReturnType<Database['prepare']>;

  constructor(database: Database, table: ResourceTable) {
    this.#save = database.prepare(
      `INSERT INTO ${table} (id, created_at, attributes) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET attributes = excluded.attributes`,
    );
  }

  /** Stores a new resource, or what has changed of one that is there. @param createdAt - milliseconds since 1970 */
  save({ id, attributes }: Resource, createdAt: number): void {
    this.#save.run(id, createdAt, JSON.stringify(attributes));
  }
}
