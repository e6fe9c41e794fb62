import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

import { JournalError, readJournal } from '../../reports/model/journal.ts';
import { createSummary } from '../../reports/model/summary.ts';
import { UsageError } from '../errors.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

/**
 * The summary of the run that a journal is about, also where the run was killed. The journal is read line by line: memory
 * does not grow with it.
 *
 * @throws UsageError where it cannot be read, or is no journal
 */
export async function readRun(path: string): Promise<RunSummary> {
  const summary = createSummary();
  try {
    if ((await stat(path)).isDirectory()) throw new Error('it is a directory');
    for await (const event of readJournal(linesOf(path))) summary.add(event);
  } catch (error) {
    throw unreadable(path, error);
  }
  return summary.summary();
}

/** Only line feeds end lines: JSON leaves other separators within a text as they are. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 256 * 1024 })) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function unreadable(path: string, error: unknown): unknown {
  if (error instanceof JournalError) return refused(`${path}: ${error.message}`, error);
  return error instanceof Error && ('code' in error || error.message === 'it is a directory')
    ? refused(`the journal ${path} cannot be read: ${error.message}`, error)
    : error;
}

function refused(received: string, cause: Error): UsageError {
  return new UsageError(
    'SW_JOURNAL_UNREADABLE',
    {
      received,
      valid: 'the path of a journal, as the last lines of a run name it',
      next: 'seaworthy report .seaworthy/runs/<run>.ndjson, or the path that --report journal=<path> gave it',
    },
    { cause },
  );
}
