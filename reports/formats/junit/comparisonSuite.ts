import { changeTitles, standingWords } from '../../text/changeWords.ts';
import type { ComparedRequirement, Comparison } from '../../model/comparison.ts';
import { regressions } from '../../model/regressions.ts';
import { duration } from '../../text/amount.ts';
import type { Suite, TestCase, TestResult } from './suite.ts';

/** Two runs: a testcase for each requirement. What broke and counts is a failure, what is no longer observed is skipped. */
export function comparisonSuite(comparison: Comparison): Suite {
  const { before, after, requirements, slower, cautions, regressed } = comparison;
  const counting = new Set(regressions(comparison));
  const figures = slower.map(
    (row) => [`slower: ${row.what}`, `${duration(row.before)} → ${duration(row.after)}`] as const,
  );
  const notes = cautions.map((caution, index) => [`caution ${index + 1}`, caution] as const);
  return {
    name: `${after.kit.name}/comparison`,
    cases: requirements.map((row) => testCase(row, counting.has(row), after.kit.name)),
    properties: {
      regressed,
      before: before.run.id,
      after: after.run.id,
      ...Object.fromEntries([...figures, ...notes]),
    },
    timestamp: after.run.startedAt,
  };
}

function testCase(row: ComparedRequirement, counts: boolean, kit: string): TestCase {
  const result = resultOf(row, counts);
  const { id, section, level, before, after, change } = row;
  return {
    classname: `${kit}/comparison`,
    name: id,
    ms: 0,
    ...(result && { result }),
    output: `${level.toUpperCase()}, section ${section}: ${standingWords(before)} before, ${standingWords(after)} after (${change})`,
  };
}

function resultOf(row: ComparedRequirement, counts: boolean): TestResult | undefined {
  const { change, statement, before, after } = row;
  const message = `${changeTitles[change]}: ${standingWords(before)} before, ${standingWords(after)} after`;
  if (counts) return { kind: 'failure', message, type: 'regression', text: `${message}\n${statement}` };
  const unseen = after === undefined || after === 'not-observed' || after === 'inconclusive';
  return unseen ? { kind: 'skipped', message } : undefined;
}
