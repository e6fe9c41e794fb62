import type { CheckResult, RequirementResult, RunSummary } from './summary.ts';
import { brokenBy } from './requirementOutcome.ts';

/** What a run says about its target as a whole. */
export type Verdict = 'conforms' | 'does-not-conform' | 'inconclusive';

/**
 * Whether a requirement that is broken breaks the conformance: a MUST does, a SHOULD under `--strict`, a MAY where the
 * user declared it by an option.
 */
function binds({ level, binding }: Pick<RequirementResult, 'level' | 'binding'>, strict: boolean): boolean {
  switch (level) {
    case 'must':
      return true;
    case 'should':
      return strict;
    case 'may':
      return binding === true;
  }
}

/**
 * The verdict: `does-not-conform` where a binding requirement is broken; `conforms` where every MUST holds and the run
 * came to its end; else `inconclusive`.
 */
export function verdict(requirements: readonly RequirementResult[], strict: boolean, complete: boolean): Verdict {
  if (requirements.some((requirement) => requirement.outcome === 'broken' && binds(requirement, strict))) {
    return 'does-not-conform';
  }
  const musts = requirements.filter(({ level }) => level === 'must');
  const all = musts.length > 0 && musts.every(({ outcome }) => outcome === 'holds');
  return all && complete ? 'conforms' : 'inconclusive';
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
  const musts = summary.requirements.filter(({ level }) => level === 'must');
  const observed = musts.filter(({ outcome }) => outcome === 'holds' || outcome === 'broken');
  const counted = `${observed.length} of ${musts.length} MUSTs observed`;
  const broken = summary.requirements.filter((r) => r.outcome === 'broken' && binds(r, summary.run.strict));
  if (broken.length === 0) return `${words[summary.verdict]}: ${counted}, none broken`;
  return `${words[summary.verdict]}: ${counted}, broken: ${broken.map(({ id }) => id).join(', ')}`;
}

const words: Readonly<Record<Verdict, string>> = {
  conforms: 'conforms',
  'does-not-conform': 'does not conform',
  inconclusive: 'inconclusive',
};
