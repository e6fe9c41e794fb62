import { DatabaseSync } from 'node:sqlite';

import type { Acceptance, Notification } from './policies.ts';

/** A notification to be stored. `key` is what tells notifications apart: the contract says their id (section 6, rule 3). */
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

  /** @param file - path of the database, made where it is missing */
  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec(schema);
    this.#statements = prepare(this.#database);
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

  /** How often the notification of this id took effect; 0 for an unknown one. */
  effects(id: string): number {
    return Number(this.#statements.effects.get(id)!['count']);
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
    } catch (cause) {
      for (const { reject } of group) reject(cause);
    }
  }

  #insert({ key, id, event, body }: KeyedNotification): Acceptance {
    const { changes, lastInsertRowid } = this.#statements.notification.run(key, id, event ?? null, body);
    if (changes === 0) return 'duplicate';
    this.#statements.enqueue.run(lastInsertRowid);
    return 'new';
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
    processed: database.prepare('DELETE FROM pending WHERE sequence = ?'),
    effects: database.prepare('SELECT count(*) AS count FROM effects WHERE id = ?'),
  };
}
