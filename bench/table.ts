import type { Spread } from './spread.ts';

/** One line of a table: what was measured, and one spread for each group of columns. */
export interface TableRow {
  readonly name: string;
  readonly spreads: readonly (readonly [spread: Spread, digits: number])[];
}

const nameWidth = 28;
const cellWidth = 8;

/** At most 80 columns wide with two groups. */
export function table(groups: readonly string[], rows: readonly TableRow[]): string {
  const heads = groups.map((group) => group.padStart(cellWidth * 3)).join('');
  const columns = groups.map(() => ['min', 'median', 'max'].map((head) => head.padStart(cellWidth)).join('')).join('');
  const lines = rows.map(({ name, spreads }) => name.padEnd(nameWidth) + spreads.map(cells).join(''));
  return [`${''.padEnd(nameWidth)}${heads}`, `${''.padEnd(nameWidth)}${columns}`, ...lines].join('\n');
}

function cells([{ min, median, max }, digits]: readonly [Spread, number]): string {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return [min, median, max].map((value) => value.toLocaleString('en', options).padStart(cellWidth)).join('');
}
