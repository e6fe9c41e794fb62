import { atEnd, type Format } from '../format.ts';
import { citation } from '../../text/citation.ts';
import type { ReportDocument } from '../../model/document.ts';
import { runSuites, type Suite, suitesElement, type TestCase, type TestResult, xmlDocument } from './suite.ts';
import type { RunSummary } from '../../model/runSummary.ts';
import { changeTitles, standingWords } from '../../text/verdictWords.ts';
import { type ComparedRequirement, type Comparison, regressions } from '../../model/compareRuns.ts';
import { duration } from '../../text/amount.ts';

export const junit: Format = {
  summary: 'for CI systems that show tests: JUnit XML, a testcase for each check',
  readers: 'programs',
  file: 'junit.xml',
  stdout: 'document',
  documents: ['run', 'comparison', 'matrix'],
  render: renderJunit,
  create: atEnd(renderJunit),
};

/**
 * A report as JUnit XML: of a run as {@link junitReport} says; of two runs a testcase for each requirement; of several
 * targets the suites of each, named after its address.
 */
function renderJunit(document: ReportDocument): string {
  switch (document.kind) {
    case 'run':
      return junitReport(document.summary);
    case 'comparison': {
      const { after } = document.comparison;
      return xmlDocument(suitesElement(after.kit.name, [comparisonSuite(document.comparison)], after.run.durationMs));
    }
    case 'matrix': {
      const { summaries } = document;
      const ms = summaries.reduce((sum, { run }) => sum + run.durationMs, 0);
      return xmlDocument(suitesElement(summaries[0]?.kit.name ?? '', summaries.flatMap(suitesOfTarget), ms));
    }
  }
}

/**
 * The run as JUnit XML: a suite for each topic, a testcase for each check. What fails the run is a `<failure>`; a
 * warning is a passed testcase that says so in its `<system-out>`; what was not observed is `<skipped>`, and so is what
 * was expected to fail; an expectation that does not hold is a `<failure>`; the kit's own faults are `<error>`s. One
 * more suite has the outcome of each requirement among its properties, and an `<error>` where the run broke off, so
 * that no reader takes it for a success.
 */
export function junitReport(summary: RunSummary): string {
  return xmlDocument(suitesElement(summary.kit.name, runSuites(summary), summary.run.durationMs));
}

function suitesOfTarget(summary: RunSummary): readonly Suite[] {
  const { address } = summary.target;
  return runSuites(summary).map((suite) => ({
    ...suite,
    name: `${address} ${suite.name}`,
    cases: suite.cases.map((testcase) => ({ ...testcase, classname: `${address} ${testcase.classname}` })),
  }));
}

/** Two runs: a testcase for each requirement. What broke and counts is a failure, what is no longer observed is skipped. */
function comparisonSuite(comparison: Comparison): Suite {
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
    output: `${level.toUpperCase()}, ${citation(section)}: ${standingWords(before)} before, ${standingWords(after)} after (${change})`,
  };
}

function resultOf(row: ComparedRequirement, counts: boolean): TestResult | undefined {
  const { change, statement, before, after } = row;
  const message = `${changeTitles[change]}: ${standingWords(before)} before, ${standingWords(after)} after`;
  if (counts) return { kind: 'failure', message, type: 'regression', text: `${message}\n${statement}` };
  const unseen = after === undefined || after === 'not-observed' || after === 'inconclusive';
  return unseen ? { kind: 'skipped', message } : undefined;
}
