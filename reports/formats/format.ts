import type { ReportDocument } from '../model/document.ts';
import type { Reporter, ReporterOptions } from '../reporter.ts';
import type { Sink } from '../sink.ts';

/** What a report can be about. */
export type DocumentKind = ReportDocument['kind'];

/** The documents of these kinds. */
export type DocumentOf<Kind extends DocumentKind> = ReportDocument & { readonly kind: Kind };

/**
 * A format that a run can be reported in. All that lists the formats (errors, help, documentation, tests) reads it here.
 *
 * @typeParam Kind - what it can show
 */
export interface Format<Kind extends DocumentKind = DocumentKind> {
  /** What it is for and what it shows, in one line. */
  readonly summary: string;
  readonly readers: 'people' | 'programs';
  /** The usual name of its file. */
  readonly file: string;
  /**
   * How it goes to standard output: as `text`, of which nothing is taken for a command of the job; as `commands` of the
   * job, which can stand below one text; as the `document` that it is; or `never`, for it is always a file.
   */
  readonly stdout: 'text' | 'commands' | 'document' | 'never';
  /** Empty for a format that only events can be written in. */
  readonly documents: readonly Kind[];
  /** The package that it needs and that does not come with the kit, where a report goes to this path. Default: none. */
  package?(path: string | undefined): 'badge-maker' | undefined;
  /** The report of one document; not there for a format that only events can be written in. */
  render?(document: DocumentOf<Kind>, options?: ReporterOptions): Promise<string> | string;
  /** A reporter of a run that goes on: `atEnd` makes one of `render`. */
  create(sink: Sink, options: ReporterOptions): Reporter;
}

/** Makes the reporters of a format that is written when the run is over. */
export function atEnd(
  render: (document: DocumentOf<'run'>, options?: ReporterOptions) => Promise<string> | string,
): Format['create'] {
  return (sink, options) => ({
    onEvent() {},
    end(summary) {
      const text = render({ kind: 'run', summary }, options);
      return typeof text === 'string' ? sink.write(text) : text.then((rendered) => sink.write(rendered));
    },
  });
}
