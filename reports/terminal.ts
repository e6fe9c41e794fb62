import type { Reporter, ReporterOptions } from './reporter.ts';
import type { Sink } from './sink.ts';
import type { RunSummary } from './summary.ts';
import { finalReport } from './terminal/finalReport.ts';
import { pageOf } from './terminal/page.ts';
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

/** The report for people, as the sink shows it: its width, its colours. */
export function terminalReport(summary: RunSummary, sink: Sink, options: ReporterOptions = {}): string {
  return finalReport(summary, options.journal, pageOf(sink))
    .map((line) => `${line}\n`)
    .join('');
}
