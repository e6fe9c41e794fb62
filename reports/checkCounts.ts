import type { CheckOutcome } from './events.ts';
import type { CheckResult, Counts } from './summary.ts';

/** How many checks ended in which way. */
export function checkCounts(checks: readonly Pick<CheckResult, 'outcome'>[]): Omit<Counts, 'deliveries' | 'calls'> {
  const count = (outcome: CheckOutcome): number => checks.filter((check) => check.outcome === outcome).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    warned: count('warned'),
    notObservable: count('not-observable'),
    inconclusive: count('inconclusive'),
    errored: count('errored'),
  };
}
