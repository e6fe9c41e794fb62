import {
  accessSync,
  constants,
  existsSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  mkdirSync,
  rmdirSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { randomUUID } from 'node:crypto';

import type { Sink } from '../../reports/sink.ts';
import { UsageError } from '../errors.ts';

/** A sink over a file that changes only when the report is whole. */
export interface FileSink extends Sink {
  /**
   * Replaces the file by what was written.
   *
   * @throws the system's error where it cannot be written
   */
  commit(): void;
}

/**
 * Makes sure that the file can be written, so that a bad path is known before anything is sent; its directories are
 * made. A run that is killed leaves an earlier report there as it was.
 *
 * @throws UsageError where it cannot be written
 */
export function openFileSink(path: string, option: string): FileSink {
  const texts: string[] = [];
  const file = writable(path, option);
  return {
    write: (text) => void texts.push(text),
    columns: 80,
    colors: false,
    tty: false,
    commit: () => replace(file, texts.join('')),
  };
}

/** The file itself, where the path is a link to it. */
function writable(path: string, option: string): string {
  try {
    makeDirectory(dirname(path));
    if (!existsSync(path)) {
      // Only trying shows it: not every folder that says so takes files.
      writeFileSync(beside(path), '');
      rmSync(beside(path));
      return path;
    }
    if (statSync(path).isDirectory()) throw new Error('it is a directory');
    accessSync(path, constants.W_OK);
    return realpathSync(path);
  } catch (cause) {
    throw new UsageError(
      'SW_REPORT_WRITE',
      {
        received: `${option}: the file ${path} cannot be written: ${(cause as Error).message}`,
        valid: 'a path that can be written; directories are made',
        next: 'choose another path, or give yourself the right to write there',
      },
      { cause },
    );
  }
}

/** By a file beside it that takes its place, so that nobody ever reads half a report; a device or a pipe is written to. */
function replace(path: string, text: string): void {
  if (existsSync(path) && !statSync(path).isFile()) return writeFileSync(path, text);
  try {
    writeFileSync(beside(path), text);
    renameSync(beside(path), path);
  } catch (error) {
    rmSync(beside(path), { force: true });
    // Where its directory takes no new file, the file itself still can be written.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    writeFileSync(path, text);
  }
}

function beside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
}

/**
 * Makes sure that files can be written to a folder, and leaves nothing behind: not even the folder, where it was missing.
 *
 * @throws what the system says where it cannot be made or written
 */
export function checkFolder(folder: string): void {
  const made: string[] = [];
  try {
    makeDirectory(folder, (path) => made.push(path));
    const probe = join(folder, `.seaworthy-${randomUUID()}`);
    writeFileSync(probe, '', { flag: 'wx' });
    rmSync(probe);
  } finally {
    for (const path of made.toReversed()) rmdirSync(path);
  }
}

/**
 * Makes a directory and those above it, where they are missing. Not `recursive` of `mkdirSync`: that never returns
 * where a directory can be looked for but not made, as below /proc.
 *
 * @param onMade - called for each directory that was missing
 * @throws what `mkdirSync` throws
 */
export function makeDirectory(path: string, onMade: (made: string) => void = () => {}): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path), onMade);
  mkdirSync(path);
  onMade(path);
}

/** A path as people are shown it: relative to the working directory where it is below it. */
export function shownPath(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}
