import { explainCommand, repeatCommand, replayCommand } from '../../curl/replayCommand.ts';
import type { Counterexample } from '../../model/exchange.ts';
import { brokenBy } from '../../model/requirementOutcome.ts';
import type { CheckResult, FoundFailure, RequirementResult, RunSummary } from '../../model/runSummary.ts';
import { besideText, rateText, sizeText } from '../../text/amount.ts';
import { citation } from '../../text/citation.ts';
import { showsNothing } from '../../text/failureText.ts';
import { visible } from '../../text/visible.ts';
import { caseTimeline, exchangeLines } from './exchange.ts';
import { indent, labelled, outcomeSign, type Page, rule, wrap } from './page.ts';

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

/** A finding that is shown above: `failure 1`. */
interface EarlierFinding {
  readonly ids: readonly string[];
  readonly title: string;
}

/** The requirements of these ids, each with what it says where none above did: `broken  IDM-2, a MUST of section 6.3: ...`. */
function brokenLines(
  broken: readonly string[],
  before: readonly EarlierFinding[],
  summary: RunSummary,
  page: Page,
): readonly string[] {
  return summary.requirements
    .filter(({ id }) => broken.includes(id))
    .flatMap((requirement) => {
      const { id, level, section, statement, why } = requirement;
      const earlier = before.find(({ ids }) => ids.includes(id));
      if (earlier !== undefined) return labelled('broken', `${id}, as in ${earlier.title}`, page.width);
      const what = `${id}, a ${level.toUpperCase()} of ${citation(section)}${standing(requirement, summary)}`;
      const said = [`${what}: ${statement}`, ...(why === undefined ? [] : [why])].join('\n');
      return [
        ...labelled('broken', said, page.width),
        `${'more'.padEnd(10)}${visible(explainCommand(id, summary.command))}`,
      ];
    });
}

/** What is no MUST needs a word about what it means that it is broken. */
function standing({ level, binding }: RequirementResult, { target }: RunSummary): string {
  if (level === 'should' && binding) return `, which counts like a MUST where the ${target.kind} dies or hangs`;
  if (level !== 'may') return '';
  return binding ? ', declared by an option' : ` (it does not count against the ${target.kind})`;
}

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
    ...indent(failureLines(failure, summary, inner), 2),
    ...failurePasteLines(failure, summary),
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

function failureLines(failure: FoundFailure, summary: RunSummary, page: Page): readonly string[] {
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

function failurePasteLines({ counterexample }: FoundFailure, summary: RunSummary): readonly string[] {
  const { curl, file } = counterexample;
  const shell = showsNothing(counterexample, summary) ? [] : ['', '  To see it again in a shell:', '', curl];
  const repeat =
    file === undefined
      ? ['', '  To repeat the search:', '', visible(summary.command)]
      : ['', '  To try this very case again:', '', visible(replayCommand(file, summary.command))];
  return [...shell, ...repeat];
}
