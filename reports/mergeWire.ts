import { WireEvents } from './wireEvents.ts';
import type { LatencyBin, WireFigures } from './wireFigures.ts';
import { latencies } from './wireLatencies.ts';
import { mostRetried } from './wireRetries.ts';

/** What went over the wire in several runs, added up. */
export function mergeWire(parts: readonly WireFigures[]): WireFigures {
  const events = new WireEvents();
  for (const part of parts) events.addRows(part.events);
  const longest = Math.max(0, ...parts.map((part) => part.latencies.longest));
  return {
    events: events.rows(),
    latencies: latencies(mergedBins(parts.flatMap((part) => part.latencies.bins)), longest),
    retried: mostRetried(parts.flatMap(({ retried }) => retried)),
  };
}

function mergedBins(bins: readonly LatencyBin[]): readonly LatencyBin[] {
  const found = new Map<number, LatencyBin>();
  for (const bin of bins) {
    const before = found.get(bin.from);
    found.set(bin.from, before === undefined ? bin : { ...bin, count: before.count + bin.count });
  }
  return [...found.values()].toSorted((a, b) => a.from - b.from);
}
