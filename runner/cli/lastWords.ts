import { verdictLine } from '../../reports/text/verdictWords.ts';
import type { Outputs } from '../output/outputs.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

/** What somebody has to know who reads no report in this terminal. */
export function lastWords(summary: RunSummary, { journal, reports }: Pick<Outputs, 'journal' | 'reports'>): string {
  const { lost, errors } = summary;
  return [
    ...errors.map(({ where, message }) => `error in ${where}: ${message}\n`),
    ...(lost ? [`${lost.reason}\n`, ...(lost.advice === '' ? [] : [`${lost.advice}\n`])] : []),
    `${verdictLine(summary)}\n`,
    `journal: ${journal}\n`,
    ...reports.map((report) => `report: ${report}\n`),
  ].join('');
}
