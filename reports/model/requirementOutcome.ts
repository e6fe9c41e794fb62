import type { CheckOutcome, LeftOutCheck, ReportedRequirement } from './events.ts';
import type { CheckResult, RequirementResult, RequirementOutcome } from './runSummary.ts';

/** The part of a check's result that decides about its requirements. */
export interface Evidence {
  readonly id: string;
  readonly requirements: readonly string[];
  readonly outcome: CheckOutcome;
  readonly reason?: string;
  readonly counterexample?: { readonly requirements: readonly string[] };
  readonly shown?: readonly string[];
}

/** The requirements that a check's result shows broken: those that its finding names, or all where it names none. */
export function brokenBy(check: Pick<Evidence, 'requirements' | 'outcome' | 'counterexample'>): readonly string[] {
  if (!hasFailed(check)) return [];
  const named = check.counterexample?.requirements ?? [];
  return named.length > 0 ? named : check.requirements;
}

function hasFailed({ outcome }: Pick<Evidence, 'outcome'>): boolean {
  return outcome === 'failed' || outcome === 'warned';
}

/** Whether a check shows that a requirement holds: it passed, or failed over others and shows this one all the same. */
function shows(id: string, { outcome, shown = [] }: Evidence): boolean {
  return outcome === 'passed' || shown.includes(id);
}

/** Whether a check failed over another requirement, and so says nothing of this one. */
function isCovered(id: string, check: Evidence): boolean {
  return check.outcome === 'failed' && !shows(id, check);
}

/**
 * The outcome of one requirement. It is broken where a finding names it, and holds only where one of its checks shows it
 * and none failed without showing it. What nobody could observe is not-observed.
 *
 * @param concerned - the results of those checks that are about the requirement
 */
function requirementOutcome(id: string, concerned: readonly Evidence[]): RequirementOutcome {
  if (concerned.some((check) => shows(id, check)) && !concerned.some((check) => isCovered(id, check))) return 'holds';
  return concerned.every(({ outcome }) => outcome === 'not-observable') ? 'not-observed' : 'inconclusive';
}

/**
 * How a requirement stands after all these checks, and why where it neither holds nor is broken.
 *
 * @param leftOut - the checks that the run was not given
 */
export function standing(
  requirement: ReportedRequirement,
  checks: readonly CheckResult[],
  leftOut: readonly LeftOutCheck[] = [],
): RequirementResult {
  const { id } = requirement;
  const concerned = checks.filter(({ requirements }) => requirements.includes(id));
  const isBroken = checks.some((check) => brokenBy(check).includes(id));
  const outcome = isBroken ? 'broken' : requirementOutcome(id, concerned);
  const result = { ...requirement, outcome, checks: concerned.map((check) => check.id) };
  return outcome === 'holds' || outcome === 'broken' ? result : { ...result, reason: reasonOf(id, concerned, leftOut) };
}

/** Why a requirement is undecided: what each of its checks that does not show it says, each thing once. */
function reasonOf(id: string, concerned: readonly Evidence[], leftOut: readonly LeftOutCheck[]): string {
  if (concerned.length === 0) {
    const isLeftOut = leftOut.some(({ requirements }) => requirements.includes(id));
    return isLeftOut ? 'its checks were left out by --only or --skip' : 'no check is about it';
  }
  const undecided = concerned.filter((check) => !shows(id, check));
  const tried = undecided.filter((check) => check.outcome !== 'not-observable');
  const open = tried.length > 0 ? tried : undecided;
  const reasons = open.map((check) => {
    if (!hasFailed(check)) return check.reason ?? 'no reason was given';
    return `${check.id} failed over ${brokenBy(check).join(' and ')} before it could show this; fix that, and run again`;
  });
  return [...new Set(reasons)].join('; ');
}
