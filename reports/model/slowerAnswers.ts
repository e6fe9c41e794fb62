import type { Slower } from './comparison.ts';
import type { RunSummary } from './runSummary.ts';

/** The figures of a check that are compared. */
const figures = [
  ['half', 'median'],
  ['95%', 'p95'],
] as const;
/** Answers that a check's figures must rest on in both runs. */
const fewest = 5;
/** Standard deviations below the middle: chance stays within them 99.7 times of 100. */
const deviations = 3;
/** How much slower it must be: less is no news to anybody, and comes from a machine that has more to do. */
const least = { factor: 1.2, ms: 1 } as const;

/**
 * The figures that grew by more than chance explains. Answers come in bursts, and a pause of the machine hits a whole burst,
 * so checks are compared and not answers: each with itself, where both runs played it and it ended alike. So many of them
 * must be slower that the check in the middle is, even if chance moved it by three standard deviations (the binomial
 * interval around the median, so that no shape of the distribution is assumed).
 */
export function slowerAnswers(before: RunSummary, after: RunSummary): readonly Slower[] {
  if (differentConcurrency(before, after)) return [];
  const pairs = comparedChecks(before, after);
  const rank = Math.floor(pairs.length / 2 - (deviations * Math.sqrt(pairs.length)) / 2);
  if (rank < 1) return [];
  return figures.flatMap(([share, figure]) => {
    const factor = atRank(
      pairs.map(([was, is]) => is[figure] / Math.max(was[figure], Number.EPSILON)),
      rank,
    );
    const ms = atRank(
      pairs.map(([was, is]) => is[figure] - was[figure]),
      rank,
    );
    if (factor < least.factor || ms < least.ms) return [];
    const what = `${share} of a check's answers came within (the middle one of ${pairs.length} checks)`;
    return [
      { what, before: middle(pairs.map(([was]) => was[figure])), after: middle(pairs.map(([, is]) => is[figure])) },
    ];
  });
}

/** Whether two runs are known to have sent at different concurrency: then no answer of one is beside one of the other. */
export function differentConcurrency(before: RunSummary, after: RunSummary): boolean {
  const [was, is] = [before.run.concurrency, after.run.concurrency];
  return was !== undefined && is !== undefined && was !== is;
}

type CheckLatencies = RunSummary['wire']['latenciesByCheck'][number];

function comparedChecks(before: RunSummary, after: RunSummary): readonly (readonly [CheckLatencies, CheckLatencies])[] {
  const outcomes = new Map(before.checks.map(({ id, outcome }) => [id, outcome]));
  const alike = new Set(after.checks.filter(({ id, outcome }) => outcomes.get(id) === outcome).map(({ id }) => id));
  const earlier = new Map(before.wire.latenciesByCheck.map((row) => [row.check, row]));
  return after.wire.latenciesByCheck.flatMap((is) => {
    const was = earlier.get(is.check);
    return was && alike.has(is.check) && Math.min(was.count, is.count) >= fewest ? [[was, is] as const] : [];
  });
}

function middle(values: readonly number[]): number {
  return atRank(values, Math.ceil(values.length / 2));
}

/** @param rank - 1 is the least value */
function atRank(values: readonly number[], rank: number): number {
  return values.toSorted((a, b) => a - b)[rank - 1] ?? 0;
}
