import { join, relative, resolve } from 'node:path';

import { createReporter } from '../../reports/formats/index.ts';
import type { ReporterOptions } from '../../reports/formats/format.ts';
import type { Sink } from '../../reports/sink.ts';
import { createProgress } from '../../reports/formats/terminal/progress.ts';
import { checkReports, stdoutUse, type CheckedReport } from './checkReports.ts';
import { UsageError } from '../errors.ts';
import { openFileSink } from './writtenFile.ts';
import { githubActions } from '../options/githubActions.ts';
import { pruneRuns, runsFolder } from './keptRuns.ts';
import { openJournal, type Journal } from './journal.ts';
import type { ReportTarget } from '../options/optionKinds.ts';
import type { NamedReporter } from './reporting.ts';

/** Where the reports of one run go. */
export interface Outputs {
  /** The journal first. */
  readonly reporters: readonly NamedReporter[];
  /** The journal's path, as the user would write it. */
  readonly journal: string;
  /** The files of its other reports with their formats, as the user wrote them. */
  readonly reports: readonly string[];
  /** True where a report for people goes to standard output. */
  readonly spoken: boolean;
  close(): void;
}

/** What the outputs of a run depend on beside its reports. */
export interface OutputOptions {
  readonly runId: string;
  readonly workingDirectory: string;
  readonly stdout: Sink;
  /** Standard output as well: for formats that are not for people. */
  readonly documents: Sink;
  readonly stderr: Sink;
  /** The config file of the run, for reports that point to it. */
  readonly config?: string;
  /** How many runs stay in the folder of runs when this one has ended. Default: all. */
  readonly keepRuns?: number;
  /** Explains what is broken, where a report has room for it. Default: nobody does. */
  readonly explain?: ReporterOptions['explain'];
  /** Read where a report is for GitHub Actions. Default: empty. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Opens every report of a run. A journal is always written: to its path, or to `.seaworthy/runs/<run id>.ndjson`.
 * Where standard output holds no report for people, a terminal on standard error shows the progress.
 *
 * @throws UsageError for an unknown format, two reports on standard output, a file that cannot be written
 */
export function openOutputs(targets: readonly ReportTarget[], options: OutputOptions): Outputs {
  const { workingDirectory, stderr, keepRuns } = options;
  const checked = checkReports(targets);
  const spoken = checked.some((target) => stdoutUse(target) === 'text');
  const paths = journalPaths(checked, options);
  const journal = relative(workingDirectory, paths[0] ?? '');
  const others = checked.filter(({ format }) => format !== 'journal');
  const files = filesOf(others);
  const reports = others
    .toSorted((a, b) => Number(isCommands(b)) - Number(isCommands(a)))
    .flatMap((target) => [
      reporterOf(target, { journal, reports: files }, options),
      ...stepSummary(target, journal, options),
    ]);
  const journals = paths.map(startJournal);
  const progress = spoken || !stderr.tty ? [] : [{ name: 'progress', reporter: createProgress(stderr) }];
  return {
    reporters: [...journals.map(journalReporter), ...reports, ...progress],
    journal,
    reports: files,
    spoken,
    close() {
      for (const output of journals) output.close();
      if (keepRuns !== undefined) pruneRuns(workingDirectory, keepRuns);
    },
  };
}

/** They come first, so that they end last: until then nothing that a target says is taken for a command. */
function isCommands(target: CheckedReport): boolean {
  return stdoutUse(target) === 'commands';
}

function stepSummary(
  target: CheckedReport,
  journal: string,
  { documents, workingDirectory, environment = {} }: OutputOptions,
): readonly NamedReporter[] {
  const { summary } = githubActions(environment, workingDirectory);
  if (!isCommands(target) || summary === undefined) return [];
  return [
    {
      name: 'the summary of the step',
      reporter: createReporter('markdown', { ...documents, ...summary }, { journal }),
    },
  ];
}

function journalPaths(
  targets: readonly CheckedReport[],
  { runId, workingDirectory }: OutputOptions,
): readonly string[] {
  const named = targets.flatMap(({ format, path }) => (format === 'journal' && path !== undefined ? [path] : []));
  const paths = named.length > 0 ? named : [join(runsFolder, `${runId}.ndjson`)];
  return paths.map((path) => resolve(workingDirectory, path));
}

function startJournal(path: string): Journal {
  try {
    return openJournal(path);
  } catch (cause) {
    throw new UsageError(
      'SW_REPORT_WRITE',
      {
        received: `the journal ${path} cannot be written: ${(cause as Error).message}`,
        valid: 'a path that can be written',
        next: 'choose one with --report journal=<path>, or work in a directory that you may write to',
      },
      { cause },
    );
  }
}

/** Ends after all others, so that it holds what went wrong in their ends. */
function journalReporter(journal: Journal): NamedReporter {
  return { name: 'journal', reporter: { onEvent: (event) => journal.write(event), end: () => journal.close() } };
}

/** Where the reports are that have a file, as the user wrote it. One that could not be written is taken out. */
function filesOf(targets: readonly CheckedReport[]): string[] {
  return targets.filter(({ path }) => path !== undefined).map(fileOf);
}

function fileOf({ format, path }: CheckedReport): string {
  return `${path} (${format})`;
}

function reporterOf(
  target: CheckedReport,
  known: { readonly journal: string; readonly reports: string[] },
  { stdout, documents, workingDirectory, config, explain, environment = {} }: OutputOptions,
): NamedReporter {
  const { format, path } = target;
  const { fromRoot } = githubActions(environment, workingDirectory);
  const options: ReporterOptions = {
    ...known,
    ...(fromRoot !== undefined && { fromRoot }),
    ...(explain !== undefined && { explain }),
    ...(config !== undefined && { config: relative(workingDirectory, config) }),
  };
  if (path === undefined) {
    const sink = stdoutUse(target) === 'text' ? stdout : documents;
    return { name: format, reporter: createReporter(format, sink, options) };
  }
  const file = openFileSink(resolve(workingDirectory, path), `--report ${format}=${path}`);
  const reporter = createReporter(format, file, { ...options, path });
  return {
    name: `${format}=${path}`,
    reporter: {
      onEvent: (event) => reporter.onEvent(event),
      async end(summary) {
        try {
          await reporter.end?.(summary);
          file.commit();
        } catch (error) {
          known.reports.splice(known.reports.indexOf(fileOf(target)), 1);
          throw error;
        }
      },
    },
  };
}
