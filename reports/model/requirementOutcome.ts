import type { CheckOutcome, ReportedRequirement } from './events.ts';
import type { CheckResult, RequirementResult, RequirementOutcome } from './runSummary.ts';

/** The part of a check's result that decides about its requirements. */
export interface Evidence {
  readonly requirements: readonly string[];
  readonly outcome: CheckOutcome;
  readonly counterexample?: { readonly requirements: readonly string[] };
}

/** The requirements that a check's result shows broken: those that its finding names, or all where it names none. */
export function brokenBy(check: Evidence): readonly string[] {
  if (check.outcome !== 'failed' && check.outcome !== 'warned') return [];
  const named = check.counterexample?.requirements ?? [];
  return named.length > 0 ? named : check.requirements;
}

/**
 * The outcome of one requirement. It is broken where a finding names it, and holds only where one of its checks passed
 * and none failed: a check that failed over another requirement says neither. What nobody could observe is
 * not-observed.
 *
 * @param checks - the results of all checks of the run; those that do not concern the requirement are ignored
 */
function requirementOutcome(id: string, checks: readonly Evidence[]): RequirementOutcome {
  if (checks.some((check) => brokenBy(check).includes(id))) return 'broken';
  const outcomes = checks.filter((check) => check.requirements.includes(id)).map(({ outcome }) => outcome);
  if (outcomes.includes('passed') && !outcomes.includes('failed')) return 'holds';
  return outcomes.every((outcome) => outcome === 'not-observable') ? 'not-observed' : 'inconclusive';
}

/** How a requirement stands after all these checks. What a target died of counts like a MUST: it serves nobody any more. */
export function standing(requirement: ReportedRequirement, checks: readonly CheckResult[]): RequirementResult {
  const outcome = requirementOutcome(requirement.id, checks);
  const concerned = checks.filter(
    (check) => check.requirements.includes(requirement.id) || brokenBy(check).includes(requirement.id),
  );
  const isFatal = concerned.some(
    (check) => check.counterexample?.died === true && brokenBy(check).includes(requirement.id),
  );
  return { ...requirement, ...(isFatal && { binding: true }), outcome, checks: concerned.map(({ id }) => id) };
}
