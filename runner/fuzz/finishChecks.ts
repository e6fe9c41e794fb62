import type { CheckFinished } from '../../reports/events.ts';
import { strictest } from '../checkEnd.ts';
import type { FuzzCheck } from './fuzzChecks.ts';
import type { FuzzFound, FuzzTarget } from './fuzzTarget.ts';
import type { FuzzSearch } from './search.ts';

/** How each requirement stands at the end of a search. */
export function finishedChecks<F extends FuzzFound>(
  target: FuzzTarget<F>,
  search: FuzzSearch<F>,
): readonly Omit<CheckFinished, 'ms'>[] {
  return search.checks.map((check) => finished(target, search, check));
}

function finished<F extends FuzzFound>(target: FuzzTarget<F>, search: FuzzSearch<F>, check: FuzzCheck) {
  const [requirement] = check.requirements;
  const cases = search.judged(requirement);
  const base = { type: 'check.finished', check: check.id, cases, durationMs: Math.round(target.elapsed()) } as const;
  const failure = search.failures.smallestOf(requirement);
  if (failure) {
    const { counterexample } = failure;
    const level = strictest(target.contract, counterexample.requirements);
    return { ...base, outcome: level === 'must' ? 'failed' : 'warned', counterexample } as const;
  }
  const flaky = search.failures.flaky.find((known) => known.requirement === requirement);
  if (flaky) {
    const { failed, tries } = flaky.rate;
    const reason = `a failure did not come again (${failed} of ${tries} tries): ${flaky.counterexample.actual}`;
    return { ...base, outcome: 'inconclusive', reason } as const;
  }
  const lost = target.endedBy !== undefined && target.endedBy.lost !== false && !target.interrupted;
  if (lost) return { ...base, outcome: 'inconclusive', reason: target.endedBy?.reason ?? '' } as const;
  if (cases > 0) return { ...base, outcome: 'passed' } as const;
  const reason = target.lacking ?? search.silence ?? 'no sequence came to where it could be seen';
  return { ...base, outcome: 'not-observable', reason } as const;
}
