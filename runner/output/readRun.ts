import { createReadStream } from 'node:fs';

import { requireFile, UnreadableFile } from '../../spec/readTextFile.ts';
import { sizeText } from '../../spec/size.ts';
import { JournalError, readJournal } from '../../reports/model/journal.ts';
import { createSummary } from '../../reports/model/summary.ts';
import { UsageError } from '../errors.ts';
import type { RunEvent } from '../../reports/model/events.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

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
      next: 'name a journal: .seaworthy/runs/<run>.ndjson, or the path that --report journal=<path> gave it',
    },
    { cause },
  );
}
