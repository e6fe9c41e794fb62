import type { CheckFinished } from '../../reports/model/events.ts';
import { strictest } from '../engine/checkEnd.ts';
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
    const { actual } = flaky.counterexample;
    const reason =
      tries === 0 ? untried(actual) : `a failure did not come again (${failed} of ${tries} tries): ${actual}`;
    return { ...base, outcome: 'inconclusive', reason } as const;
  }
  const lost = target.endedBy !== undefined && target.endedBy.lost !== false && !target.interrupted;
  if (lost) return { ...base, outcome: 'inconclusive', reason: target.endedBy?.reason ?? '' } as const;
  const open = search.untried(requirement);
  if (open !== undefined) return { ...base, outcome: 'inconclusive', reason: leftAside(open) } as const;
  if (cases > 0) return { ...base, outcome: 'passed' } as const;
  const late = target.endedBy?.lost === false ? 'the time was up before a sequence had ended that shows it' : undefined;
  const reason = target.lacking(requirement) ?? late ?? search.silence ?? 'no sequence came to where it could be seen';
  return { ...base, outcome: 'not-observable', reason } as const;
}

function untried(actual: string): string {
  return `a failure was seen, and it was not seen again in the time that there was: ${actual}`;
}

function leftAside(actual: string): string {
  return `a sequence failed, and was not tried again until it was clear what it breaks: ${actual}`;
}
