import { atEnd, type Format, type ReporterOptions } from '../format.ts';
import { type ReportDocument, matrixRows } from '../../model/document.ts';
import { runMarkdown, signOf } from './runMarkdown.ts';
import { verdictLine, changeTitles, changesToReport, standingWords } from '../../text/verdictWords.ts';
import { cited, code, commentLimit, fitting, folded, type Part, prose, table } from './markdownText.ts';
import type { RunSummary } from '../../model/runSummary.ts';
import type { Change, Comparison } from '../../model/compareRuns.ts';
import { duration } from '../../text/amount.ts';

const signs = { holds: '✅', broken: '❌', warned: '⚠&#xFE0F;', 'not-observed': '–', inconclusive: '?' } as const;

export const markdown: Format = {
  summary: 'for a comment on a pull request: verdict, counts, what is broken; the rest folded',
  readers: 'people',
  file: 'report.md',
  stdout: 'document',
  documents: ['run', 'comparison', 'matrix'],
  render: markdownReport,
  create: atEnd(markdownReport),
};

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

/** Several targets side by side: a verdict each, and the requirements as a table with a column for each target. */
function matrixMarkdown(summaries: readonly RunSummary[]): string {
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
  const cells = rows.map(({ id, level, outcomes, signed }) => [
    prose(id, 60),
    prose(level.toUpperCase(), 20),
    ...signed.map((sign, target) => (sign === undefined ? '' : `${signs[sign]} ${outcomes[target]}`)),
  ]);
  return [{ text: `### Requirements\n\n${table(head, cells)}`, name: 'the table of all requirements' }];
}

/** Two runs: whether the later one is worse, then what changed. */
function comparisonMarkdown(comparison: Comparison): string {
  const parts = [
    ...cautionPart(comparison),
    ...changesToReport.flatMap((change) => changePart(comparison, change)),
    ...checksPart(comparison),
    ...slowerPart(comparison),
    ...allPart(comparison),
  ];
  return fitting(headOf(comparison), parts, commentLimit, 'Report the two journals as html to see all of it.');
}

function headOf({ before, after, regressed }: Comparison): string {
  return [
    `## ${regressed ? '❌' : '✅'} ${prose(after.kit.name, 60)}: ${regressed ? 'a regression' : 'no regression'}`,
    table(['', 'Run', 'Target', 'Verdict'], [runRow('before', before), runRow('after', after)]),
  ].join('\n\n');
}

function runRow(word: string, summary: RunSummary): readonly string[] {
  const { run, target } = summary;
  return [
    word,
    prose(`${run.id}, ${run.startedAt}`, 120),
    prose(target.address, 200),
    prose(verdictLine(summary), 1500),
  ];
}

function cautionPart({ cautions }: Comparison): readonly Part[] {
  if (cautions.length === 0) return [];
  const lines = cautions.slice(0, 20).map((caution) => `> - ${prose(caution, 400)}`);
  return [{ text: ['> [!NOTE]', '> Before you compare:', '>', ...lines].join('\n'), name: 'cautions' }];
}

function changePart({ requirements }: Comparison, change: Change): readonly Part[] {
  const rows = requirements.filter((row) => row.change === change);
  if (rows.length === 0) return [];
  const lines = rows.map(({ id, level, section, statement, before, after }) => {
    const what = `**${prose(id, 60)}** (${prose(level.toUpperCase(), 20)}, ${cited(section)})`;
    return `- ${what}: ${standing(before)} → ${standing(after)}. ${prose(statement, 300)}`;
  });
  return [{ text: [`### ${changeTitles[change]}`, '', ...lines].join('\n'), name: changeTitles[change].toLowerCase() }];
}

function checksPart({ checks }: Comparison): readonly Part[] {
  const changed = checks.filter(({ change }) => change !== 'same');
  if (changed.length === 0) return [];
  const rows = changed.map(({ id, before, after, change }) => [
    code(id, 150).replaceAll('|', '\\|'),
    standing(before),
    standing(after),
    change,
  ]);
  return [
    {
      text: folded(`Checks that changed: ${changed.length}`, table(['Check', 'Before', 'After', 'Change'], rows)),
      name: 'the checks that changed',
    },
  ];
}

/** A journal may name any outcome. */
function standing(outcome: Parameters<typeof standingWords>[0]): string {
  return prose(standingWords(outcome), 60);
}

function slowerPart({ slower }: Comparison): readonly Part[] {
  if (slower.length === 0) return [];
  const rows = slower.map(({ what, before, after }) => [prose(what, 200), duration(before), duration(after)]);
  return [{ text: `### Slower\n\n${table(['What', 'Before', 'After'], rows)}`, name: 'what became slower' }];
}

function allPart({ requirements }: Comparison): readonly Part[] {
  if (requirements.length === 0) return [];
  const rows = requirements.map(({ id, level, before, after, change }) => {
    return [prose(id, 60), prose(level.toUpperCase(), 20), standing(before), standing(after), change];
  });
  const text = folded('All requirements', table(['Requirement', 'Level', 'Before', 'After', 'Change'], rows));
  return [{ text, name: 'the table of all requirements' }];
}
