import type { ReportDocument } from '../../model/document.ts';
import type { Reporter, ReporterOptions } from '../../reporter.ts';
import { printingSink, type Sink } from '../../sink.ts';
import { comparisonLines } from './comparison.ts';
import { finalReport } from './finalReport.ts';
import { openingLines } from './opening.ts';
import { matrixLines } from './matrix.ts';
import { pageOf, type Page } from './page.ts';
import { createPrinter } from '../../text/printer.ts';
import { createProgress } from './progress.ts';
import type { RunSummary } from '../../model/runSummary.ts';

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
export function renderTerminal(document: ReportDocument, options: ReporterOptions = {}): string {
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

function runText(summary: RunSummary, page: Page, { journal }: ReporterOptions): string {
  return textOf(finalReport(summary, journal, page));
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
