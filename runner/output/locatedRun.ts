import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

import { replayCommand } from '../../reports/curl/replayCommand.ts';
import { shellQuote, shellWord } from '../../reports/curl/shell.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';

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
