/**
 * The tables, and how the file is used. `sequence` counts up in the order of creation, so that lists have an order even
 * where times are equal. The ids that clients see are no keys of notifications and webhooks: the sequence is.
 */
export const schema = `
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
