import { visible } from '../../text/visible.ts';
import { outcomeSign } from './outcomeSign.ts';
import type { Page } from './page.ts';
import type { RequirementResult } from '../../model/runSummary.ts';

/** Every requirement with its level and outcome, in as many columns as the page holds, to be read downwards. */
export function requirementTable(requirements: readonly RequirementResult[], page: Page): readonly string[] {
  if (requirements.length === 0) return [];
  const longest = Math.max(...requirements.map(({ id }) => visible(id).length));
  const cells = requirements.map((requirement) => cellOf(requirement, longest));
  const width = Math.max(...cells.map(({ text }) => text.length)) + 2;
  const columns = Math.max(1, Math.floor((page.width + 2) / (width + 2)));
  const rows = Math.ceil(cells.length / columns);
  return [page.paint('bold', 'Requirements'), '', ...Array.from({ length: rows }, (_, row) => line(row))];

  function line(row: number): string {
    const inRow = cells.filter((_, index) => index % rows === row);
    return inRow
      .map(({ outcome, text }, index) => {
        const last = index === inRow.length - 1;
        return `${outcomeSign(outcome, page)} ${last ? text : text.padEnd(width)}`;
      })
      .join('');
  }
}

function cellOf({ id, level, outcome }: RequirementResult, longest: number) {
  return { outcome, text: `${visible(id).padEnd(longest)} ${level.toUpperCase().padEnd(6)} ${outcome}` };
}
