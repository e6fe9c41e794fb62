import { matrixRows } from '../../model/matrixRows.ts';
import { verdictLine } from '../../text/verdictWords.ts';
import { commentLimit } from './commentLimit.ts';
import { fitting, type Part } from './fitting.ts';
import { code, prose, table } from './markdownText.ts';
import { signOf } from './runMarkdown.ts';
import type { RunSummary } from '../../model/runSummary.ts';

/** Several targets side by side: a verdict each, and the requirements as a table with a column for each target. */
export function matrixMarkdown(summaries: readonly RunSummary[]): string {
  const kit = summaries[0]?.kit.name ?? '';
  const head = `## ${prose(kit, 60)}: ${summaries.length} targets side by side`;
  const parts = [...summaries.map(targetPart), ...tablePart(summaries)];
  return fitting(head, parts, commentLimit, 'Report the journals as html to see all of it.');
}

function targetPart(summary: RunSummary, index: number): Part {
  const { target } = summary;
  const text = `${index + 1}. ${signOf(summary)} ${prose(target.kind, 20)} ${code(target.address, 200)}: ${prose(verdictLine(summary), 1500)}`;
  return { text, name: 'targets' };
}

function tablePart(summaries: readonly RunSummary[]): readonly Part[] {
  const rows = matrixRows(summaries);
  if (rows.length === 0) return [];
  const head = ['Requirement', 'Level', ...summaries.map((_, index) => `${index + 1}`)];
  const cells = rows.map(({ id, level, outcomes }) => [
    prose(id, 60),
    prose(level.toUpperCase(), 20),
    ...outcomes.map((outcome) => (outcome === undefined ? '' : `${signs[outcome]} ${outcome}`)),
  ]);
  return [{ text: `### Requirements\n\n${table(head, cells)}`, name: 'the table of all requirements' }];
}

const signs = { holds: '✅', broken: '❌', 'not-observed': '–', inconclusive: '?' } as const;
