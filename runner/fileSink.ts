import { closeSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import type { Sink } from '../reports/sink.ts';
import { UsageError } from './errors.ts';
import { makeDirectory } from './makeDirectory.ts';

/** A sink over a file that is there from the start, so that a bad path is known before anything is sent. */
export interface FileSink extends Sink {
  close(): void;
}

/**
 * Creates the file and its directories; an existing file is replaced. What is written is handed to the operating
 * system at once, so that it outlives this process.
 *
 * @throws UsageError where it cannot be written
 */
export function openFileSink(path: string, option: string): FileSink {
  const file = open(path, option);
  return {
    write: (text) => writeFileSync(file, text),
    columns: 80,
    colors: false,
    tty: false,
    close: () => closeSync(file),
  };
}

function open(path: string, option: string): number {
  try {
    makeDirectory(dirname(path));
    return openSync(path, 'w');
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
