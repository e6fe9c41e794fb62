import type { Database } from './database.ts';
import type { DeliveryStatus, Notification } from './records.ts';

type Row = Readonly<Record<string, unknown>>;

/** What is stored when a notification is created. */
export type NewNotification = Omit<Notification, 'sequence' | 'attempts'> & { readonly body: Buffer };

const table = 'webhook_notifications';
const columns = 'sequence, id, webhook_id, event, status, created_at, attempts, due_at';

/** The notifications, and how far their delivery came. What changes them is to be called within `Database.write`. */
export class NotificationStore {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  insert(notification: NewNotification): Notification {
    const { id, webhookId, event, status, createdAt, dueAt, body } = notification;
    const { lastInsertRowid } = this.#statements.insert.run(id, webhookId, event, status, createdAt, dueAt, body);
    return { id, webhookId, event, status, createdAt, dueAt, attempts: 0, sequence: Number(lastInsertRowid) };
  }

  find(sequence: number): (Notification & { readonly body: Buffer }) | undefined {
    const row = this.#statements.find.get(sequence) as Row | undefined;
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
export function notificationOf(row: Row): Notification {
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

function prepare(database: Database) {
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
