import { posix } from 'node:path';

import type { RunEvent } from './model/events.ts';
import type { Explanations } from './model/explained.ts';
import type { Printer } from './sink.ts';
import type { RunSummary } from './model/runSummary.ts';

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
