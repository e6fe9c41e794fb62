import { type Finding, findings } from '../../model/findings.ts';
import { runProblems } from '../../model/runProblems.ts';
import { shownRequirements, brokenBy } from '../../model/requirementOutcome.ts';
import { targetWords, capital } from '../../text/verdictWords.ts';
import { signedOutcome } from '../../model/verdict.ts';
import { attemptLines, excerpt } from './attempt.ts';
import { closingLines, headLines, isUntested, untestedLines } from './closing.ts';
import { deathLines, expectedLines, unobservedSections } from './runSections.ts';
import { findingLines, foundFailureLines } from './finding.ts';
import { indent, labelled, outcomeSign, type Page, rule, wrap } from './page.ts';
import type { RunSummary, RequirementResult, Disagreement } from '../../model/runSummary.ts';
import { amount, grouped } from '../../text/amount.ts';
import { visible } from '../../text/visible.ts';
import type { ReporterOptions } from '../format.ts';
import { disagreed } from '../../model/secondOpinion.ts';

/**
 * The whole report for people, in the order in which it is asked for: the verdict and what to do first, failures, warnings, the
 * requirements, what was not observed, the counts, and last, where a terminal stops scrolling, the verdict once more. Where
 * nothing was tested it says that alone.
 */
export function finalReport(summary: RunSummary, options: ReporterOptions, page: Page): readonly string[] {
  const sections = isUntested(summary)
    ? [untestedLines(summary, page), closingLines(summary, options, page)]
    : [headLines(summary, page), ...sectionsOf(summary, page), closingLines(summary, options, page)];
  const shown = sections.filter((lines) => lines.length > 0);
  return shown.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

function sectionsOf(summary: RunSummary, page: Page): readonly (readonly string[])[] {
  const found = findings(summary).filter(({ expected }) => expected === undefined);
  const { failure = [], warning = [], flaky = [] } = Object.groupBy(found, ({ weight }) => weight);
  return [
    ...findingSections(failure, 'failure', summary, page),
    ...findingSections(warning, 'warning', summary, page),
    ...findingSections(flaky, 'flaky', summary, page),
    [rule('summary', page)],
    expectedLines(summary, page),
    learnedLines(summary, page),
    observedLines(summary, page),
    opinionLines(summary, page),
    requirementTable(shownRequirements(summary), summary.run.strict, page),
    ...unobservedSections(summary, page),
    controlLines(summary, page),
    deathLines(summary, page),
    problemLines(summary, page),
    leftOverLines(summary, page),
  ];
}

function findingSections(
  all: readonly Finding[],
  word: string,
  summary: RunSummary,
  page: Page,
): readonly (readonly string[])[] {
  return all.map(({ check, found }, index) => {
    const title = `${word} ${index + 1} of ${all.length}`;
    if (found !== undefined) return foundFailureLines(found, title, summary, page);
    const before = all.slice(0, index).map((other, at) => ({ ids: brokenBy(other.check), title: `${word} ${at + 1}` }));
    return findingLines(check, title, before, summary, page);
  });
}

function controlLines({ control, target: { kind } }: RunSummary, page: Page): readonly string[] {
  if (control === undefined || control.accepted) return [];
  const inner = { ...page, width: page.width - 2 };
  return [
    page.paint(['bold', 'red'], targetWords[kind].controlFailed),
    '',
    ...indent(attemptLines(control.attempt, kind, inner), 2),
    ...(control.instead === undefined
      ? []
      : ['', ...indent(wrap(`The run went on: ${control.instead}.`, inner.width), 2)]),
  ];
}

function problemLines(summary: RunSummary, page: Page): readonly string[] {
  return runProblems(summary).flatMap(({ title: what, text }, index) => [
    ...(index === 0 ? [] : ['']),
    ...wrap(capital(what), page.width).map((line) => page.paint(['bold', 'red'], line)),
    ...indent(wrap(text, page.width - 2), 2),
  ]);
}

/** What was seen of the contract's gaps. It is never a failure. */
function observedLines({ observations }: RunSummary, page: Page): readonly string[] {
  if (observations.length === 0) return [];
  const column = Math.min(16, Math.max(...observations.map(({ gap }) => gap.length)) + 2);
  return [
    page.paint('bold', 'Seen where the contract is silent'),
    '',
    ...observations.flatMap(({ gap, value, evidence }) => labelled(gap, `${value} (${evidence})`, page.width, column)),
  ];
}

/** What was learned about the contract's gaps: how this target fills them, as assumptions for other runs. */
function learnedLines({ learned, target, command }: RunSummary, page: Page): readonly string[] {
  if (learned.length === 0) return [];
  const column = Math.min(16, Math.max(...learned.map(({ gap }) => gap.length)) + 2);
  const intro = `The contract leaves these open. This is what the ${target.kind} does, as assumptions (--assume <key>=<value>):`;
  const advice = `--learn <file> writes them down, so that you can test a receiver with exactly this.`;
  return [
    page.paint('bold', `Learned about the contract's gaps`),
    '',
    ...wrap(intro, page.width),
    '',
    ...learned.flatMap(({ gap, key, value, evidence }) => [
      ...labelled(gap, `${key} = ${value}`, page.width, column),
      ...indent(wrap(`(${evidence})`, page.width - column), column),
    ]),
    ...(/ --learn[ =]/.test(command) ? [] : ['', ...wrap(advice, page.width)]),
  ];
}

/** What the kit made and could not remove, and what to do about it. */
function leftOverLines({ leftOver, target }: RunSummary, page: Page): readonly string[] {
  if (leftOver.length === 0) return [];
  const few = leftOver.slice(0, 10);
  const more = leftOver.length - few.length;
  return [
    page.paint(['bold', 'yellow'], `Left over at the ${target.kind}`),
    '',
    ...wrap(
      `The kit made these for its checks and could not remove them. Delete them by hand, or turn them inactive: until then the ${target.kind} may go on sending to endpoints that are gone.`,
      page.width,
    ),
    '',
    ...few.flatMap((what) => indent(excerpt(what, page.width - 2, 4), 2)),
    ...(more > 0 ? [`  (${amount(more, 'other')}; the JSON report has them all)`] : []),
  ];
}

/** Every requirement with its level and outcome, in as many columns as the page holds, to be read downwards. */
function requirementTable(requirements: readonly RequirementResult[], strict: boolean, page: Page): readonly string[] {
  if (requirements.length === 0) return [];
  const longest = Math.max(...requirements.map(({ id }) => visible(id).length));
  const cells = requirements.map((requirement) => cellOf(requirement, longest, strict));
  const width = Math.max(...cells.map(({ text }) => text.length)) + 2;
  const columns = Math.max(1, Math.floor((page.width + 2) / (width + 2)));
  const rows = Math.ceil(cells.length / columns);
  return [page.paint('bold', 'Requirements'), '', ...Array.from({ length: rows }, (_, row) => line(row))];

  function line(row: number): string {
    const inRow = cells.filter((_, index) => index % rows === row);
    return inRow
      .map(({ outcome, text }, index) => {
        const last = index === inRow.length - 1;
        return `${outcomeSign(outcome, page)} ${last ? text : text.padEnd(width)}`;
      })
      .join('');
  }
}

function cellOf(requirement: RequirementResult, longest: number, strict: boolean) {
  const { id, level, outcome } = requirement;
  const text = `${visible(id).padEnd(longest)} ${level.toUpperCase().padEnd(6)} ${outcome}`;
  return { outcome: signedOutcome(requirement, strict), text };
}

/** What came of judging every request and answer with Prism as well. */
function opinionLines({ secondOpinion, target }: RunSummary, page: Page): readonly string[] {
  if (secondOpinion === undefined) return [];
  const { compared, disagreements } = secondOpinion;
  if (disagreements.length === 0) {
    return wrap(
      `Second opinion: Prism agrees with the kit about all ${grouped(compared)} requests and answers.`,
      page.width,
    );
  }
  const count = `${grouped(disagreed(secondOpinion))} of ${grouped(compared)} requests and answers`;
  const few = disagreements.slice(0, 10);
  const more = disagreements.length - few.length;
  return [
    page.paint('bold', 'Second opinion'),
    '',
    ...wrap(
      `Prism disagrees with the kit about ${count}. One of the two reads the contract wrongly; it does not count against the ${target.kind}.`,
      page.width,
    ),
    '',
    ...few.flatMap((disagreement) => disagreementLines(disagreement, page)),
    ...(more > 0 ? [`  (${amount(more, 'other')}; the JSON report has them all)`] : []),
  ];
}

function disagreementLines(
  { operationId, part, kit, prism, detail, count }: Disagreement,
  page: Page,
): readonly string[] {
  const what = `${operationId}, ${part === 'request' ? 'request' : 'answer'} (${amount(count, 'time')}): `;
  const lines = wrap(`${what}the kit says ${kit}, Prism says ${prism} (${detail})`, page.width - 4);
  return [`  ${lines[0] ?? ''}`, ...indent(lines.slice(1), 4)];
}
