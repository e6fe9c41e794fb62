import { closeSync, constants, fstatSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import type { RunEvent } from '../../reports/model/events.ts';
import { journalLine } from '../../reports/model/journal.ts';
import { makeDirectory } from './writtenFile.ts';

/** Bytes that are written at once at the latest. */
const batchBytes = 64 * 1024;
/** Milliseconds that a line waits for others at most. */
const batchTime = 5;

/** The record of a run, from which every other report can be made: one event a line (NDJSON), only ever added to. */
export interface Journal {
  readonly path: string;
  /**
   * Adds an event. It reaches the system within 5 ms, after all earlier ones: a process that is killed loses no more.
   *
   * @throws what writing failed with, also of an earlier event
   */
  write(event: RunEvent): void;
  /**
   * Writes everything to the system and closes the file. Doing it again does nothing.
   *
   * @throws what writing failed with, where `write` has not thrown it before
   */
  close(): void;
}

/**
 * Starts a journal at the path; one of an earlier run there is replaced. Folders are made where they are missing, and
 * a `.seaworthy` folder that is made gets a `.gitignore` for all that is in it.
 *
 * @throws the system's error where the file cannot be written
 */
export function openJournal(path: string): Journal {
  makeDirectory(dirname(path), ignoreOwnFolder);
  const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND } = constants;
  return new FileJournal(path, openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND));
}

class FileJournal implements Journal {
  readonly path: string;
  #file: number | undefined;
  #lines: string[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | undefined;
  #failure: Error | undefined;
  #reported = false;

  constructor(path: string, file: number) {
    this.path = path;
    this.#file = file;
  }

  write(event: RunEvent): void {
    this.#throwFailure();
    const line = journalLine(event);
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length < batchBytes) {
      this.#timer ??= setTimeout(() => this.#flush(), batchTime);
      return;
    }
    this.#flush();
    this.#throwFailure();
  }

  close(): void {
    if (this.#file === undefined) return;
    this.#flush();
    // A run that was refused before its first event leaves nothing behind.
    const stats = fstatSync(this.#file);
    if (stats.isFile() && stats.size === 0 && this.#failure === undefined) rmSync(this.path, { force: true });
    closeSync(this.#file);
    this.#file = undefined;
    if (!this.#reported) this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure === undefined) return;
    this.#reported = true;
    throw this.#failure;
  }

  /** Nobody could catch what a timer throws, so a failure is kept for the next call; nothing is written after it. */
  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
    if (this.#file === undefined || this.#failure !== undefined) return;
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at);
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
  }
}

function ignoreOwnFolder(folder: string): void {
  if (basename(folder) === '.seaworthy') writeFileSync(join(folder, '.gitignore'), '*\n');
}
