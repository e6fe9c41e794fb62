import type { Row } from './group.ts';

const heads = ['measured', 'beside', 'ratio', 'least', 'most', 'median', 'unit'] as const;

/** One line a row: the median ratio with the least and the most of it, and the median figure itself. */
export function table(rows: readonly Row[]): string {
  return aligned([[...heads], ...rows.map(cellsOf)]);
}

function cellsOf({ name, base, unit, measured }: Row): readonly string[] {
  if (measured === undefined) return [name, base, 'not here', '', '', '', unit];
  const { ratio, own } = measured;
  return [
    name,
    base,
    ...[ratio.median, ratio.min, ratio.max].map((value) => value.toFixed(2)),
    figure(own.median),
    unit,
  ];
}

function figure(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 });
}

/** Columns as wide as the longest cell: words on the left, numbers on the right. */
export function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  const isWords = widths.map((_, column) => lines.slice(1).every((cells) => !/^[\d+-][\d,.]*$/.test(cells[column]!)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => (isWords[column] ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
