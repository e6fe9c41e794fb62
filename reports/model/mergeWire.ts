import { WireEvents } from './wireEvents.ts';
import type { CheckLatencies, Latencies, LatencyBin, WireFigures } from './wireFigures.ts';
import { latencies } from './wireLatencies.ts';
import { mostRetried } from './wireRetries.ts';

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
