import type { CheckOutcome, LeftOutCheck, ReportedRequirement } from './events.ts';
import type { CheckResult, RequirementResult, RequirementOutcome, RunSummary } from './runSummary.ts';

/** The part of a check's result that decides about its requirements. */
export interface Evidence {
  readonly id: string;
  readonly requirements: readonly string[];
  readonly outcome: CheckOutcome;
  readonly reason?: string;
  readonly untriedKinds?: number;
  readonly unconfirmed?: readonly string[];
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

/** Whether the time was over before one case of each of its kinds was tried. */
function isCutShort({ untriedKinds = 0 }: Evidence): boolean {
  return untriedKinds > 0;
}

/** Whether a check saw it broken, and could neither confirm nor rule it out. */
function isDoubted(id: string, { unconfirmed = [] }: Evidence): boolean {
  return unconfirmed.includes(id);
}

/**
 * The outcome of one requirement. It is broken where a finding names it, and holds only where one of its checks shows it
 * and none failed without showing it, was cut short, or saw it broken and could not rule that out. What nobody could
 * observe is not-observed.
 *
 * @param concerned - the results of those checks that are about the requirement
 */
function requirementOutcome(id: string, concerned: readonly Evidence[]): RequirementOutcome {
  const isOpen = concerned.some((check) => isCovered(id, check) || isCutShort(check) || isDoubted(id, check));
  if (concerned.some((check) => shows(id, check)) && !isOpen) return 'holds';
  return concerned.every(({ outcome }) => outcome === 'not-observable') ? 'not-observed' : 'inconclusive';
}

/**
 * How a requirement stands after all these checks, and why where it neither holds nor is broken. What a target died of
 * counts like a MUST: it serves nobody any more.
 *
 * @param leftOut - the checks that the run was not given
 */
export function standing(
  requirement: ReportedRequirement,
  checks: readonly CheckResult[],
  leftOut: readonly LeftOutCheck[] = [],
): RequirementResult {
  const { id } = requirement;
  const breaking = checks.filter((check) => brokenBy(check).includes(id));
  const isConcerned = (check: CheckResult): boolean =>
    check.requirements.includes(id) || breaking.includes(check) || isDoubted(id, check);
  const concerned = checks.filter(isConcerned);
  const outcome = breaking.length > 0 ? 'broken' : requirementOutcome(id, concerned);
  const isFatal = breaking.some(({ counterexample }) => counterexample?.died === true);
  const marks = isFatal ? { binding: true as const } : {};
  const result = { ...requirement, ...marks, outcome, checks: concerned.map((check) => check.id) };
  return outcome === 'holds' || outcome === 'broken' ? result : { ...result, reason: reasonOf(id, concerned, leftOut) };
}

/** Why a requirement is undecided: what each of its checks that does not show it says, each thing once. */
function reasonOf(id: string, concerned: readonly Evidence[], leftOut: readonly LeftOutCheck[]): string {
  if (concerned.length === 0) {
    const own = leftOut.filter(({ requirements }) => requirements.includes(id));
    const parts = missingParts(own);
    if (parts.length > 0) return `its checks are in ${partsText(parts)} of the run (--shard)`;
    return own.length > 0 ? 'its checks were left out by --only or --skip' : 'no check is about it';
  }
  const undecided = concerned.filter((check) => !shows(id, check));
  const tried = undecided.filter((check) => check.outcome !== 'not-observable');
  const open = tried.length > 0 ? tried : undecided;
  const failed = Map.groupBy(open.filter(hasFailed), (check) => brokenBy(check).join(' and '));
  const reasons = [
    ...open.filter((check) => !hasFailed(check)).map((check) => check.reason ?? 'no reason was given'),
    ...[...failed].map(([broken, those]) => failedOver(broken, those)),
  ];
  return [...new Set(reasons)].join('; ');
}

/** Checks that failed over other requirements than the one in question. */
function failedOver(broken: string, checks: readonly Evidence[]): string {
  const [names, they] = [checks.map(({ id }) => id).join(' and '), checks.length === 1 ? 'it' : 'they'];
  return `${names} failed over ${broken} before ${they} could show this; fix that, and run again`;
}

/** @example 'parts 2 and 3' */
export function partsText(parts: readonly number[]): string {
  return parts.length === 1 ? `part ${parts[0]}` : `parts ${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** The parts of the run that have some of these checks. */
export function missingParts(leftOut: readonly LeftOutCheck[]): readonly number[] {
  return [...new Set(leftOut.flatMap(({ part }) => part ?? []))].toSorted((one, other) => one - other);
}

/**
 * The requirements that the run had to observe (`--require`), and of which it saw neither that they hold nor a breach. Those
 * that another part of the run is about as well are left to the merged report.
 */
export function unobservedRequired({
  requirements,
  leftOut = [],
}: Pick<RunSummary, 'requirements' | 'leftOut'>): readonly RequirementResult[] {
  const seen: readonly RequirementOutcome[] = ['holds', 'broken'];
  const isElsewhere = (id: string) =>
    leftOut.some((check) => check.part !== undefined && check.requirements.includes(id));
  return requirements.filter(
    ({ id, required, outcome }) => required === true && !seen.includes(outcome) && !isElsewhere(id),
  );
}

/**
 * The requirements that a report speaks of. A search has nothing to say about those that it does not look for, and a run of
 * some checks (`--only`, `--skip`) nothing about those that were not chosen.
 */
export function shownRequirements({
  search,
  leftOut,
  requirements,
}: Pick<RunSummary, 'search' | 'leftOut' | 'requirements'>): RunSummary['requirements'] {
  const isPart = search !== undefined || leftOut !== undefined;
  return isPart ? requirements.filter(({ checks }) => checks.length > 0) : requirements;
}
