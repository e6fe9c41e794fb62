import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** A write that waits for its transaction. `run` writes and returns what is called once it is committed. */
interface Waiting {
  readonly run: () => () => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * The SQLite file that holds all that the service must not forget.
 *
 * Writing is a group commit: the writes of one turn of the event loop share one transaction, and so one wait for the
 * disk. A process has its file for itself: two services on one queue would deliver everything twice.
 */
export class Database {
  readonly #connection: DatabaseSync;
  #waiting: Waiting[] = [];
  #closed = false;

  /**
   * @param file - path of the database, made where it is missing
   * @throws Error where it is in use or is no database
   */
  constructor(file: string) {
    this.#connection = new DatabaseSync(file);
    try {
      this.#connection.exec(schema);
    } catch (cause) {
      this.#connection.close();
      throw new Error(
        `The database ${file} cannot be used: ${(cause as Error).message}. A file serves one service at a time. Stop the other one, or name another file.`,
        { cause },
      );
    }
  }

  prepare(sql: string): StatementSync {
    return this.#connection.prepare(sql);
  }

  /**
   * Runs an action that writes, in a transaction that it may share with others.
   *
   * @returns what the action returned, after the commit
   * @throws what the action or the database threw; then nothing of the action was stored
   */
  write<T>(action: () => T): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('The database is closed.'));
    if (this.#waiting.length === 0) setImmediate(() => this.#commitWaiting());
    return new Promise((resolve, reject) => {
      const run = () => {
        const result = action();
        return () => resolve(result);
      };
      this.#waiting.push({ run, reject });
    });
  }

  /** Writes what waits, and closes. */
  close(): void {
    if (this.#closed) return;
    this.#commitWaiting();
    this.#closed = true;
    this.#connection.close();
  }

  /** Commits all that waits together; where that fails each by itself, so that one's mistake costs the others nothing. */
  #commitWaiting(): void {
    const group = this.#waiting;
    this.#waiting = [];
    if (group.length === 0) return;
    try {
      this.#commit(group);
    } catch (cause) {
      if (group.length === 1) group[0]!.reject(cause);
      else for (const each of group) this.#commitAlone(each);
    }
  }

  #commitAlone(waiting: Waiting): void {
    try {
      this.#commit([waiting]);
    } catch (cause) {
      waiting.reject(cause);
    }
  }

  #commit(group: readonly Waiting[]): void {
    this.#connection.exec('BEGIN IMMEDIATE');
    let committed: readonly (() => void)[];
    try {
      committed = group.map(({ run }) => run());
      this.#connection.exec('COMMIT');
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
    for (const report of committed) report();
  }
}

/**
 * The tables, and how the file is used. `sequence` counts up in the order of creation, so that lists have an order even
 * where times are equal. The ids that clients see are no keys of notifications and webhooks: the sequence is.
 */
const schema = `
  PRAGMA busy_timeout = 1000;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS webhooks (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, attributes TEXT NOT NULL, secret TEXT NOT NULL,
    created_at INTEGER NOT NULL, failures INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS webhooks_by_id ON webhooks (id);
  CREATE TABLE IF NOT EXISTS webhook_notifications (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, webhook_id TEXT NOT NULL, event TEXT NOT NULL,
    status TEXT NOT NULL, created_at INTEGER NOT NULL, attempts INTEGER NOT NULL, due_at INTEGER NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS pending_notifications ON webhook_notifications (webhook_id) WHERE status = 'pending';
  CREATE TABLE IF NOT EXISTS tracking_requests (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL,
    attributes TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS shipments (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL,
    attributes TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS containers (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL,
    attributes TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS voyages (
    request_id TEXT PRIMARY KEY, request TEXT NOT NULL, step INTEGER NOT NULL, due_at INTEGER NOT NULL
  ) STRICT;
`;
