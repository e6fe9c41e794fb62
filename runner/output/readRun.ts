import { createReadStream, existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

import { requireFile, UnreadableFile } from '../../spec/readTextFile.ts';
import { sizeText } from '../../spec/units.ts';
import { JournalError, readJournal } from '../../reports/model/journal.ts';
import { createSummary } from '../../reports/model/summary.ts';
import { UsageError } from '../errors.ts';
import type { RunEvent } from '../../reports/model/events.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { replayCommand } from '../../reports/curl/replayCommand.ts';
import { shellQuote, shellWord } from '../../reports/curl/shell.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';

/**
 * The summary of the run that a journal is about, also where the run was killed.
 *
 * @throws UsageError where it cannot be read, or is no journal
 */
export async function readRun(path: string): Promise<RunSummary> {
  const summary = createSummary();
  for await (const event of journalEvents(path)) summary.add(event);
  return summary.summary();
}

/**
 * The events of a journal, in order. Memory does not grow with it.
 *
 * @throws UsageError where it cannot be read, or is no journal
 */
export async function* journalEvents(path: string): AsyncGenerator<RunEvent> {
  try {
    requireFile(path);
    yield* readJournal(linesOf(path));
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Characters of the longest line: events hold no more than the first bytes of each body. */
const longestLine = 16 * 1024 * 1024;

/** Only line feeds end lines: JSON leaves other separators within a text as they are. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest: string[] = [];
  let length = 0;
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 256 * 1024 })) {
    const [first = '', ...others] = String(chunk).split('\n');
    rest.push(first);
    length += first.length;
    if (length > longestLine) throw new UnreadableFile(`it has a line of more than ${sizeText(longestLine)}`);
    const last = others.pop();
    if (last === undefined) continue;
    yield rest.join('');
    yield* others;
    rest = [last];
    length = last.length;
  }
  if (length > 0) yield rest.join('');
}

function unreadable(path: string, error: unknown): unknown {
  if (error instanceof JournalError) return refused(`${path}: ${error.message}`, error);
  return error instanceof UnreadableFile || (error instanceof Error && 'code' in error)
    ? refused(`the journal ${path} cannot be read: ${error.message}`, error)
    : error;
}

function refused(received: string, cause: Error): UsageError {
  return new UsageError(
    'SW_JOURNAL_UNREADABLE',
    {
      received,
      valid: 'the path of a journal, as the last lines of a run name it',
      next: 'name a journal: .seaworthy/runs/<run>.ndjson (only the newest runs stay there: --keep-runs), or the path that --report journal=<path> gave it',
    },
    { cause },
  );
}

/** Where a run is reported, and from what. */
interface ReportPlace {
  /** Absolute. */
  readonly journal: string;
  readonly workingDirectory: string;
  /** The root of the repository, where that is known. Default: the working directory. */
  readonly root?: string | undefined;
}

/**
 * The same run with the paths of its files as seen from here: a journal holds them as seen from where it was written. A
 * file below the root is named from the working directory, any other by its whole path; what is nowhere to be found
 * stays as it is.
 */
export function locatedRun(summary: RunSummary, place: ReportPlace): RunSummary {
  const known = new Map<string, string>();
  const locate = (file: string): string => {
    const found = known.get(file) ?? seenFromHere(file, summary.run.id, place);
    known.set(file, found);
    return found;
  };
  const located = <Row extends { readonly counterexample?: Counterexample }>(row: Row): Row =>
    row.counterexample === undefined
      ? row
      : { ...row, counterexample: relocated(row.counterexample, summary.command, locate) };
  const { checks, search, said } = summary;
  return {
    ...summary,
    checks: checks.map(located),
    ...(search && { search: { ...search, failures: search.failures.map(located) } }),
    ...(said && { said: withPaths(said, locate) }),
  };
}

/** The commands of a counterexample name its files, too. */
function relocated(counterexample: Counterexample, command: string, locate: (file: string) => string): Counterexample {
  const { file, curl } = counterexample;
  const moved = new Map<string, string>();
  const found = withPaths(counterexample, (file) => {
    moved.set(file, locate(file));
    return locate(file);
  });
  if (file !== undefined && curl === replayCommand(file, command))
    return { ...found, curl: replayCommand(locate(file), command) };
  return { ...found, curl: [...moved].reduce((text, [from, to]) => withPath(text, from, to), curl) };
}

/** Shell lines with another path where this one is a word of them, also as curl names a file: `@path`. */
function withPath(lines: string, from: string, to: string): string {
  return ['', '@'].reduce((text, sign) => {
    const quoted = text.replaceAll(shellQuote(sign + from), () => shellQuote(sign + to));
    return quoted.replaceAll(/[^\s'"]+/g, (word) => (word === sign + from ? shellWord(sign + to) : word));
  }, lines);
}

/** Every member `file` is a path. */
function withPaths<T>(value: T, locate: (file: string) => string): T {
  if (Array.isArray(value)) return value.map((item) => withPaths(item as unknown, locate)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]: [string, unknown]) => {
    return [name, name === 'file' && typeof member === 'string' ? locate(member) : withPaths(member, locate)];
  });
  return Object.fromEntries(entries) as T;
}

function seenFromHere(file: string, runId: string, { journal, workingDirectory, root }: ReportPlace): string {
  const found = candidates(file, runId, journal, workingDirectory).find((path) => existsSync(path));
  if (found === undefined) return file;
  const inside = relative(root ?? workingDirectory, found);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return found;
  return relative(workingDirectory, found);
}

/** Below a folder that the journal is in, as in the run; beside a journal that was moved with its run's folder; or here. */
function candidates(file: string, runId: string, journal: string, workingDirectory: string): readonly string[] {
  if (isAbsolute(file)) return [file];
  const above = foldersAbove(journal).map((folder) => resolve(folder, file));
  return [...above, join(dirname(journal), runId, basename(file)), resolve(workingDirectory, file)];
}

function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}
