import type { EventCell, EventRow } from './wireFigures.ts';

/** What became of one delivery. */
export type DeliveryEnd = 'accepted' | 'refused' | 'unanswered';

/** Rows at most: more than any catalogue has, for names may be made up. */
const most = 200;

/** Counts deliveries by event and check: what it holds does not grow with their number. */
export class WireEvents {
  readonly #rows = new Map<string, Map<string, EventCell>>();

  add(event: string, check: string, end: DeliveryEnd): void {
    this.#put(event, {
      check,
      deliveries: 1,
      refused: end === 'refused' ? 1 : 0,
      unanswered: end === 'unanswered' ? 1 : 0,
    });
  }

  /** Takes what another run counted. */
  addRows(rows: readonly EventRow[]): void {
    for (const { event, cells } of rows) for (const cell of cells) this.#put(event, cell);
  }

  rows(): readonly EventRow[] {
    return [...this.#rows].map(([event, cells]) => ({ event, cells: [...cells.values()] }));
  }

  #put(event: string, { check, deliveries, refused, unanswered }: EventCell): void {
    const name = this.#rows.has(event) || this.#rows.size < most ? event : '';
    const row = this.#rows.get(name) ?? new Map<string, EventCell>();
    this.#rows.set(name, row);
    const before = row.get(check) ?? { deliveries: 0, refused: 0, unanswered: 0 };
    row.set(check, {
      check,
      deliveries: before.deliveries + deliveries,
      refused: before.refused + refused,
      unanswered: before.unanswered + unanswered,
    });
  }
}
