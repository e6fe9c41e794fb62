import { DatabaseSync } from 'node:sqlite';

import type { Resource } from './serviceApi.ts';
import type { Acceptance, Notification } from './records.ts';

/** A notification to be stored. `key` is what distinguishes notifications: the contract says their id (section 6, rule 3). */
export type KeyedNotification = Omit<Notification, 'value'> & { readonly key: string };

interface Waiting {
  readonly notification: KeyedNotification;
  readonly resolve: (acceptance: Acceptance) => void;
  readonly reject: (cause: unknown) => void;
}

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS notifications (
    sequence INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, id TEXT NOT NULL, event TEXT, body BLOB NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS pending (sequence INTEGER PRIMARY KEY REFERENCES notifications) STRICT;
  CREATE TABLE IF NOT EXISTS effects (sequence INTEGER PRIMARY KEY, id TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS effects_by_id ON effects (id);
  CREATE TABLE IF NOT EXISTS records (id TEXT PRIMARY KEY, resource TEXT NOT NULL) STRICT;
`;

/**
 * The accepted notifications and what became of them, in one SQLite file.
 *
 * Acceptance is a group commit: what arrives within one turn of the event loop is stored by one transaction, so that
 * concurrent deliveries share the wait for the disk. An effect is written by the transaction that takes its
 * notification off the list of pending ones, so that it happens once, also across a crash.
 */
export class NotificationStore {
  readonly #database: DatabaseSync;
  readonly #statements: ReturnType<typeof prepare>;
  #waiting: Waiting[] = [];
  #onPending: () => void = () => {};

  /** @param file - path of the database, made where it is missing */
  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec(schema);
    this.#statements = prepare(this.#database);
  }

  /** Names what is called whenever notifications were stored that have still to take effect. */
  set onPending(listener: () => void) {
    this.#onPending = listener;
  }

  /** Whether a notification with this key was stored, by this process or an earlier one. */
  has(key: string): boolean {
    return this.#statements.known.get(key) !== undefined;
  }

  /**
   * Stores the notification unless one with its key is there already.
   *
   * @returns after the commit, so that the answer may follow
   * @throws what the database threw; then nothing of the group was stored
   */
  accept(notification: KeyedNotification): Promise<Acceptance> {
    if (this.#waiting.length === 0) setImmediate(() => this.#commitWaiting());
    return new Promise((resolve, reject) => this.#waiting.push({ notification, resolve, reject }));
  }

  /**
   * Lets the oldest pending notifications take effect, in one transaction.
   *
   * @returns how many did
   */
  processPending(limit: number): number {
    return this.#transaction(() => {
      const pending = this.#statements.pending.all(limit);
      for (const { sequence, id } of pending) {
        this.#statements.effect.run(id!);
        this.#statements.processed.run(sequence!);
      }
      return pending.length;
    });
  }

  /** Stores the notification as one that is done, so that it takes no effect any more. A step of {@link accept} by itself. */
  remember(notification: KeyedNotification): Acceptance {
    return this.#transaction(() => (this.#insertNotification(notification) === undefined ? 'duplicate' : 'new'));
  }

  /** Takes back what {@link remember} stored. */
  forget(key: string): void {
    this.#statements.forget.run(key);
  }

  /** Lets a notification take effect, whatever was stored of it. A step of {@link processPending} by itself. */
  takeEffect(id: string): void {
    this.#statements.effect.run(id);
  }

  /** Takes back what {@link takeEffect} and {@link processPending} did for a notification. */
  undo(id: string): void {
    this.#statements.undo.run(id);
  }

  /**
   * Takes every notification off the list of pending ones, so that none of them takes effect by itself.
   *
   * @returns their ids
   */
  takePending(): readonly string[] {
    return this.#statements.drop.all().map(({ sequence }) => String(this.#statements.idOf.get(sequence!)!['id']));
  }

  /** How often the notification of this id took effect; 0 for an unknown one. */
  effects(id: string): number {
    return Number(this.#statements.effects.get(id)!['count']);
  }

  /** Stores records that were read again, each in the place of what was known of it. */
  keep(records: readonly Resource[]): void {
    this.#transaction(() => {
      for (const record of records) this.#statements.keep.run(record.id, JSON.stringify(record));
    });
  }

  close(): void {
    this.#commitWaiting();
    this.#database.close();
  }

  #commitWaiting(): void {
    const group = this.#waiting;
    this.#waiting = [];
    if (group.length === 0) return;
    try {
      const acceptances = this.#transaction(() => group.map(({ notification }) => this.#insert(notification)));
      for (const [index, { resolve }] of group.entries()) resolve(acceptances[index]!);
      if (acceptances.includes('new')) this.#onPending();
    } catch (cause) {
      for (const { reject } of group) reject(cause);
    }
  }

  #insert(notification: KeyedNotification): Acceptance {
    const sequence = this.#insertNotification(notification);
    if (sequence === undefined) return 'duplicate';
    this.#statements.enqueue.run(sequence);
    return 'new';
  }

  #insertNotification({ key, id, event, body }: KeyedNotification): number | bigint | undefined {
    const { changes, lastInsertRowid } = this.#statements.notification.run(key, id, event ?? null, body);
    return changes === 0 ? undefined : lastInsertRowid;
  }

  #transaction<T>(action: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = action();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

function prepare(database: DatabaseSync) {
  return {
    notification: database.prepare(
      'INSERT INTO notifications (key, id, event, body) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING',
    ),
    enqueue: database.prepare('INSERT INTO pending (sequence) VALUES (?)'),
    pending: database.prepare(
      'SELECT sequence, id FROM pending JOIN notifications USING (sequence) ORDER BY sequence LIMIT ?',
    ),
    effect: database.prepare('INSERT INTO effects (id) VALUES (?)'),
    undo: database.prepare('DELETE FROM effects WHERE id = ?'),
    known: database.prepare('SELECT 1 FROM notifications WHERE key = ?'),
    forget: database.prepare('DELETE FROM notifications WHERE key = ?'),
    drop: database.prepare('DELETE FROM pending RETURNING sequence'),
    idOf: database.prepare('SELECT id FROM notifications WHERE sequence = ?'),
    processed: database.prepare('DELETE FROM pending WHERE sequence = ?'),
    keep: database.prepare('INSERT OR REPLACE INTO records (id, resource) VALUES (?, ?)'),
    effects: database.prepare('SELECT count(*) AS count FROM effects WHERE id = ?'),
  };
}
