import type { ReportedRequirement } from './events.ts';
import { requirementOutcome } from './requirementOutcome.ts';
import type { CheckResult, RequirementResult } from './summary.ts';

/** How a requirement stands after all these checks. */
export function standing(requirement: ReportedRequirement, checks: readonly CheckResult[]): RequirementResult {
  const outcome = requirementOutcome(requirement.id, checks);
  const ids = checks.filter(({ requirements }) => requirements.includes(requirement.id)).map(({ id }) => id);
  return { ...requirement, outcome, checks: ids };
}
