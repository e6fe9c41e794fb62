import type { Format, Reporter, ReporterOptions } from '../format.ts';
import { type ReportDocument, matrixRows } from '../../model/document.ts';
import { type Sink, createPrinter, printingSink } from '../../sink.ts';
import { finalReport } from './finalReport.ts';
import { openingLines, createProgress } from './progress.ts';
import { indent, labelled, outcomeSign, type Page, pageOf, wrap } from './page.ts';
import type { RunSummary, RequirementOutcome } from '../../model/runSummary.ts';
import { verdictLine, changeTitles, changesToReport, standingWords } from '../../text/verdictWords.ts';
import { visible } from '../../text/visible.ts';
import { type Change, type Comparison, regressions } from '../../model/compareRuns.ts';
import { amount, duration } from '../../text/amount.ts';

const outcomes: readonly RequirementOutcome[] = ['holds', 'broken', 'inconclusive', 'not-observed'];

export const terminal: Format = {
  summary:
    'for a terminal and the log of a job, while the run lasts: failures with their smallest case, counts, verdict',
  readers: 'people',
  file: 'report.txt',
  stdout: 'text',
  documents: ['run', 'comparison', 'matrix'],
  render: renderTerminal,
  create: createTerminalReporter,
};

/** Shows the progress while a run lasts, and the report when it is over. */
export function createTerminalReporter(sink: Sink, options: ReporterOptions = {}): Reporter {
  const printing = printingSink(sink);
  const progress = createProgress(printing);
  return {
    onEvent: (event) => progress.onEvent(event),
    end(summary) {
      progress.end();
      printing.write(runText(summary, pageOf(printing), options));
    },
  };
}

/** The report for people, as a terminal shows it; where there is a printer, as that has to print it. */
function renderTerminal(document: ReportDocument, options: ReporterOptions = {}): string {
  const { columns = 80, colors = false, printer } = options;
  if (printer !== undefined) return documentText(document, pageOf({ columns, printer }), options);
  const own = createPrinter(colors);
  return own.print(documentText(document, pageOf({ columns, printer: own }), options));
}

function documentText(document: ReportDocument, page: Page, options: ReporterOptions): string {
  switch (document.kind) {
    case 'run':
      return openingText(document.summary, page) + runText(document.summary, page, options);
    case 'comparison':
      return textOf(comparisonLines(document.comparison, page));
    case 'matrix':
      return textOf(matrixLines(document.summaries, page));
  }
}

function openingText(summary: RunSummary, page: Page): string {
  const [first = '', ...rest] = openingLines(summary, page);
  return textOf([first, ...rest.slice(0, -1), `started at ${summary.run.startedAt}`, '']);
}

/** The report for people, as wide and colourful as the sink is. */
export function terminalReport(
  summary: RunSummary,
  { columns, colors }: Pick<Sink, 'columns' | 'colors'>,
  options: ReporterOptions = {},
): string {
  const printer = createPrinter(colors);
  return printer.print(runText(summary, pageOf({ columns, printer }), options));
}

function runText(summary: RunSummary, page: Page, options: ReporterOptions): string {
  return textOf(finalReport(summary, options, page));
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Several targets for people: a table of requirements with a column for each, what the signs mean, and the verdicts. */
function matrixLines(summaries: readonly RunSummary[], page: Page): readonly string[] {
  const rows = matrixRows(summaries);
  const longest = Math.max(0, ...rows.map(({ id }) => visible(id).length));
  const head = `${' '.repeat(longest)} ${''.padEnd(6)} ${summaries.map((_, index) => String(index + 1).padStart(3)).join('')}`;
  const targets = summaries.flatMap((summary, index) =>
    labelled(`${index + 1}.`, `${summary.target.address}: ${verdictLine(summary)}`, page.width, 4),
  );
  if (rows.length === 0) return targets;
  return [
    page.paint('bold', 'Requirements'),
    '',
    page.paint('dim', head),
    ...rows.map(({ id, level, signed }) => {
      const signs = signed.map((outcome) => `  ${outcome === undefined ? ' ' : outcomeSign(outcome, page)}`).join('');
      return `${visible(id).padEnd(longest)} ${level.toUpperCase().padEnd(6)} ${signs}`;
    }),
    '',
    [
      ...outcomes.map((outcome) => `${outcomeSign(outcome, page)} ${outcome}`),
      `${outcomeSign('warned', page)} broken, and does not count`,
    ].join('   '),
    '',
    ...targets,
  ];
}

/** Two runs for people: which they are, what changed, and last whether that is a regression. */
function comparisonLines(comparison: Comparison, page: Page): readonly string[] {
  const { before, after, cautions, slower } = comparison;
  const sections = [
    [...runLines('before', before, page), ...runLines('after', after, page)],
    ...(cautions.length > 0 ? [titled('Before you compare', cautions, page)] : []),
    ...changesToReport.map((change) => changeLines(comparison, change, page)),
    checkLines(comparison, page),
    ...(slower.length > 0 ? [titled('Slower', slower.map(slowerText), page)] : []),
    wrap(lastWords(comparison), page.width).map((line) =>
      page.paint(['bold', comparison.regressed ? 'red' : 'green'], line),
    ),
  ].filter((lines) => lines.length > 0);
  return sections.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

function runLines(word: string, summary: RunSummary, page: Page): readonly string[] {
  const { run, target } = summary;
  return [
    ...labelled(word, `${run.id}, ${run.startedAt}, ${target.address}`, page.width),
    ...labelled('', verdictLine(summary), page.width),
  ];
}

function changeLines({ requirements }: Comparison, change: Change, page: Page): readonly string[] {
  const rows = requirements.filter((row) => row.change === change);
  const texts = rows.map(({ id, level, before, after, statement }) => {
    return `${id} ${level.toUpperCase()}: ${standingWords(before)} → ${standingWords(after)}. ${statement}`;
  });
  return rows.length === 0 ? [] : titled(changeTitles[change], texts, page);
}

function checkLines({ checks }: Comparison, page: Page): readonly string[] {
  const changed = checks.filter(({ change }) => change !== 'same');
  const texts = changed.map(({ id, before, after }) => `${id}: ${standingWords(before)} → ${standingWords(after)}`);
  return changed.length === 0 ? [] : titled('Checks that changed', texts, page);
}

function slowerText({ what, before, after }: Comparison['slower'][number]): string {
  return `${what}: ${duration(before)} → ${duration(after)}`;
}

function titled(title: string, texts: readonly string[], page: Page): readonly string[] {
  return [page.paint('bold', title), '', ...texts.flatMap((text) => indent(wrap(text, page.width - 2), 2))];
}

function lastWords(comparison: Comparison): string {
  if (!comparison.regressed) return 'No regression (exit code 0)';
  const broke = regressions(comparison);
  return `A regression: ${amount(broke.length, 'requirement')} ${broke.length === 1 ? 'that counts' : 'that count'} broke: ${broke.map(({ id }) => id).join(', ')} (exit code 1)`;
}
