import type { Row } from './group.ts';
import { aligned } from './table.ts';

/** A table as a file keeps it, for `--compare`. */
export interface SavedTable {
  readonly rows: readonly Row[];
}

/** What became of a row: `same` where the spreads of its ratios overlap, for then the difference may be chance. */
export type Change = 'better' | 'worse' | 'same' | 'new' | 'gone';

/** One row beside the same row of before. Ratios are medians. */
export interface ComparedRow {
  readonly name: string;
  readonly base: string;
  readonly before?: number;
  readonly now?: number;
  readonly change: Change;
}

/** Every row that is in one of the two tables and was measured there, those of now first. */
export function compared(before: readonly Row[], now: readonly Row[]): readonly ComparedRow[] {
  const known = new Map(before.map((row) => [keyOf(row), row]));
  const there = new Set(now.map(keyOf));
  const gone = before.filter((row) => !there.has(keyOf(row)));
  return [
    ...now.map((row) => comparedRow(known.get(keyOf(row)), row)),
    ...gone.map((row) => comparedRow(row, undefined)),
  ].filter((row) => row.before !== undefined || row.now !== undefined);
}

/** The rows as a table of their own. */
export function comparisonTable(rows: readonly ComparedRow[]): string {
  return aligned([
    ['measured', 'beside', 'before', 'now', 'by', 'change'],
    ...rows.map(({ name, base, before, now, change }) => [
      name,
      base,
      text(before),
      text(now),
      percent(before, now),
      change,
    ]),
  ]);
}

function comparedRow(before: Row | undefined, now: Row | undefined): ComparedRow {
  const { name, base } = (now ?? before)!;
  const [one, other] = [before?.measured?.ratio, now?.measured?.ratio];
  return {
    name,
    base,
    ...(one && { before: one.median }),
    ...(other && { now: other.median }),
    change: changeOf(before, now),
  };
}

function changeOf(before: Row | undefined, now: Row | undefined): Change {
  const [one, other] = [before?.measured?.ratio, now?.measured?.ratio];
  if (one === undefined) return 'new';
  if (other === undefined) return 'gone';
  if (other.min <= one.max && one.min <= other.max) return 'same';
  return other.median > one.median === now!.moreIsBetter ? 'better' : 'worse';
}

function keyOf({ group, name, base }: Row): string {
  return JSON.stringify([group, name, base]);
}

function text(ratio: number | undefined): string {
  return ratio === undefined ? '' : ratio.toFixed(2);
}

function percent(before: number | undefined, now: number | undefined): string {
  if (before === undefined || now === undefined) return '';
  const by = Math.round((now / before - 1) * 100);
  return `${by > 0 ? '+' : ''}${by} %`;
}
