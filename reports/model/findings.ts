import { expectationsOf } from './expectations.ts';
import { brokenBy } from './requirementOutcome.ts';
import { failuresOf } from './search.ts';
import { countsAsFailure } from './verdict.ts';
import type { CheckResult, RequirementResult, RunSummary, ExpectationResult, FoundFailure } from './runSummary.ts';
import type { Counterexample } from './exchange.ts';

/** One failing case of a run, with what reports say about it. */
export interface Finding {
  readonly check: CheckResult;
  /** `failure`: it breaks the conformance. `warning`: a SHOULD. `flaky`: a search saw it, and it did not come again. */
  readonly weight: 'failure' | 'warning' | 'flaky';
  /** What it breaks; nothing where it is flaky. */
  readonly broken: readonly RequirementResult[];
  readonly counterexample?: Counterexample;
  /** The sequence that shows it, where a search found it. */
  readonly found?: FoundFailure;
  /** The entries of `--expect-failures` about it; not there where something that it breaks was not expected. */
  readonly expected?: readonly ExpectationResult[];
}

/**
 * Every failing case of a run in the order in which it is asked for: failures, warnings, what was expected to fail, and
 * what did not come again. Those that break the same stand together, the plainest first: what fails without a condition is not
 * explained by the condition of another. Of warnings, those about what was lost or done twice go first. A check is named once;
 * one of a search once for each of its failures.
 */
export function findings(summary: RunSummary): readonly Finding[] {
  const all = [...summary.checks.flatMap((check) => ofCheck(check, summary)), ...flaky(summary)];
  const alike = Map.groupBy(all, (one) => `${rank(one)} ${one.broken.map(({ id }) => id).join(' ')}`);
  return [...alike.values()]
    .toSorted((one, other) => Math.min(...one.map(urgency)) - Math.min(...other.map(urgency)))
    .flatMap((group) =>
      group.toSorted(
        (a, b) => conditionsOf(a) - conditionsOf(b) || requestsOf(a) - requestsOf(b) || eventsOf(a) - eventsOf(b),
      ),
    );
}

/** A SHOULD may be about a precaution, or about notifications that are gone. */
function urgency(finding: Finding): number {
  const { effects = [] } = finding.counterexample?.exchange ?? {};
  const isLess = finding.weight === 'warning' && effects.every(({ expected }) => expected === 0);
  return rank(finding) + (isLess ? 0.5 : 0);
}

function conditionsOf({ counterexample }: Finding): number {
  return counterexample?.exchange.difference === undefined ? 0 : 1;
}

function requestsOf({ counterexample }: Finding): number {
  return counterexample?.exchange.attempts.length ?? 0;
}

/** What went on around an interruption: other deliveries too, of which none is shown. */
function eventsOf({ counterexample }: Finding): number {
  return counterexample?.timeline?.length ?? 0;
}

function rank({ weight, expected }: Finding): number {
  if (weight === 'flaky') return 3;
  if (expected !== undefined) return 2;
  return weight === 'failure' ? 0 : 1;
}

function ofCheck(check: CheckResult, summary: RunSummary): readonly Finding[] {
  if (check.outcome !== 'failed' && check.outcome !== 'warned') return [];
  const weight = countsAsFailure(check, summary) ? 'failure' : 'warning';
  const sequences = failuresOf(check.id, summary.search);
  const { counterexample } = check;
  const cases = sequences.length > 0 ? sequences.map((found) => ({ found, counterexample: found.counterexample })) : [];
  const own = cases.length > 0 ? cases : [{ ...(counterexample && { counterexample }) }];
  const expected = expectationsOf(check, summary);
  return own.map((reported) => {
    const broken = brokenRows(reported.counterexample?.requirements ?? [], check, summary);
    return { check, weight, broken, ...reported, ...(expected.length > 0 && { expected }) };
  });
}

function brokenRows(named: readonly string[], check: CheckResult, summary: RunSummary): readonly RequirementResult[] {
  const ids = named.length > 0 ? named : brokenBy(check);
  return summary.requirements.filter(({ id }) => ids.includes(id));
}

function flaky({ search, checks }: RunSummary): readonly Finding[] {
  return (search?.failures ?? [])
    .filter(({ outcome }) => outcome === 'flaky')
    .flatMap((found) => {
      const check = checks.find(({ id }) => id === found.check);
      if (check === undefined) return [];
      return [{ check, weight: 'flaky' as const, broken: [], counterexample: found.counterexample, found }];
    });
}
