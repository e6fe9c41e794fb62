import { atEnd, type Format } from '../format.ts';
import { markdownReport } from './markdownReport.ts';

export const markdown: Format = {
  summary: 'for a comment on a pull request: verdict, counts, what is broken; the rest folded',
  readers: 'people',
  file: 'report.md',
  stdout: 'document',
  documents: ['run', 'comparison', 'matrix'],
  render: markdownReport,
  create: atEnd(markdownReport),
};
