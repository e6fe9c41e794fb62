import type { ReportDocument } from '../../model/document.ts';
import type { ReporterOptions } from '../../reporter.ts';
import { comparisonMarkdown } from './comparisonMarkdown.ts';
import { matrixMarkdown } from './matrixMarkdown.ts';
import { runMarkdown } from './runMarkdown.ts';

/**
 * A report as GitHub Flavored Markdown, for a comment on a pull request or the summary of a job: what matters first,
 * the rest folded. It has at most 65,536 characters, which is as long as a comment on GitHub may be; where something
 * was left out it says what.
 */
export function markdownReport(document: ReportDocument, options: ReporterOptions = {}): string {
  switch (document.kind) {
    case 'run':
      return runMarkdown(document.summary, options);
    case 'comparison':
      return comparisonMarkdown(document.comparison);
    case 'matrix':
      return matrixMarkdown(document.summaries);
  }
}
