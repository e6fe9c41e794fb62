import { showsNothing } from '../../text/failureText.ts';
import { replayCommand } from '../../curl/replayCommand.ts';
import { besideText, rateText, sizeText } from '../../text/amount.ts';
import { visible } from '../../text/visible.ts';
import { brokenLines } from './finding.ts';
import { caseTimeline, exchangeLines } from './exchange.ts';
import { indent, labelled, outcomeSign, type Page, rule, wrap } from './page.ts';
import type { RunSummary, FoundFailure } from '../../model/runSummary.ts';

/**
 * A failure that a search found, for somebody who reads such a report for the first time: what is broken, the steps
 * that show it, what was expected and what happened, how sure that is, and how to see it again.
 *
 * @param title - stands in the rule above it, for example `failure 1 of 2`
 */
export function foundFailureLines(
  failure: FoundFailure,
  title: string,
  summary: RunSummary,
  page: Page,
): readonly string[] {
  const inner = { ...page, width: page.width - 2 };
  return [
    rule(title, page),
    '',
    `${outcomeSign(signOf(failure, summary), page)} ${page.paint('bold', visible(failure.check))}`,
    '',
    ...indent(caseLines(failure, summary, inner), 2),
    ...pasteLines(failure, summary),
  ];
}

/** The steps of a sequence, numbered, one after the other. */
export function stepLines(steps: readonly string[], columns: number): readonly string[] {
  const room = String(steps.length).length + 2;
  return steps.flatMap((step, index) => labelled(`${index + 1}.`, step, columns, room));
}

function signOf({ check, outcome }: FoundFailure, { checks }: RunSummary): 'failed' | 'warned' | 'inconclusive' {
  if (outcome === 'flaky') return 'inconclusive';
  return checks.find(({ id }) => id === check)?.outcome === 'warned' ? 'warned' : 'failed';
}

function caseLines(failure: FoundFailure, summary: RunSummary, page: Page): readonly string[] {
  const { steps, beside = 0, rate, outcome, counterexample } = failure;
  const { expected, actual, hint, requirements, timeline = [] } = counterexample;
  const width = page.width - 10;
  const size = sizeText(failure);
  const shrunk = size === undefined ? [] : [`(${size})`];
  const doubt = outcome === 'flaky' ? '; it may have been chance, and counts as nothing' : '';
  return [
    ...(outcome === 'flaky' ? [] : brokenLines(requirements, [], summary, page)),
    ...labelled('found', counterexample.summary, page.width),
    ...[...stepLines(steps, width), ...shrunk.flatMap((line) => wrap(line, width))].map(
      (line, index) => (index === 0 ? 'steps' : '').padEnd(10) + line,
    ),
    ...labelled('expected', expected, page.width),
    ...labelled('actual', actual, page.width),
    ...labelled(
      'again',
      `${rateText(rate)}${rate.tries === 0 ? '' : `, ${besideText(beside)} and with fresh ids`}${doubt}`,
      page.width,
    ),
    '',
    ...labelled('hint', hint, page.width),
    '',
    ...caseTimeline(timeline, page),
    ...exchangeLines(counterexample, summary.target, page),
  ];
}

function pasteLines({ counterexample }: FoundFailure, summary: RunSummary): readonly string[] {
  const { curl, file } = counterexample;
  const shell = showsNothing(counterexample, summary) ? [] : ['', '  To see it again in a shell:', '', curl];
  const repeat =
    file === undefined
      ? ['', '  To repeat the search:', '', visible(summary.command)]
      : ['', '  To try this very case again:', '', visible(replayCommand(file, summary.command))];
  return [...shell, ...repeat];
}
