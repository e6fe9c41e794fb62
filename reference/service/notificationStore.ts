import type { Database } from './database.ts';
import type { DeliveryStatus, Notification } from './records.ts';

type Row = Readonly<Record<string, unknown>>;

/** What is stored when a notification is created. */
export type NewNotification = Omit<Notification, 'sequence' | 'attempts'> & { readonly body: Buffer };

const columns = 'sequence, id, webhook_id, event, status, created_at, attempts, due_at';

/** The notifications, and how far their delivery came. What changes them is to be called within `Database.write`. */
export class NotificationStore {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
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

  /** Those that are still to be delivered, oldest first. */
  pending(): readonly Notification[] {
    return this.#statements.pending.all().map((row) => notificationOf(row));
  }

  setAttempts(sequence: number, attempts: number): void {
    this.#statements.setAttempts.run(attempts, sequence);
  }

  postpone(sequence: number, dueAt: number): void {
    this.#statements.postpone.run(dueAt, sequence);
  }

  finish(sequence: number, status: DeliveryStatus): void {
    this.#statements.finish.run(status, sequence);
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
  const table = 'webhook_notifications';
  return {
    insert: database.prepare(
      `INSERT INTO ${table} (id, webhook_id, event, status, created_at, attempts, due_at, body) VALUES (?, ?, ?, ?, ?, 0, ?, ?)`,
    ),
    find: database.prepare(`SELECT ${columns}, body FROM ${table} WHERE sequence = ?`),
    pending: database.prepare(`SELECT ${columns} FROM ${table} WHERE status = 'pending' ORDER BY sequence`),
    setAttempts: database.prepare(`UPDATE ${table} SET attempts = ? WHERE sequence = ?`),
    postpone: database.prepare(`UPDATE ${table} SET due_at = ? WHERE sequence = ?`),
    finish: database.prepare(`UPDATE ${table} SET status = ? WHERE sequence = ?`),
    failPending: database.prepare(`UPDATE ${table} SET status = 'failed' WHERE webhook_id = ? AND status = 'pending'`),
  };
}
