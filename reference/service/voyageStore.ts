import type { Database } from './database.ts';
import type { TrackingRequest } from './records.ts';

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
