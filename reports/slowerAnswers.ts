import type { Slower } from './comparison.ts';
import type { Latencies } from './wireFigures.ts';
import { latencyAtRank } from './wireLatencies.ts';

/** The figures that are compared. */
const shares = [
  ['half of the answers came within', 0.5],
  ['95% of the answers came within', 0.95],
  ['99% of the answers came within', 0.99],
] as const;
/** Standard deviations on both sides of a rank: chance stays within them 99.7 times of 100. */
const deviations = 3;
/** Answers that a figure of either run must rest on. */
const fewest = 100;
/** How much slower it must be: less is no news to anybody, and within the width of the bins. */
const least = { factor: 1.2, ms: 1 } as const;

/**
 * The figures that grew by more than chance explains: even the fastest value that the later answers allow is a fifth above
 * the slowest one that the earlier answers allow. Both come from the ranks around the quantile (its binomial interval), so
 * no shape of the distribution is assumed.
 */
export function slowerAnswers(before: Latencies, after: Latencies): readonly Slower[] {
  if (before.count < fewest || after.count < fewest) return [];
  return shares.flatMap(([what, share]) => {
    const upper = latencyAtRank(before, rankOf(before.count, share, deviations));
    const lower = latencyAtRank(after, rankOf(after.count, share, -deviations));
    if (lower < upper * least.factor || lower - upper < least.ms) return [];
    return [{ what, before: atShare(before, share), after: atShare(after, share) }];
  });
}

function rankOf(count: number, share: number, shift: number): number {
  return Math.min(count, Math.max(1, Math.ceil(count * share + shift * Math.sqrt(count * share * (1 - share)))));
}

function atShare(figures: Latencies, share: number): number {
  return latencyAtRank(figures, rankOf(figures.count, share, 0));
}
