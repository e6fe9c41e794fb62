import type { Latencies, LatencyBin } from './wireFigures.ts';

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
export function latencies(bins: readonly LatencyBin[], longest: number): Latencies {
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
