import { isExpected, unmetExpectations } from './expectations.ts';
import { brokenBy, unobservedRequired } from './requirementOutcome.ts';
import { doubtfulFailures, unsettledFailures } from './search.ts';
import { amount } from '../text/amount.ts';
import type { CheckResult, RequirementResult, RunSummary, Verdict, SearchResult } from './runSummary.ts';

/**
 * Whether a requirement that is broken breaks the conformance: a MUST does, a SHOULD under `--strict`, a MAY where the
 * user declared it by an option, and whatever its level one that the target broke by dying.
 */
function binds({ level, binding }: Pick<RequirementResult, 'level' | 'binding'>, strict: boolean): boolean {
  switch (level) {
    case 'must':
      return true;
    case 'should':
      return strict || binding === true;
    case 'may':
      return binding === true;
  }
}

/** Whose sign a requirement has in lists: what is broken and does not count against the target has that of a warning. */
export function signedOutcome(
  row: Pick<RequirementResult, 'outcome' | 'level' | 'binding'>,
  strict: boolean,
): RequirementResult['outcome'] | 'warned' {
  return row.outcome === 'broken' && !binds(row, strict) ? 'warned' : row.outcome;
}

/**
 * The verdict: `does-not-conform` where a binding requirement is broken, or a check failed that proves none of this
 * contract; `conforms` where every MUST holds and the run came to its end; else `inconclusive`. A search never shows that a
 * target conforms: it looks for failures, by chance.
 */
export function verdict(
  { requirements, checks }: Pick<RunSummary, 'requirements' | 'checks'>,
  { strict, complete, search }: { readonly strict: boolean; readonly complete: boolean; readonly search: boolean },
): Verdict {
  const isBroken = requirements.some((requirement) => requirement.outcome === 'broken' && binds(requirement, strict));
  if (isBroken || failedAlone({ checks }).length > 0) return 'does-not-conform';
  if (search) return 'inconclusive';
  const musts = requirements.filter(({ level }) => level === 'must');
  const all = musts.length > 0 && musts.every(({ outcome }) => outcome === 'holds');
  return all && complete ? 'conforms' : 'inconclusive';
}

/** The requirements that are broken, bind, and were not expected to be broken: they make a run fail. */
export function unexpectedlyBroken(summary: RunSummary): readonly RequirementResult[] {
  return bindingBroken(summary).filter((requirement) => !isExpected(requirement, summary));
}

/** The requirements that are broken and bind, expected or not. */
export function bindingBroken({
  requirements,
  run,
}: Pick<RunSummary, 'requirements' | 'run'>): readonly RequirementResult[] {
  return requirements.filter((row) => row.outcome === 'broken' && binds(row, run.strict));
}

/**
 * The checks that failed and prove no requirement of this contract. What is caught is tested also where a contract requires
 * nothing of who sends it.
 */
export function failedAlone({ checks }: Pick<RunSummary, 'checks'>): readonly CheckResult[] {
  return checks.filter(({ outcome, requirements }) => outcome === 'failed' && requirements.length === 0);
}

/** Whether a check's result counts as a failure of the target, rather than as a warning. */
export function countsAsFailure(check: CheckResult, summary: Pick<RunSummary, 'requirements' | 'run'>): boolean {
  if (check.outcome !== 'warned') return check.outcome === 'failed';
  const broken = new Set(brokenBy(check));
  return summary.requirements.some((row) => broken.has(row.id) && binds(row, summary.run.strict));
}

/**
 * The verdict as a sentence: what is broken, and how many of the MUSTs were observed at all.
 *
 * @example 'inconclusive: 14 of 17 MUSTs observed, none broken'
 */
export function verdictSentence(summary: RunSummary): string {
  const sentence = summary.search === undefined ? checksSentence(summary) : searchSentence(summary, summary.search);
  const unmet = unmetExpectations(summary).length;
  const unobserved = unobservedRequired(summary).map(({ id }) => id);
  return [
    sentence,
    ...(unmet === 0 ? [] : [`${amount(unmet, 'expectation')} ${unmet === 1 ? 'does' : 'do'} not hold`]),
    ...(unobserved.length === 0 ? [] : [`required and not observed: ${unobserved.join(', ')}`]),
  ].join('; ');
}

/**
 * Whether a run of some checks alone passed: every check that was chosen passed, and nothing that was asked for beside them
 * fails the run. The verdict is about the whole.
 */
export function isPassedSelection(summary: RunSummary): boolean {
  const { leftOut, checks, verdict: whole, run, search } = summary;
  if (leftOut === undefined || search !== undefined || whole !== 'inconclusive' || !run.complete) return false;
  if (unmetExpectations(summary).length + unobservedRequired(summary).length > 0) return false;
  return checks.every(({ outcome }) => outcome === 'passed');
}

function checksSentence(summary: RunSummary): string {
  const musts = summary.requirements.filter(({ level }) => level === 'must');
  const observed = musts.filter(({ outcome }) => outcome === 'holds' || outcome === 'broken');
  const counted = `${observed.length} of ${musts.length} MUSTs observed`;
  const broken = bindingBroken(summary);
  const alone = failedAlone(summary).map(({ id }) => id);
  const failed = [
    ...(broken.length === 0 ? [] : [brokenText(broken, summary)]),
    ...(alone.length === 0 ? [] : [`failed: ${alone.join(', ')}`]),
  ];
  const what = failed.length === 0 ? `none broken${warningText(summary)}` : failed.join('; ');
  const { shard } = summary.run;
  if (shard !== undefined) return `part ${shard.index} of ${shard.count}: ${what}; ${counted} in this part`;
  if (isPassedSelection(summary)) return `passed: ${selectionText(summary)}; ${counted}, ${what}`;
  return `${words[summary.verdict]}: ${counted}, ${what}`;
}

/** @example 'all 3 checks that were chosen passed' */
function selectionText({ checks }: RunSummary): string {
  return checks.length === 1
    ? 'the one check that was chosen passed'
    : `all ${checks.length} checks that were chosen passed`;
}

/** What is broken where no MUST is. @example '; 1 SHOULD broken: RCV-5' */
function warningText(summary: RunSummary): string {
  const { requirements, run } = summary;
  const broken = requirements.filter(
    (row) => row.outcome === 'broken' && row.level === 'should' && !binds(row, run.strict),
  );
  return broken.length === 0 ? '' : `; ${amount(broken.length, 'SHOULD')} ${brokenText(broken, summary)}`;
}

/** @example 'broken: VRF-2, VRF-3 (VRF-2 was expected)' */
function brokenText(broken: readonly RequirementResult[], summary: RunSummary): string {
  const names = (rows: readonly RequirementResult[]): string => rows.map(({ id }) => id).join(', ');
  const expected = broken.filter((requirement) => isExpected(requirement, summary));
  if (expected.length === 0) return `broken: ${names(broken)}`;
  const which =
    expected.length === broken.length
      ? 'as expected'
      : `${names(expected)} ${expected.length === 1 ? 'was' : 'were'} expected`;
  return `broken: ${names(broken)} (${which})`;
}

/** Of a search: how much it found in how many sequences. @example 'no failure found in 1,204 sequences' */
function searchSentence(summary: RunSummary, search: SearchResult): string {
  const { figures, failures } = search;
  const tried = amount(figures.cases, 'sequence');
  const broken = summary.requirements.filter((row) => row.outcome === 'broken');
  const binding = bindingBroken(summary);
  const count = failures.filter(({ outcome }) => outcome === 'failed').length;
  const open = unsettledFailures(search) > 0 ? [`seen and not confirmed: ${doubtfulFailures(search).join(', ')}`] : [];
  if (broken.length === 0 && count === 0)
    return [`no failure ${open.length > 0 ? 'confirmed' : 'found'} in ${tried}`, ...open].join('; ');
  const what = binding.length > 0 ? brokenText(binding, summary) : `no MUST broken${warningText(summary)}`;
  return [`${amount(count, 'failure')} found in ${tried}, ${what}`, ...open].join('; ');
}

const words: Readonly<Record<Verdict, string>> = {
  conforms: 'conforms',
  'does-not-conform': 'does not conform',
  inconclusive: 'inconclusive',
};
