import type { Database } from './database.ts';
import type { ListName, Resource } from './records.ts';

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
