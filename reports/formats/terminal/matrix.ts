import { matrixRows } from '../../model/matrixRows.ts';
import { verdictLine } from '../../text/verdictWords.ts';
import { visible } from '../../text/visible.ts';
import { outcomeSign } from './outcomeSign.ts';
import type { Page } from './page.ts';
import { labelled } from './wrap.ts';
import type { RunSummary, RequirementOutcome } from '../../model/runSummary.ts';

/** Several targets for people: a table of requirements with a column for each, what the signs mean, and the verdicts. */
export function matrixLines(summaries: readonly RunSummary[], page: Page): readonly string[] {
  const rows = matrixRows(summaries);
  const longest = Math.max(0, ...rows.map(({ id }) => visible(id).length));
  const head = `${' '.repeat(longest)} ${''.padEnd(6)} ${summaries.map((_, index) => String(index + 1).padStart(3)).join('')}`;
  const targets = summaries.flatMap((summary, index) =>
    labelled(`${index + 1}.`, `${summary.target.address}: ${verdictLine(summary)}`, page.width, 4),
  );
  if (rows.length === 0) return targets;
  return [
    page.paint('bold', 'Requirements'),
    '',
    page.paint('dim', head),
    ...rows.map(({ id, level, outcomes }) => {
      const signs = outcomes.map((outcome) => `  ${outcome === undefined ? ' ' : outcomeSign(outcome, page)}`).join('');
      return `${visible(id).padEnd(longest)} ${level.toUpperCase().padEnd(6)} ${signs}`;
    }),
    '',
    outcomes.map((outcome) => `${outcomeSign(outcome, page)} ${outcome}`).join('   '),
    '',
    ...targets,
  ];
}

const outcomes: readonly RequirementOutcome[] = ['holds', 'broken', 'inconclusive', 'not-observed'];
