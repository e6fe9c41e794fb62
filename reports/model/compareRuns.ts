import { amount } from '../text/amount.ts';
import type { CheckOutcome } from './events.ts';
import type { RequirementOutcome, RunSummary } from './runSummary.ts';
import { differingAssumptions } from './shards.ts';
import { unexpectedlyBroken } from './verdict.ts';

/** The requirements that broke and count: each of them makes a comparison fail. */
export function regressions({ requirements, after }: Comparison): readonly ComparedRequirement[] {
  const counting = new Set(unexpectedlyBroken(after).map(({ id }) => id));
  return requirements.filter(({ id, change }) => change === 'broke' && counting.has(id));
}

/**
 * How a requirement or a check stands in the later run beside the earlier one. `broke`: it held or was not observed, and is
 * broken now. `fixed`: the other way round. `newly-observed`: it was not observed, and holds. `no-longer-observed`: it held or
 * was broken, and is not observed now. `added` and `removed`: only one of the runs knows it.
 */
export type Change = 'broke' | 'fixed' | 'newly-observed' | 'no-longer-observed' | 'added' | 'removed' | 'same';

/** A requirement in two runs. */
export interface ComparedRequirement {
  readonly id: string;
  readonly section: string;
  readonly level: RunSummary['requirements'][number]['level'];
  readonly statement: string;
  readonly before: RequirementOutcome | undefined;
  readonly after: RequirementOutcome | undefined;
  readonly change: Change;
}

/** A check in two runs. */
export interface ComparedCheck {
  readonly id: string;
  readonly title: string;
  readonly before: RunSummary['checks'][number]['outcome'] | undefined;
  readonly after: RunSummary['checks'][number]['outcome'] | undefined;
  readonly change: Change;
}

/** A figure that grew by more than chance explains: answers that became slower, to the check in the middle. Milliseconds. */
export interface Slower {
  readonly what: string;
  readonly before: number;
  readonly after: number;
}

/** Two runs, the earlier one first. */
export interface Comparison {
  readonly before: RunSummary;
  readonly after: RunSummary;
  readonly requirements: readonly ComparedRequirement[];
  readonly checks: readonly ComparedCheck[];
  readonly slower: readonly Slower[];
  /** What a reader should know before comparing: other contracts, seeds, intensities, incomplete runs. */
  readonly cautions: readonly string[];
  /** True where a requirement that counts (as for the exit code) broke: exit 1. */
  readonly regressed: boolean;
}

/**
 * Sets a later run beside an earlier one.
 *
 * @example compareRuns(summarise(before), summarise(after)).requirements.filter(({ change }) => change === 'broke')
 */
export function compareRuns(before: RunSummary, after: RunSummary): Comparison {
  const requirements = comparedRequirements(before, after);
  const broke = new Set(requirements.filter(({ change }) => change === 'broke').map(({ id }) => id));
  return {
    before,
    after,
    requirements,
    checks: comparedChecks(before, after),
    slower: slowerAnswers(before, after),
    cautions: comparisonCautions(before, after),
    regressed: unexpectedlyBroken(after).some(({ id }) => broke.has(id)),
  };
}

/** In the order of the later run; what only the earlier one knows comes last. */
function comparedRequirements(before: RunSummary, after: RunSummary): readonly ComparedRequirement[] {
  return pairs(before.requirements, after.requirements).map(([earlier, later, either]) => {
    const { id, section, level, statement } = either;
    const change = changeOf(earlier && stateOf[earlier.outcome], later && stateOf[later.outcome]);
    return { id, section, level, statement, before: earlier?.outcome, after: later?.outcome, change };
  });
}

function comparedChecks(before: RunSummary, after: RunSummary): readonly ComparedCheck[] {
  return pairs(before.checks, after.checks).map(([earlier, later, { id, title }]) => {
    const change = changeOf(earlier && stateOf[earlier.outcome], later && stateOf[later.outcome]);
    return { id, title, before: earlier?.outcome, after: later?.outcome, change };
  });
}

function pairs<T extends { readonly id: string }>(
  before: readonly T[],
  after: readonly T[],
): readonly (readonly [earlier: T | undefined, later: T | undefined, either: T])[] {
  const earlier = new Map(before.map((each) => [each.id, each]));
  const later = new Set(after.map(({ id }) => id));
  return [
    ...after.map((each) => [earlier.get(each.id), each, each] as const),
    ...before.filter(({ id }) => !later.has(id)).map((each) => [each, undefined, each] as const),
  ];
}

type State = 'good' | 'bad' | 'unseen';

const stateOf: Readonly<Record<RequirementOutcome | CheckOutcome, State>> = {
  holds: 'good',
  passed: 'good',
  broken: 'bad',
  failed: 'bad',
  warned: 'bad',
  'not-observed': 'unseen',
  'not-observable': 'unseen',
  inconclusive: 'unseen',
  errored: 'unseen',
};

function changeOf(before: State | undefined, after: State | undefined): Change {
  if (before === undefined) return 'added';
  if (after === undefined) return 'removed';
  if (before === after) return 'same';
  if (after === 'bad') return 'broke';
  if (after === 'unseen') return 'no-longer-observed';
  return before === 'bad' ? 'fixed' : 'newly-observed';
}

/** What a reader should know before comparing two runs, a sentence each. */
function comparisonCautions(before: RunSummary, after: RunSummary): readonly string[] {
  const assumptions = differingAssumptions(before, after);
  return [
    ...differences(before, after),
    ...(assumptions.length > 0 ? [`The assumptions differ: ${assumptions.join(', ')}.`] : []),
    ...unfinished('earlier', before),
    ...unfinished('later', after),
    ...concurrencies(before, after),
    ...leftOut(before, after),
    ...(before.run.startedAt > after.run.startedAt
      ? ['The run that was named first began after the other one: the earlier one comes first.']
      : []),
  ];
}

const compared: readonly (readonly [what: string, of: (summary: RunSummary) => string, means: string])[] = [
  ['contracts', ({ contract }) => `${contract.title} ${contract.version}`, 'a requirement may have changed'],
  ['versions of the kit', ({ kit }) => `${kit.name} ${kit.version}`, 'its checks may have changed'],
  ['addresses', ({ target }) => target.address, 'these may be different targets'],
  ['kinds of run', ({ search }) => (search ? 'a search' : 'a suite'), 'they look for different things'],
  ['seeds', ({ run }) => String(run.seed), 'a failure may be new only because other cases were tried'],
  ['intensities', ({ run }) => run.intensity, 'not as many cases were tried in both'],
  ['values of --strict', ({ run }) => (run.strict ? 'on' : 'off'), 'the later one decides what counts'],
];

function differences(before: RunSummary, after: RunSummary): readonly string[] {
  return compared.flatMap(([what, of, means]) =>
    of(before) === of(after) ? [] : [`The ${what} differ (${of(before)}, and then ${of(after)}): ${means}.`],
  );
}

function concurrencies(before: RunSummary, after: RunSummary): readonly string[] {
  if (!differentConcurrency(before, after)) return [];
  const [was, is] = [before.run.concurrency, after.run.concurrency];
  return [`The values of --concurrency differ (${was}, and then ${is}): slower answers are not reported.`];
}

/** Where one of the runs was given other checks than the other one: by `--only` and `--skip`, or by another version. */
function leftOut(before: RunSummary, after: RunSummary): readonly string[] {
  const earlier = new Set(before.checks.map(({ id }) => id));
  const both = after.checks.filter(({ id }) => earlier.has(id)).length;
  const ran = (which: string, all: RunSummary, other: string, means: string): readonly string[] =>
    both === all.checks.length
      ? []
      : [`The ${which} run ran ${both} of the ${amount(all.checks.length, 'check')} of the ${other} one: ${means}.`];
  return [
    ...ran('later', before, 'earlier', 'what it left out is not observed'),
    ...ran('earlier', after, 'later', 'what it left out may have been the same then'),
  ];
}

function unfinished(which: string, { run, ended }: RunSummary): readonly string[] {
  if (run.complete) return [];
  const how = ended ? 'did not come to its end' : 'was killed';
  return [`The ${which} run ${how}: what it had not seen by then is not observed.`];
}

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
function slowerAnswers(before: RunSummary, after: RunSummary): readonly Slower[] {
  if (differentConcurrency(before, after)) return [];
  const pairs = comparedLatencies(before, after);
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
    const what = `the time in which ${share} of a check's answers came (median of ${pairs.length} checks)`;
    return [
      { what, before: middle(pairs.map(([was]) => was[figure])), after: middle(pairs.map(([, is]) => is[figure])) },
    ];
  });
}

/** Whether two runs are known to have sent at different concurrency: then no answer of one is beside one of the other. */
function differentConcurrency(before: RunSummary, after: RunSummary): boolean {
  const [was, is] = [before.run.concurrency, after.run.concurrency];
  return was !== undefined && is !== undefined && was !== is;
}

type CheckLatencies = RunSummary['wire']['latenciesByCheck'][number];

function comparedLatencies(
  before: RunSummary,
  after: RunSummary,
): readonly (readonly [CheckLatencies, CheckLatencies])[] {
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
