import type { ReportDocument } from '../model/document.ts';
import type { Reporter, ReporterOptions, DocumentKind, Format } from './format.ts';
import type { Sink } from '../sink.ts';
import { badge } from './badge/index.ts';
import { type FormatName, formatNames } from './formatNames.ts';
import { github } from './github/index.ts';
import { html } from './html/index.ts';
import { journal } from './journal/index.ts';
import { json } from './json/index.ts';
import { junit } from './junit/index.ts';
import { markdown } from './markdown/index.ts';
import { prompt } from './prompt/index.ts';
import { sarif } from './sarif/index.ts';
import { terminal } from './terminal/index.ts';

/** The formats as a Markdown table: the one in docs/reports.md. */
export function formatTable(): string {
  const rows = Object.entries<Format>(formats).map(([name, { summary, readers, file, documents }]) => [
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

/** Every format, by the name that `--report` takes. */
export const formats = {
  terminal,
  json,
  html,
  junit,
  markdown,
  prompt,
  sarif,
  github,
  badge,
  journal,
} as const satisfies Readonly<Record<FormatName, Format>>;

export { formatNames, type FormatName };

/** A name that is none of {@link formats}. */
export class UnknownFormatError extends Error {
  override readonly name = 'UnknownFormatError';
  readonly code = 'report/unknown-format';
}

/** A document that a format cannot show. */
export class UnshownDocumentError extends Error {
  override readonly name = 'UnshownDocumentError';
  readonly code = 'report/unshown-document';
}

/** Whether a text names a format. */
export function isFormat(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}

/**
 * A reporter of the named format that writes to this sink.
 *
 * @throws UnknownFormatError listing the formats that there are
 */
export function createReporter(name: string, sink: Sink, options: ReporterOptions = {}): Reporter {
  if (isFormat(name)) return formats[name].create(sink, options);
  const valid = formatNames.join(', ');
  throw new UnknownFormatError(`${JSON.stringify(name)} is no report format. Valid is ${valid}. Choose one of them.`);
}

/**
 * The report of a document in the named format.
 *
 * @throws UnshownDocumentError listing the formats that can show it
 * @example await renderDocument('markdown', { kind: 'run', summary })
 */
export async function renderDocument(
  name: FormatName,
  document: ReportDocument,
  options: ReporterOptions = {},
): Promise<string> {
  const format: Format = formats[name];
  if (format.render === undefined || !format.documents.includes(document.kind)) throw unshown(name, document.kind);
  return format.render(document, options);
}

/** The formats that can show a document of this kind. */
export function formatsFor(kind: DocumentKind): readonly FormatName[] {
  return formatNames.filter((name) => {
    const { documents }: Format = formats[name];
    return documents.includes(kind);
  });
}

const documentWords: Readonly<Record<DocumentKind, string>> = {
  run: 'a run',
  comparison: 'a comparison of two runs',
  matrix: 'several targets side by side',
};

function unshown(name: FormatName, kind: DocumentKind): UnshownDocumentError {
  const valid = formatsFor(kind).join(', ');
  return new UnshownDocumentError(`${name} cannot show ${documentWords[kind]}. Valid is ${valid}. Choose one of them.`);
}
