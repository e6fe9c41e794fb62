import type { ReportDocument } from './document.ts';
import type { Reporter, ReporterOptions } from './reporter.ts';
import type { Sink } from './sink.ts';
import type { RunSummary } from './summary.ts';
import { comparisonLines } from './terminal/comparison.ts';
import { finalReport } from './terminal/finalReport.ts';
import { openingLines } from './terminal/opening.ts';
import { matrixLines } from './terminal/matrix.ts';
import { pageOf, type Page } from './terminal/page.ts';
import { createProgress } from './terminal/progress.ts';

/** Shows the progress while a run lasts, and the report when it is over. */
export function createTerminalReporter(sink: Sink, options: ReporterOptions = {}): Reporter {
  const progress = createProgress(sink);
  return {
    onEvent: (event) => progress.onEvent(event),
    end(summary) {
      progress.end();
      sink.write(terminalReport(summary, sink, options));
    },
  };
}

/** The report for people, as a terminal shows it. */
export function renderTerminal(document: ReportDocument, options: ReporterOptions = {}): string {
  const { columns = 80, colors = false } = options;
  const sink = { columns, colors };
  switch (document.kind) {
    case 'run':
      return openingText(document.summary, pageOf(sink)) + terminalReport(document.summary, sink, options);
    case 'comparison':
      return textOf(comparisonLines(document.comparison, pageOf(sink)));
    case 'matrix':
      return textOf(matrixLines(document.summaries, pageOf(sink)));
  }
}

function openingText(summary: RunSummary, page: Page): string {
  const [first = '', ...rest] = openingLines(summary, page);
  return textOf([first, ...rest.slice(0, -1), `started at ${summary.run.startedAt}`, '']);
}

/** The report for people, as wide and colourful as the sink is. */
export function terminalReport(
  summary: RunSummary,
  sink: Pick<Sink, 'columns' | 'colors'>,
  options: ReporterOptions = {},
): string {
  return textOf(finalReport(summary, options.journal, pageOf(sink)));
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
