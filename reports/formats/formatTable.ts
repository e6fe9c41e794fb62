import type { DocumentKind, Format } from './format.ts';
import { formats } from './index.ts';

/** The formats as a Markdown table: the one in docs/reports.md. */
export function formatTable(registry: Readonly<Record<string, Format>> = formats): string {
  const rows = Object.entries(registry).map(([name, { summary, readers, file, documents }]) => [
    `\`${name}\``,
    summary.replaceAll('|', String.raw`\|`),
    readers,
    documents.length === 0 ? 'a run while it lasts' : documents.map((kind) => kindWords[kind]).join(', '),
    `\`${file}\``,
  ]);
  const head = ['format', 'what it is', 'read by', 'can show', 'file, for example'];
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

const kindWords: Readonly<Record<DocumentKind, string>> = {
  run: 'a run',
  comparison: 'two runs compared',
  matrix: 'several targets',
};
