import type { Result, Run } from 'sarif';

import type { Comparison } from '../../model/comparison.ts';
import type { ReporterOptions } from '../../reporter.ts';
import { sarifResults } from './sarifResults.ts';
import { sarifRun } from './sarifRun.ts';

/**
 * The later of two runs, each result with its state beside the earlier one; what only the earlier one shows is there as
 * `absent`.
 */
export function comparisonRun(
  { before, after, regressed, cautions, slower }: Comparison,
  options: ReporterOptions,
): Run {
  const run = sarifRun(after, options);
  const earlier = sarifResults(before, options);
  const known = new Set(earlier.map(identityOf));
  const later = run.results ?? [];
  const still = new Set(later.map(identityOf));
  const rules = run.tool.driver.rules ?? [];
  return {
    ...run,
    results: [
      ...later.map(
        (result) => ({ ...result, baselineState: known.has(identityOf(result)) ? 'unchanged' : 'new' }) as const,
      ),
      ...earlier.filter((result) => !still.has(identityOf(result))).map((result) => absent(result, rules)),
    ],
    properties: { ...run.properties, regressed, cautions, slower, before: before.run },
  };
}

function identityOf({ partialFingerprints }: Result): string {
  return JSON.stringify(partialFingerprints);
}

/** A rule that the later run does not know has no index there. */
function absent(result: Result, rules: readonly { readonly id: string }[]): Result {
  const { ruleIndex, ...rest } = result;
  const index = rules.findIndex(({ id }) => id === result.ruleId);
  return { ...rest, ...(ruleIndex !== undefined && index >= 0 && { ruleIndex: index }), baselineState: 'absent' };
}
