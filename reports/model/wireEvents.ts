import type { EventCell, EventRow } from './wireFigures.ts';

/** What became of one delivery. */
export type DeliveryEnd = 'accepted' | 'refused' | 'unanswered';

/** Rows at most: more than any catalogue has, for names may be made up. */
const most = 200;

/** Counts deliveries by event and check: what it holds does not grow with their number. */
export class WireEvents {
  readonly #rows = new Map<string, Map<string, EventCell>>();
  readonly #known = new Set<string>();
  readonly #madeUp = new Set<string>();

  /** The events of the contract: any other is reported as made up. */
  know(names: readonly string[]): void {
    for (const name of names) this.#known.add(name);
  }

  add(event: string, check: string, end: DeliveryEnd): void {
    const madeUp = this.#known.size > 0 && !this.#known.has(event);
    this.#put(event, madeUp, {
      check,
      deliveries: 1,
      refused: end === 'refused' ? 1 : 0,
      unanswered: end === 'unanswered' ? 1 : 0,
    });
  }

  /** Takes what another run counted. */
  addRows(rows: readonly EventRow[]): void {
    for (const { event, madeUp = false, cells } of rows) {
      for (const cell of cells) this.#put(event, madeUp, cell);
    }
  }

  rows(): readonly EventRow[] {
    return [...this.#rows].map(([event, cells]) => ({
      event,
      ...(this.#madeUp.has(event) && { madeUp: true as const }),
      cells: [...cells.values()],
    }));
  }

  #put(event: string, madeUp: boolean, { check, deliveries, refused, unanswered }: EventCell): void {
    const kept = this.#rows.has(event) || this.#known.has(event) || this.#rows.size < most;
    const name = kept ? event : '';
    if (madeUp) this.#madeUp.add(name);
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
