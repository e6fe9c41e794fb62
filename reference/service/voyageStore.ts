import type { Database } from './database.ts';
import type { TrackingRequest, ListName, Resource } from './records.ts';

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
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
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

function prepare(database: Database) {
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
