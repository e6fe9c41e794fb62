import { deliveryKey } from '../../suites/service/deliveryKey.ts';
import type { DeliveryCaught } from './events.ts';

/** What went over the wire in several runs, added up. */
export function mergeWire(parts: readonly WireFigures[]): WireFigures {
  const events = new WireEvents();
  for (const part of parts) events.addRows(part.events);
  return {
    events: events.rows(),
    latencies: mergedLatencies(parts.map((part) => part.latencies)),
    latenciesByCheck: mergedByCheck(parts.flatMap(({ latenciesByCheck }) => latenciesByCheck)),
    retried: mostRetried(parts.flatMap(({ retried }) => retried)),
  };
}

function mergedByCheck(rows: readonly CheckLatencies[]): readonly CheckLatencies[] {
  const byCheck = Map.groupBy(rows, ({ check }) => check);
  return [...byCheck].map(([check, parts]) => ({ check, ...mergedLatencies(parts) }));
}

function mergedLatencies(parts: readonly Latencies[]): Latencies {
  const longest = Math.max(0, ...parts.map((part) => part.longest));
  return latencies(mergedBins(parts.flatMap(({ bins }) => bins)), longest);
}

function mergedBins(bins: readonly LatencyBin[]): readonly LatencyBin[] {
  const found = new Map<number, LatencyBin>();
  for (const bin of bins) {
    const before = found.get(bin.from);
    found.set(bin.from, before === undefined ? bin : { ...bin, count: before.count + bin.count });
  }
  return [...found.values()].toSorted((a, b) => a.from - b.from);
}

/** Milliseconds at which bins begin: each bin is about a tenth as wide as its lower end. The last one has no end. */
const edges = edgesUpTo(24 * 60 * 60 * 1000);

function edgesUpTo(longest: number): readonly number[] {
  const found = [0];
  for (let edge = 0.1; edge < longest; edge *= 1.1) found.push(Number(edge.toPrecision(3)));
  return found;
}

/** Adds up how long answers took, in bins: what it holds does not grow with their number. */
export class WireLatencies {
  readonly #counts: number[] = edges.map(() => 0);
  #longest = 0;

  /** @param ms - milliseconds */
  add(ms: number): void {
    this.#longest = Math.max(this.#longest, ms);
    this.#counts[binOf(ms)]! += 1;
  }

  figures(): Latencies {
    const bins = this.#counts.flatMap((count, index): LatencyBin[] => {
      if (count === 0) return [];
      const from = edges[index] ?? 0;
      return [{ from, to: edges[index + 1] ?? Math.max(this.#longest, from) + 1, count }];
    });
    return latencies(bins, this.#longest);
  }
}

/** What bins say as a whole. Bins of several runs may be put together before. */
function latencies(bins: readonly LatencyBin[], longest: number): Latencies {
  const count = bins.reduce((sum, bin) => sum + bin.count, 0);
  const at = (share: number): number => latencyAtRank({ bins, longest }, Math.max(1, Math.ceil(count * share)));
  return { count, median: at(0.5), p95: at(0.95), p99: at(0.99), longest, bins };
}

/** The last edge that is not above it. */
function binOf(ms: number): number {
  let low = 0;
  let high = edges.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((edges[middle] ?? 0) <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * How long the answer of a rank took, if those of its bin are spread evenly.
 *
 * @param rank - 1 is the fastest answer
 */
export function latencyAtRank({ bins, longest }: Pick<Latencies, 'bins' | 'longest'>, rank: number): number {
  let before = 0;
  for (const { from, to, count } of bins) {
    if (before + count >= rank) return Math.min(longest, to, from + ((to - from) * (rank - before)) / count);
    before += count;
  }
  return 0;
}

/** Notifications that a report shows. */
const mostShown = 40;

/** Notifications that are followed at once; those with the fewest attempts are forgotten for new ones. */
const followed = 4000;

/** Attempts of one notification that are kept. */
const mostAttempts = 40;

/** Keeps the notifications that a service attempted most often: a bounded number, however many there are. */
export class WireRetries {
  readonly #open = new Map<string, RetriedNotification & { readonly attempts: TimedAttempt[] }>();

  add({ id, event, check, endpoint, number, ms, answered }: DeliveryCaught): void {
    if (id === '') return;
    const key = `${endpoint} ${deliveryKey({ id, event })}`;
    const known = this.#open.get(key) ?? { id, event, check, endpoint, attempts: [] };
    this.#open.set(key, known);
    if (known.attempts.length < mostAttempts) known.attempts.push({ number, ms, answered });
    if (this.#open.size > followed) this.#forget();
  }

  /** Those with the most attempts first; none that was attempted only once. */
  notifications(): readonly RetriedNotification[] {
    return mostRetried([...this.#open.values()]);
  }

  /** Half of them go: the older of those with the fewest attempts, so that this is seldom done. */
  #forget(): void {
    const kept = [...this.#open].toReversed().toSorted(([, a], [, b]) => b.attempts.length - a.attempts.length);
    this.#open.clear();
    for (const [key, value] of kept.slice(0, followed / 2).toReversed()) this.#open.set(key, value);
  }
}

/** Of all these, the ones that a report shows: the most attempts first, then the earliest. */
function mostRetried(notifications: readonly RetriedNotification[]): readonly RetriedNotification[] {
  return notifications
    .filter(({ attempts }) => attempts.length > 1)
    .toSorted((a, b) => b.attempts.length - a.attempts.length || startOf(a) - startOf(b))
    .slice(0, mostShown);
}

function startOf({ attempts }: RetriedNotification): number {
  return attempts[0]?.ms ?? 0;
}

/** What became of one delivery. */
export type DeliveryEnd = 'accepted' | 'refused' | 'unanswered';

/** Rows at most: more than any catalogue has, for names may be made up. */
const mostRows = 200;

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
    const kept = this.#rows.has(event) || this.#known.has(event) || this.#rows.size < mostRows;
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

/** How often an event went over the wire for a check, and how often that was refused or remained without an answer. */
export interface EventCell {
  readonly check: string;
  readonly deliveries: number;
  /** Answered with a status that does not end a delivery. */
  readonly refused: number;
  /** Broken connections and time-outs. */
  readonly unanswered: number;
}

/** One event of the catalogue (or one that was made up), and the checks that it was delivered for. */
export interface EventRow {
  readonly event: string;
  /** Whether the contract knows no event of this name. */
  readonly madeUp?: true;
  /** Without the checks that it was not delivered for. */
  readonly cells: readonly EventCell[];
}

/** How many answers took so long: `from` (included) to `to` (excluded) milliseconds. */
interface LatencyBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** How long answers took. */
export interface Latencies {
  readonly count: number;
  /** Milliseconds. From the bins, so that they are right to the width of one. */
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
  readonly longest: number;
  /** Without empty bins; each is about a tenth as wide as its lower end, so that memory is bounded. */
  readonly bins: readonly LatencyBin[];
}

/** How long the answers took that one check got. */
interface CheckLatencies extends Latencies {
  readonly check: string;
}

/** One attempt of a notification at an endpoint of the kit. */
export interface TimedAttempt {
  /** From 1. */
  readonly number: number;
  /** Milliseconds of the run. */
  readonly ms: number;
  /** What the endpoint did, in words. */
  readonly answered: string;
}

/** A notification that a service attempted several times. */
export interface RetriedNotification {
  readonly id: string;
  readonly event: string;
  readonly check: string;
  readonly endpoint: string;
  readonly attempts: readonly TimedAttempt[];
}

/** What went over the wire, added up. Its size does not depend on the number of deliveries. */
export interface WireFigures {
  /** In the order of their first delivery; made-up events beyond a bound share the row of the empty name. */
  readonly events: readonly EventRow[];
  /** Of the deliveries to a receiver, or of the calls of a service. */
  readonly latencies: Latencies;
  /** The same for each check, in the order of their first answers. */
  readonly latenciesByCheck: readonly CheckLatencies[];
  /** A bounded number of those with the most attempts. */
  readonly retried: readonly RetriedNotification[];
}
