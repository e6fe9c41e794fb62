import { runProblems } from '../runProblems.ts';
import type { CheckResult, RunSummary } from '../summary.ts';
import { countsAsFailure } from '../verdict.ts';
import { closingLines } from './closing.ts';
import { attemptLines } from './exchange.ts';
import { findingLines } from './finding.ts';
import { observedLines } from './observed.ts';
import type { Page } from './page.ts';
import { requirementTable } from './requirementTable.ts';
import { rule } from './rule.ts';
import { byReason } from './unobserved.ts';
import { indent, wrap } from './wrap.ts';

/**
 * The whole report for people, in the order in which it is asked for: failures, warnings, what was not observed, the
 * requirements, the counts, and last, where a terminal stops scrolling, the verdict.
 */
export function finalReport(summary: RunSummary, journal: string | undefined, page: Page): readonly string[] {
  const found = summary.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
  const failures = found.filter((check) => countsAsFailure(check, summary));
  const warnings = found.filter((check) => !failures.includes(check));
  const sections = [
    ...findings(failures, 'failure', summary, page),
    ...findings(warnings, 'warning', summary, page),
    [rule('summary', page)],
    byReason('Not observed', summary.checks, 'not-observable', page),
    byReason('Inconclusive', summary.checks, 'inconclusive', page),
    byReason('Errors of the kit itself', summary.checks, 'errored', page),
    observedLines(summary, page),
    requirementTable(summary.requirements, page),
    controlLines(summary, page),
    problemLines(summary, page),
    closingLines(summary, journal, page),
  ];
  const shown = sections.filter((lines) => lines.length > 0);
  return shown.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

function findings(
  checks: readonly CheckResult[],
  word: string,
  summary: RunSummary,
  page: Page,
): readonly (readonly string[])[] {
  return checks.map((check, index) => findingLines(check, `${word} ${index + 1} of ${checks.length}`, summary, page));
}

function controlLines({ control }: RunSummary, page: Page): readonly string[] {
  if (control === undefined || control.accepted) return [];
  const inner = { ...page, width: page.width - 2 };
  return [
    page.paint(['bold', 'red'], 'A plain delivery was not accepted'),
    '',
    ...indent(attemptLines(control.attempt, undefined, undefined, inner), 2),
  ];
}

function problemLines(summary: RunSummary, page: Page): readonly string[] {
  return runProblems(summary).flatMap(({ title: what, text }, index) => [
    ...(index === 0 ? [] : ['']),
    ...wrap(what.charAt(0).toUpperCase() + what.slice(1), page.width).map((line) => page.paint(['bold', 'red'], line)),
    ...indent(wrap(text, page.width - 2), 2),
  ]);
}
