import { brokenBy } from '../../../model/requirementOutcome.ts';
import { countsAsFailure } from '../../../model/verdict.ts';
import type { CheckResult, RequirementResult, RunSummary, FoundFailure } from '../../../model/runSummary.ts';
import type { Counterexample } from '../../../model/exchange.ts';

/** Something that was found broken: by a check, or by a search, which may find several for a check. */
export interface Finding {
  readonly check: CheckResult;
  /** Its address within the run: the check's id, with a number from the second of a check on. */
  readonly anchor: string;
  /** `failure` counts against the target, `warning` does not, `flaky` did not come again. */
  readonly kind: 'failure' | 'warning' | 'flaky';
  /** What it breaks, as far as the run knows the requirements. */
  readonly broken: readonly RequirementResult[];
  readonly counterexample?: Counterexample;
  readonly found?: FoundFailure;
}

const order = ['failure', 'warning', 'flaky'] as const;

/** All that a run found, failures first. */
export function findingsOf(summary: RunSummary): readonly Finding[] {
  const all = summary.search === undefined ? ofChecks(summary) : ofSearch(summary, summary.search.failures);
  return all.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

function ofChecks(summary: RunSummary): readonly Finding[] {
  return summary.checks.filter(isBroken).map((check) => ({
    check,
    anchor: check.id,
    kind: countsAsFailure(check, summary) ? 'failure' : 'warning',
    broken: requirementsOf(brokenBy(check), summary),
    ...(check.counterexample && { counterexample: check.counterexample }),
  }));
}

function ofSearch(summary: RunSummary, failures: readonly FoundFailure[]): readonly Finding[] {
  return failures.flatMap((found, index): readonly Finding[] => {
    const check = summary.checks.find(({ id }) => id === found.check);
    if (check === undefined) return [];
    const number = failures.slice(0, index).filter((other) => other.check === found.check).length + 1;
    const { counterexample, outcome } = found;
    return [
      {
        check,
        anchor: number === 1 ? check.id : `${check.id}/${number}`,
        kind: outcome === 'flaky' ? 'flaky' : countsAsFailure(check, summary) ? 'failure' : 'warning',
        broken: outcome === 'flaky' ? [] : requirementsOf(counterexample.requirements, summary),
        counterexample,
        found,
      },
    ];
  });
}

function isBroken({ outcome }: CheckResult): boolean {
  return outcome === 'failed' || outcome === 'warned';
}

function requirementsOf(ids: readonly string[], { requirements }: RunSummary): readonly RequirementResult[] {
  return requirements.filter(({ id }) => ids.includes(id));
}
