import type { CheckResult, RequirementResult, RunSummary } from './runSummary.ts';
import { shownRequirements } from './requirementOutcome.ts';

/** Checks that say nothing for the same reason. */
export interface UnobservedGroup {
  readonly reason: string;
  readonly checks: readonly CheckResult[];
}

/** Checks that would be observable with an option. */
export interface MissingOption {
  /** With what stands for it: `--start, or --image`. */
  readonly option: string;
  readonly checks: readonly CheckResult[];
}

/** The checks that ended with this outcome, one entry for each reason instead of one for each check. */
export function byReason(
  checks: readonly CheckResult[],
  outcome: 'not-observable' | 'inconclusive' | 'errored',
): readonly UnobservedGroup[] {
  const groups = Map.groupBy(
    checks.filter((check) => check.outcome === outcome),
    ({ reason = 'no reason was given' }) => reason,
  );
  return [...groups].map(([reason, members]) => ({ reason, checks: members }));
}

/** What was not observable, apart: where an option would change that, and where it takes more to say why. */
export function unobservable(checks: readonly CheckResult[]): {
  readonly options: readonly MissingOption[];
  readonly others: readonly UnobservedGroup[];
} {
  const groups = byReason(checks, 'not-observable').map((group) => ({ ...group, option: optionIn(group.reason) }));
  const byOption = Map.groupBy(groups, ({ option }) => option);
  return {
    options: [...byOption].flatMap(([option, members]) =>
      option === undefined ? [] : [{ option, checks: members.flatMap((group) => group.checks) }],
    ),
    others: byOption.get(undefined) ?? [],
  };
}

/** The options that a reason asks for. @example optionIn('needs ...: give --start with ..., or --image') // '--start or --image' */
function optionIn(reason: string): string | undefined {
  const [, advice] = /^needs .*?: give (--.*)$/s.exec(reason) ?? [];
  const options = advice?.match(/--[a-z][a-z-]*/g);
  return options === undefined || options === null ? undefined : [...new Set(options)].join(' or ');
}

/** The undecided requirements that no check's own reason explains: their checks failed over others, or there are none. */
export function unexplained(summary: RunSummary): readonly (RequirementResult & { readonly reason: string })[] {
  const failed = new Set(summary.checks.flatMap(({ id, outcome }) => (/failed|warned/.test(outcome) ? id : [])));
  return shownRequirements(summary).flatMap((row) => {
    const { reason, checks } = row;
    if (reason === undefined) return [];
    return checks.length === 0 || checks.some((id) => failed.has(id)) ? [{ ...row, reason }] : [];
  });
}
