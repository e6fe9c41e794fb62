import { expectationsOf } from '../../model/expectations.ts';
import { runProblems } from '../../model/runProblems.ts';
import { shownRequirements } from '../../model/shownRequirements.ts';
import { targetWords } from '../../text/targetWords.ts';
import { countsAsFailure } from '../../model/verdict.ts';
import { attemptLines } from './attempt.ts';
import { closingLines } from './closing.ts';
import { deathLines } from './deaths.ts';
import { expectedLines } from './expected.ts';
import { findingLines } from './finding.ts';
import { learnedLines } from './learned.ts';
import { leftOverLines } from './leftOver.ts';
import { observedLines } from './observed.ts';
import type { Page } from './page.ts';
import { requirementTable } from './requirementTable.ts';
import { opinionLines } from './opinion.ts';
import { rule } from './rule.ts';
import { foundFailureLines } from './foundFailure.ts';
import { byReason } from './unobserved.ts';
import { indent, wrap } from './wrap.ts';
import type { CheckResult, RunSummary, FoundFailure } from '../../model/runSummary.ts';

/**
 * The whole report for people, in the order in which it is asked for: failures, warnings, what was not observed, the
 * requirements, the counts, and last, where a terminal stops scrolling, the verdict.
 */
export function finalReport(summary: RunSummary, journal: string | undefined, page: Page): readonly string[] {
  const found = summary.checks.filter(
    (check) =>
      (check.outcome === 'failed' || check.outcome === 'warned') && expectationsOf(check, summary).length === 0,
  );
  const failures = found.filter((check) => countsAsFailure(check, summary));
  const warnings = found.filter((check) => !failures.includes(check));
  const sections = [
    ...findings(failures, 'failure', summary, page),
    ...findings(warnings, 'warning', summary, page),
    ...doubtful(summary, page),
    [rule('summary', page)],
    byReason(summary.search === undefined ? 'Not observed' : 'Never judged', summary.checks, 'not-observable', page),
    byReason('Inconclusive', summary.checks, 'inconclusive', page),
    byReason('Errors of the kit itself', summary.checks, 'errored', page),
    expectedLines(summary, page),
    learnedLines(summary, page),
    observedLines(summary, page),
    opinionLines(summary, page),
    requirementTable(shownRequirements(summary), page),
    controlLines(summary, page),
    deathLines(summary, page),
    problemLines(summary, page),
    leftOverLines(summary, page),
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
  const { search } = summary;
  if (search === undefined)
    return checks.map((check, index) => findingLines(check, `${word} ${index + 1} of ${checks.length}`, summary, page));
  const ids = new Set(checks.map(({ id }) => id));
  const found = search.failures.filter(({ check, outcome }) => ids.has(check) && outcome === 'failed');
  return foundSections(found, word, summary, page);
}

/** What a search saw once and not again. */
function doubtful(summary: RunSummary, page: Page): readonly (readonly string[])[] {
  const flaky = (summary.search?.failures ?? []).filter(({ outcome }) => outcome === 'flaky');
  return foundSections(flaky, 'flaky', summary, page);
}

function foundSections(
  found: readonly FoundFailure[],
  word: string,
  summary: RunSummary,
  page: Page,
): readonly (readonly string[])[] {
  return found.map((failure, at) => foundFailureLines(failure, `${word} ${at + 1} of ${found.length}`, summary, page));
}

function controlLines({ control, target: { kind } }: RunSummary, page: Page): readonly string[] {
  if (control === undefined || control.accepted) return [];
  const inner = { ...page, width: page.width - 2 };
  return [
    page.paint(['bold', 'red'], targetWords[kind].controlFailed),
    '',
    ...indent(attemptLines(control.attempt, kind, inner), 2),
  ];
}

function problemLines(summary: RunSummary, page: Page): readonly string[] {
  return runProblems(summary).flatMap(({ title: what, text }, index) => [
    ...(index === 0 ? [] : ['']),
    ...wrap(what.charAt(0).toUpperCase() + what.slice(1), page.width).map((line) => page.paint(['bold', 'red'], line)),
    ...indent(wrap(text, page.width - 2), 2),
  ]);
}
