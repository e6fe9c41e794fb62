import { posix } from 'node:path';

import type { ReportDocument, Explanations } from '../model/document.ts';
import type { Sink, Printer } from '../sink.ts';
import type { RunEvent } from '../model/events.ts';
import type { RunSummary } from '../model/runSummary.ts';

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

/** A path of the working directory as one from the root of the repository, with slashes. */
export function fromRoot(path: string, { fromRoot: base = '' }: Pick<ReporterOptions, 'fromRoot'>): string {
  const slashed = path.replaceAll('\\', '/');
  return slashed.startsWith('/') || /^[a-z]:\//i.test(slashed) ? slashed : posix.normalize(`${base}${slashed}`);
}

/**
 * Turns a run into one format. It hears every event in order, then the summary; it writes to the sink that it was
 * made with. What it throws is recorded by the runner and stops nobody else.
 */
export interface Reporter {
  onEvent(event: RunEvent): void;
  /** After the last event, or after the last one that a killed run left behind. */
  end?(summary: RunSummary): Promise<void> | void;
  /** Instead of `end`, where the run fails in a way that leaves nothing to report. */
  leave?(): void;
}

/** What a format may know beside the events. */
export interface ReporterOptions {
  /** The path of the run's journal, to be shown. */
  readonly journal?: string;
  /** The files that the run's other reports are written to, to be shown. */
  readonly reports?: readonly string[];
  /** The file that the report is written to; not there for standard output. */
  readonly path?: string;
  /** The config file of the run, to be pointed to. */
  readonly config?: string;
  /**
   * From the root of the repository to the working directory, with a slash at its end: `packages/hooks/`. Formats that
   * point to files name them from the root. Default: the working directory is the root.
   */
  readonly fromRoot?: string;
  /** Explains the requirements that a run found broken, to a format that has room for it. Default: nobody does. */
  readonly explain?: (summary: RunSummary) => Promise<Explanations>;
  /** Characters a line, where text is laid out. Default 80. */
  readonly columns?: number;
  /** Whether colours are shown. Default false. */
  readonly colors?: boolean;
  /** The printer that the report will go through; it decides about colours then. */
  readonly printer?: Printer;
}
