import type { ReportDocument } from '../../model/document.ts';
import { type ReporterOptions, atEnd, type Format } from '../format.ts';

export const html: Format = {
  summary: 'for a browser: one page with everything, which opens from disk, to be sent or kept',
  readers: 'people',
  file: 'report.html',
  stdout: 'document',
  documents: ['run', 'comparison', 'matrix'],
  render,
  create: atEnd(render),
};

/** Loads the page only where one is written. */
async function render(document: ReportDocument, { explain }: ReporterOptions = {}): Promise<string> {
  const { renderHtml } = await import('./renderHtml.ts');
  if (document.kind !== 'run' || explain === undefined) return renderHtml(document);
  return renderHtml({ ...document, explained: await explain(document.summary) });
}
