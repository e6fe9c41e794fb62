import type { Log } from 'sarif';

import type { ReportDocument } from '../../model/document.ts';
import { jsonText } from '../../text/jsonText.ts';
import type { ReporterOptions } from '../../reporter.ts';
import { comparisonRun } from './comparisonRun.ts';
import { sarifRun } from './sarifRun.ts';

/**
 * A report as SARIF 2.1.0, which code scanning reads: a rule for each requirement, a result for each requirement that a
 * failing case breaks. Of two runs the later one, each result marked as new, unchanged or absent; of several targets a
 * run each.
 *
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
function sarifLog(document: ReportDocument, options: ReporterOptions = {}): Log {
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: runsOf(document, options),
  };
}

/** The log as text, indented by two spaces. */
export function renderSarif(document: ReportDocument, options?: ReporterOptions): string {
  return jsonText(sarifLog(document, options));
}

function runsOf(document: ReportDocument, options: ReporterOptions): Log['runs'] {
  switch (document.kind) {
    case 'run':
      return [sarifRun(document.summary, options)];
    case 'comparison':
      return [comparisonRun(document.comparison, options)];
    case 'matrix':
      return document.summaries.map((summary) => sarifRun(summary, options));
  }
}
