import { showsNothing } from '../../text/failureText.ts';
import type { Finding } from '../../model/findings.ts';
import { repeatCommand } from '../../curl/repeatCommand.ts';
import { replayCommand } from '../../curl/replayCommand.ts';
import { caseTimeline } from '../terminal/caseTimeline.ts';
import { exchangeLines } from '../terminal/exchange.ts';
import { rateText } from '../../text/rateText.ts';
import { stepLines } from '../terminal/foundFailure.ts';
import { pageOf } from '../terminal/page.ts';
import { labelled } from '../terminal/wrap.ts';
import type { Part } from './fitting.ts';
import { cut, fence, folded, htmlText, prose } from './markdownText.ts';
import type { RunSummary } from '../../model/runSummary.ts';
import type { Counterexample } from '../../model/exchange.ts';

/** Plain text in a fenced block, which scrolls sideways. */
const page = pageOf({ columns: 100 });

/** A failing case, folded: what was found, what went over the wire, how it is mended, and how to see it again. */
export function findingPart(finding: Finding, summary: RunSummary): Part {
  const { check, counterexample, expected = [] } = finding;
  const title = `${words[finding.weight]}: <code>${htmlText(check.id, 150)}</code> ${htmlText(check.title, 200)}`;
  const reasons = expected.map(({ reason }) => `_Expected to fail_: ${prose(reason, 400)}`);
  const content = [
    ...reasons,
    ...(counterexample ? caseBlocks(counterexample, finding, summary) : [prose(check.reason ?? 'No case was kept.')]),
    ...againBlocks(finding, summary),
  ];
  return { text: folded(title, content.join('\n\n')), name: 'smallest cases' };
}

const words: Readonly<Record<Finding['weight'], string>> = {
  failure: 'Failure',
  warning: 'Warning',
  flaky: 'Did not come again',
};

function caseBlocks(told: Counterexample, { found }: Finding, summary: RunSummary): readonly string[] {
  const row = (label: string, text: string): readonly string[] => labelled(label, cut(text, 1500), page.width);
  const lines = [
    ...row('found', told.summary),
    ...(found ? stepsOf(found) : []),
    ...row('expected', told.expected),
    ...row('actual', told.actual),
    '',
    ...caseTimeline(told.timeline ?? [], page),
    ...exchangeLines(told, summary.target, page),
  ];
  return [fence(cut(lines.join('\n').trimEnd(), 8000), 'text'), `**Hint**: ${prose(told.hint, 1200)}`];
}

function stepsOf({ steps, found, rate }: NonNullable<Finding['found']>): readonly string[] {
  const lines = stepLines(steps.slice(0, 40), page.width - 10);
  const more = steps.length > 40 ? [`(${steps.length - 40} more)`] : [];
  const shrunk = found > steps.length ? `shrunk from ${found}; ` : '';
  const shown = [...lines, ...more, `(${shrunk}${rateText(rate)})`];
  return shown.map((line, index) => (index === 0 ? 'steps' : '').padEnd(10) + line);
}

/** Lines to be pasted are whole, or not there: half of them would do something else. */
function againBlocks({ check, counterexample, found }: Finding, summary: RunSummary): readonly string[] {
  const { curl = '', file } = counterexample ?? {};
  const pasted = counterexample !== undefined && !showsNothing(counterexample, summary) && curl.length <= 6000;
  const shell = pasted ? ['To see it again in a shell:', fence(curl, 'sh')] : [];
  const repeat = found === undefined ? repeatCommand(check.id, summary.command) : summary.command;
  const command = file === undefined ? repeat : replayCommand(file, summary.command);
  const what = file === undefined ? 'To repeat it:' : 'To try this very case again:';
  return [...shell, ...(command.length > 4000 ? [] : [what, fence(command, 'sh')])];
}
