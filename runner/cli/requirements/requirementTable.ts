import { citation } from '../../../reports/text/citation.ts';
import type { Requirement } from '../../../spec/requirements.ts';
import { indented } from '../indented.ts';

/** A requirement with the ids of the checks that prove it and the names of the faults that break it. */
export interface RequirementRow extends Requirement {
  readonly checks: readonly string[];
  readonly faults: readonly string[];
}

const headings = { receiver: 'Receivers', service: 'Services' } as const;

/** The catalogue for a terminal, receivers first. */
export function requirementTable(rows: readonly RequirementRow[], columns: number): string {
  const sections = (['receiver', 'service'] as const).map((subject) => {
    const own = rows.filter((row) => row.subject === subject);
    return [`${headings[subject]}: ${own.length} requirements`, ...own.map((row) => entry(row, columns))].join('\n\n');
  });
  return `${sections.join('\n\n\n')}\n`;
}

function entry({ id, level, section, statement, checks, faults }: RequirementRow, columns: number): string {
  return [
    `${id}  ${level.toUpperCase()}  ${citation(section)}`,
    indented(statement, columns, '    '),
    indented(checks.join(', ') || 'none yet', columns, '            ', '    checks: '),
    ...(faults.length === 0 ? [] : [indented(faults.join(', '), columns, '            ', '    faults: ')]),
  ].join('\n');
}
