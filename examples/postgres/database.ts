import { Pool, type PoolClient } from 'pg';

/** A notification that was verified and read. */
export interface Notification {
  readonly id: string;
  readonly event: string;
  readonly body: Buffer;
}

/** PostgreSQL's own variables say where the database is: PGHOST, PGPORT, PGDATABASE, PGUSER, PGPASSWORD. */
export const database = new Pool();

// An idle connection that breaks must not end the process: the pool makes another one.
database.on('error', (error) => console.error(error.message));

const schema = `
  CREATE TABLE IF NOT EXISTS notifications (
    id text PRIMARY KEY, body bytea NOT NULL, received_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS milestones (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, notification text NOT NULL, event text NOT NULL
  );
  CREATE INDEX IF NOT EXISTS milestones_by_notification ON milestones (notification);
`;

/** Makes the tables where they are missing. */
export async function prepareDatabase(): Promise<void> {
  await database.query(schema);
}

/** The statements of `work`, all of them or none. */
export async function transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await database.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // Closing the connection rolls the transaction back, whatever state it is in.
    client.release(true);
    throw error;
  }
}

/**
 * Stores the notification under its id.
 *
 * @returns false where it was there already, also where another transaction has just stored it
 */
export async function store(client: PoolClient, { id, body }: Notification): Promise<boolean> {
  const text = 'INSERT INTO notifications (id, body) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING';
  const { rowCount } = await client.query(text, [id, body]);
  return rowCount === 1;
}

/** The effect. In your receiver this is the work that a notification is for. Nothing here makes it happen only once. */
export async function takeEffect(client: PoolClient, { id, event }: Notification): Promise<void> {
  await client.query('INSERT INTO milestones (notification, event) VALUES ($1, $2)', [id, event]);
}

/** How often the notification with this id took effect. */
export async function countEffects(id: string): Promise<number> {
  const text = 'SELECT count(*)::int AS count FROM milestones WHERE notification = $1';
  const { rows } = await database.query<{ count: number }>(text, [id]);
  return rows[0]!.count;
}
