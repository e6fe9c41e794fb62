import { createJsonReporter } from './json.ts';
import { journalLine } from './journal.ts';
import { createJunitReporter } from './junit.ts';
import type { Reporter, ReporterOptions } from './reporter.ts';
import type { Sink } from './sink.ts';
import { createTerminalReporter } from './terminal.ts';

/** A format that a run can be reported in. */
export interface Format {
  /** One line for the help. */
  readonly summary: string;
  create(sink: Sink, options: ReporterOptions): Reporter;
}

/** Every format, by the name that `--report` takes. */
export const formats = {
  terminal: {
    summary: 'for people: failures with their smallest case, counts, verdict',
    create: createTerminalReporter,
  },
  json: { summary: 'for programs: everything, as report.schema.json describes it', create: createJsonReporter },
  junit: { summary: 'for CI systems: JUnit XML, a testcase for each check', create: createJunitReporter },
  journal: { summary: 'every event of the run as it happens, one JSON object a line', create: createJournalReporter },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;

/** A name that is none of {@link formats}. */
export class UnknownFormatError extends Error {
  override readonly name = 'UnknownFormatError';
  readonly code = 'report/unknown-format';
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

/** Writes every event at once, so that a killed run leaves its journal behind. */
function createJournalReporter(sink: Sink): Reporter {
  return { onEvent: (event) => sink.write(journalLine(event)) };
}
