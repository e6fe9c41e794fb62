import type { RunStarted, Expectation, LeftOutCheck } from './events.ts';
import { brokenBy, type Evidence } from './requirementOutcome.ts';
import type {
  CheckResult,
  RequirementResult,
  RunSummary,
  ExpectationResult,
  ExpectationOutcome,
} from './runSummary.ts';

/** How the entries stand after a run; a day is that of the run's start. What a search does not find may well be there. */
export function expectationResults(
  { expectations = [], at, search, leftOut = [] }: Pick<RunStarted, 'expectations' | 'at' | 'search' | 'leftOut'>,
  requirements: readonly RequirementResult[],
  checks: readonly CheckResult[],
): readonly ExpectationResult[] {
  return expectations.map((entry) => {
    const outcome = isLeftOut(entry, requirements, checks, leftOut)
      ? leftOutOutcome(entry, at)
      : outcomeOf(entry, at, requirements, checks);
    if (outcome !== 'fails' && isElsewhere(entry, leftOut)) return { ...entry, outcome: 'elsewhere' };
    return { ...entry, outcome: search !== undefined && outcome === 'passes' ? 'not-tested' : outcome };
  });
}

/** Whether it names a check that the run was not given, or a requirement of which the run was given no check. */
function isLeftOut(
  { id }: Expectation,
  requirements: readonly RequirementResult[],
  checks: readonly CheckResult[],
  leftOut: readonly LeftOutCheck[],
): boolean {
  const ran =
    checks.some((check) => check.id === id) || requirements.some((row) => row.id === id && row.checks.length > 0);
  return !ran && leftOut.some((check) => check.id === id || check.requirements.includes(id));
}

/** Whether another part of the run has a check that it names, or of the requirement that it names. */
function isElsewhere({ id }: Expectation, leftOut: readonly LeftOutCheck[]): boolean {
  return leftOut.some((check) => check.part !== undefined && (check.id === id || check.requirements.includes(id)));
}

function leftOutOutcome({ expires }: Expectation, at: string): ExpectationOutcome {
  return isExpired(expires, at) ? 'expired' : 'left-out';
}

function isExpired(expires: string | undefined, at: string): boolean {
  return expires !== undefined && at.slice(0, 10) > expires;
}

function outcomeOf(
  { id, expires }: Expectation,
  at: string,
  requirements: readonly RequirementResult[],
  checks: readonly CheckResult[],
): ExpectationOutcome {
  const outcome = [...requirements, ...checks].find((each) => each.id === id)?.outcome;
  if (outcome === undefined) return 'unknown';
  if (isExpired(expires, at)) return 'expired';
  switch (outcome) {
    case 'broken':
    case 'failed':
    case 'warned':
      return 'fails';
    case 'holds':
    case 'passed':
      return 'passes';
    default:
      return 'not-tested';
  }
}

/**
 * The entries that do not hold. What a search has not found, or a run that broke off has not tested, may well be as
 * expected.
 */
export function unmetExpectations({
  expectations = [],
  run,
  search,
}: Pick<RunSummary, 'expectations' | 'run' | 'search'>): readonly ExpectationResult[] {
  const whole = run.complete && search === undefined;
  return expectations.filter(
    ({ outcome }) => outcome !== 'fails' && outcome !== 'elsewhere' && (outcome !== 'not-tested' || whole),
  );
}

/** Whether a requirement that is broken was expected to be: by its own id, or by those of all checks that break it. */
export function isExpected(
  { id }: Pick<RequirementResult, 'id'>,
  { expectations = [], checks }: Pick<RunSummary, 'expectations' | 'checks'>,
): boolean {
  const failing = failingById(expectations);
  if (failing.has(id)) return true;
  const breaking = checks.filter((check) => brokenBy(check).includes(id));
  return breaking.length > 0 && breaking.every((check) => failing.has(check.id));
}

/** The entries that say that a check was known to fail, over all that it breaks; none where one thing is not expected. */
export function expectationsOf(
  check: Evidence & Pick<CheckResult, 'id'>,
  { expectations = [] }: Pick<RunSummary, 'expectations'>,
): readonly ExpectationResult[] {
  const failing = failingById(expectations);
  const own = failing.get(check.id);
  if (own !== undefined) return brokenBy(check).length > 0 ? [own] : [];
  const entries = brokenBy(check).map((id) => failing.get(id));
  return entries.every((entry) => entry !== undefined) ? [...new Set(entries)] : [];
}

function failingById(expectations: readonly ExpectationResult[]): ReadonlyMap<string, ExpectationResult> {
  return new Map(expectations.filter(({ outcome }) => outcome === 'fails').map((entry) => [entry.id, entry]));
}
