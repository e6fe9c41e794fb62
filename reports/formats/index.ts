import type { ReportDocument } from '../model/document.ts';
import { createGithubReporter, githubReport } from './github/github.ts';
import { renderJson } from './json/renderJson.ts';
import { journalLine } from '../model/journal.ts';
import { renderJunit } from './junit/junit.ts';
import { markdownReport } from './markdown/markdown.ts';
import type { Reporter, ReporterOptions } from '../reporter.ts';
import { renderSarif } from './sarif/sarif.ts';
import type { Sink } from '../sink.ts';
import { createTerminalReporter, renderTerminal } from './terminal/terminal.ts';

type DocumentKind = ReportDocument['kind'];

/** A format that a run can be reported in. */
export interface Format {
  /** One line for the help. */
  readonly summary: string;
  /** What it can show. */
  readonly documents: readonly DocumentKind[];
  /** The report of one document; not there for a format that only events can be written in. */
  readonly render?: (document: ReportDocument, options?: ReporterOptions) => Promise<string> | string;
  /** A reporter of a run that goes on. */
  create(sink: Sink, options: ReporterOptions): Reporter;
}

/** Every format, by the name that `--report` takes. */
export const formats = {
  terminal: {
    summary: 'for people: failures with their smallest case, counts, verdict',
    ...atEnd(['run', 'comparison', 'matrix'], renderTerminal),
    create: createTerminalReporter,
  },
  json: {
    summary: 'for programs: everything, as report.schema.json describes it',
    ...atEnd(['run', 'comparison', 'matrix'], renderJson),
  },
  html: {
    summary: 'for people, in a browser: one file with everything, to be sent or kept',
    ...atEnd(['run', 'comparison', 'matrix'], async (document) => {
      const { renderHtml } = await import('./html/html.ts');
      return renderHtml(document);
    }),
  },
  junit: {
    summary: 'for CI systems: JUnit XML, a testcase for each check',
    ...atEnd(['run', 'comparison', 'matrix'], renderJunit),
  },
  markdown: {
    summary: 'for a comment on a pull request: short, the rest folded',
    ...atEnd(['run', 'comparison', 'matrix'], markdownReport),
  },
  sarif: {
    summary: 'for code scanning: SARIF 2.1.0, a result for each broken requirement',
    ...atEnd(['run', 'comparison', 'matrix'], renderSarif),
  },
  github: {
    summary: 'for GitHub Actions: annotations on standard output, and the summary of the step',
    ...atEnd(['run', 'comparison', 'matrix'], githubReport),
    create: createGithubReporter,
  },
  badge: {
    summary: 'a badge: SVG, or the JSON that badge services read where the path ends in .json',
    ...atEnd(['run', 'matrix'], async (document, options) => {
      const { renderBadge } = await import('./badge/badge.ts');
      return renderBadge(document, options);
    }),
  },
  journal: {
    summary: 'every event of the run as it happens, one JSON object a line',
    documents: [],
    create: createJournalReporter,
  },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;

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
  const valid = Object.keys(formats).join(', ');
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
  const { render }: Format = formats[name];
  if (render === undefined) throw unshown(name, document.kind);
  return render(document, options);
}

/** The formats that can show a document of this kind. */
export function formatsFor(kind: DocumentKind): readonly FormatName[] {
  return Object.entries<Format>(formats).flatMap(([name, { documents }]) =>
    isFormat(name) && documents.includes(kind) ? [name] : [],
  );
}

/** A format whose report is written when the run is over. */
function atEnd<Kind extends DocumentKind>(
  documents: readonly Kind[],
  render: (document: Extract<ReportDocument, { kind: Kind }>, options?: ReporterOptions) => Promise<string> | string,
): Required<Omit<Format, 'summary'>> {
  const renderAny = (document: ReportDocument, options?: ReporterOptions): Promise<string> | string => {
    if (!isOneOf(documents, document)) throw unshown(undefined, document.kind);
    return render(document, options);
  };
  return {
    documents,
    render: renderAny,
    create: (sink, options) => ({
      onEvent() {},
      end(summary) {
        const text = renderAny({ kind: 'run', summary }, options);
        return typeof text === 'string' ? sink.write(text) : text.then((rendered) => sink.write(rendered));
      },
    }),
  };
}

function isOneOf<Kind extends DocumentKind>(
  kinds: readonly Kind[],
  document: ReportDocument,
): document is Extract<ReportDocument, { kind: Kind }> {
  return kinds.some((kind) => kind === document.kind);
}

const documentWords: Readonly<Record<DocumentKind, string>> = {
  run: 'a run',
  comparison: 'a comparison of two runs',
  matrix: 'several targets side by side',
};

function unshown(name: FormatName | undefined, kind: DocumentKind): UnshownDocumentError {
  const valid = formatsFor(kind).join(', ');
  const what = documentWords[kind];
  return new UnshownDocumentError(
    `${name ?? 'This format'} cannot show ${what}. Valid is ${valid}. Choose one of them.`,
  );
}

/** Writes every event at once, so that a killed run leaves its journal behind. */
function createJournalReporter(sink: Sink): Reporter {
  return { onEvent: (event) => sink.write(journalLine(event)) };
}
