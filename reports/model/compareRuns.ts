import type { ComparedCheck, ComparedRequirement, Change, Comparison } from './comparison.ts';
import { comparisonCautions } from './comparisonCautions.ts';
import type { CheckOutcome } from './events.ts';
import { slowerAnswers } from './slowerAnswers.ts';
import { unexpectedlyBroken } from './verdict.ts';
import type { RunSummary, RequirementOutcome } from './runSummary.ts';

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
  return before === 'bad' ? 'mended' : 'newly-observed';
}
