import { repeatCommand } from '../../curl/repeatCommand.ts';
import { replayCommand } from '../../curl/replayCommand.ts';
import { brokenBy } from '../../model/requirementOutcome.ts';
import { visible } from '../../text/visible.ts';
import { brokenLines, type EarlierFinding } from './broken.ts';
import { caseTimeline } from './caseTimeline.ts';
import { exchangeLines } from './exchange.ts';
import { outcomeSign } from './outcomeSign.ts';
import type { Page } from './page.ts';
import { rule } from './rule.ts';
import { indent, labelled, wrap } from './wrap.ts';
import type { CheckResult, RunSummary } from '../../model/runSummary.ts';
import type { Counterexample } from '../../model/exchange.ts';

/**
 * A failed or warned check for somebody who reads such a report for the first time: which requirement, what was
 * expected and what happened, how it is usually fixed, the smallest case, and two ways to see it again. Only the
 * lines to be pasted may be wider than the page: they would not work if they were broken.
 *
 * @param title - stands in the rule above it, for example `failure 1 of 2`
 * @param before - the findings above it: what a requirement says is shown once
 */
export function findingLines(
  check: CheckResult,
  title: string,
  before: readonly EarlierFinding[],
  summary: RunSummary,
  page: Page,
): readonly string[] {
  const { counterexample } = check;
  const inner = { ...page, width: page.width - 2 };
  return [
    ...heading(check, title, page),
    '',
    ...indent(brokenLines(brokenBy(check), before, summary, inner), 2),
    ...(counterexample ? indent(caseLines(counterexample, summary, inner), 2) : []),
    ...pasteLines(check, summary),
  ];
}

function heading(check: CheckResult, title: string, page: Page): readonly string[] {
  const style = check.outcome === 'failed' ? 'red' : 'yellow';
  return [
    rule(title, page),
    '',
    `${outcomeSign(check.outcome, page)} ${page.paint(['bold', style], visible(check.id))}`,
    ...indent(wrap(check.title, page.width - 2), 2),
  ];
}

function caseLines(counterexample: Counterexample, { target }: RunSummary, page: Page): readonly string[] {
  const { summary: found, expected, actual, hint } = counterexample;
  return [
    ...labelled('found', found, page.width),
    ...labelled('expected', expected, page.width),
    ...labelled('actual', actual, page.width),
    '',
    ...labelled('hint', hint, page.width),
    '',
    ...caseTimeline(counterexample.timeline ?? [], page),
    ...exchangeLines(counterexample, target, page),
  ];
}

function pasteLines({ id, counterexample }: CheckResult, summary: RunSummary): readonly string[] {
  const repeat = repeatCommand(id, summary.command);
  const curl = counterexample?.curl ?? repeat;
  const shown = curl === repeat || curl === summary.command ? [] : ['', '  To see it again in a shell:', '', curl];
  const file = counterexample?.file;
  const replay =
    file === undefined ? [] : ['', '  To try this very case again:', '', visible(replayCommand(file, summary.command))];
  return [...shown, ...replay, '', '  To repeat this check alone:', '', visible(repeat)];
}
