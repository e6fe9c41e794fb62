import type { ReportDocument } from '../model/document.ts';
import type { Reporter, ReporterOptions } from '../reporter.ts';
import type { Sink } from '../sink.ts';
import { badge } from './badge/index.ts';
import type { DocumentKind, Format } from './format.ts';
import { github } from './github/index.ts';
import { html } from './html/index.ts';
import { journal } from './journal/index.ts';
import { json } from './json/index.ts';
import { junit } from './junit/index.ts';
import { markdown } from './markdown/index.ts';
import { sarif } from './sarif/index.ts';
import { terminal } from './terminal/index.ts';

/** Every format, by the name that `--report` takes. */
export const formats = {
  terminal,
  json,
  html,
  junit,
  markdown,
  sarif,
  github,
  badge,
  journal,
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;

/** The name of every format. */
export const formatNames: readonly FormatName[] = Object.keys(formats).filter(isFormat);

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
