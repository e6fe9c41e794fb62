import type { Json } from '../../generators/json/json.ts';
import { valueAt } from '../../generators/json/jsonPointer.ts';
import { parseJson } from '../../spec/parseJson.ts';
import { eventForms } from './eventForms.ts';
import type { RunEvent } from './events.ts';

/** A journal that cannot be read. The message names the line, what stands there and what to do. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly code = 'journal/unreadable';
}

/** An event as one line of the journal: JSON and a line feed. */
export function journalLine(event: RunEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/**
 * Reads a journal back: one event a line, the first one `run.started`. A last line that was cut off, because the run
 * was killed while it wrote, is left out.
 *
 * @param journal - the whole text, or its lines as they are read (for example a `readline` interface)
 * @throws JournalError for any other line that is no event, for a second run, and for a journal without any event
 * @example const { verdict } = summarise(readJournal(await readFile(path, 'utf8')));
 */
export function readJournal(journal: string): readonly RunEvent[];
export function readJournal(journal: AsyncIterable<string>): AsyncGenerator<RunEvent, void, undefined>;
export function readJournal(
  journal: string | AsyncIterable<string>,
): readonly RunEvent[] | AsyncGenerator<RunEvent, void, undefined> {
  return typeof journal === 'string' ? fromText(journal) : fromLines(journal);
}

function fromText(text: string): readonly RunEvent[] {
  const reader = lineReader();
  const events = text.split('\n').flatMap((line) => reader.read(line));
  reader.end();
  return events;
}

async function* fromLines(lines: AsyncIterable<string>): AsyncGenerator<RunEvent, void, undefined> {
  const reader = lineReader();
  for await (const line of lines) yield* reader.read(line);
  reader.end();
}

const empty = 'The journal is empty. Name a file that a run wrote as its journal.';
const killedAtOnce =
  'The journal holds nothing but the beginning of its first event: the run was killed before it had begun. Run it again.';
const firstWords = '{"type":"run.started"';

/** Holds a bad line back until it is known whether another follows: only the last one may be cut off. */
function lineReader(): { read(line: string): readonly RunEvent[]; end(): void } {
  let number = 0;
  let count = 0;
  let cut: JournalError | undefined;
  let begun = false;
  return {
    read(line) {
      number += 1;
      if (line.trim() === '') return [];
      if (cut !== undefined) throw cut;
      const value = parsed(line);
      if (value === undefined) {
        begun = count === 0 && line.startsWith(firstWords);
        cut = problem(number, `holds no JSON object but ${excerpt(line)}`);
        return [];
      }
      const event = eventOf(value, number, count === 0);
      count += 1;
      return [event];
    },
    end() {
      if (count === 0) throw begun ? new JournalError(killedAtOnce) : (cut ?? new JournalError(empty));
    },
  };
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseJson(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function eventOf(value: Readonly<Record<string, unknown>>, line: number, first: boolean): RunEvent {
  const { type, format } = value;
  if (type === undefined) throw problem(line, 'is no event of a run: it has no type');
  if (typeof type !== 'string' || !Object.hasOwn(eventForms, type)) {
    const shown = typeof type === 'string' ? excerpt(type) : excerpt(JSON.stringify(type));
    throw problem(
      line,
      `has the type ${shown}, and no event of a run has${first ? ': a journal begins with run.started' : ''}`,
    );
  }
  if (first !== (type === 'run.started')) {
    throw problem(
      line,
      first ? `is ${type}; a journal begins with run.started` : 'starts a second run; one journal holds one',
    );
  }
  if (first && format !== 1) {
    throw problem(
      line,
      `has the format ${excerpt(JSON.stringify(format) ?? 'undefined')}; this version reads format 1`,
    );
  }
  const misfit = eventForms[type as RunEvent['type']](value);
  if (misfit !== undefined) throw misshapen(line, type, misfit.at, misfit.valid, value);
  return value as unknown as RunEvent;
}

function misshapen(line: number, type: string, at: string, valid: string, event: object): JournalError {
  const found = valueAt(event as Json & object, at);
  const shown = found === undefined ? 'nothing' : excerpt(JSON.stringify(found));
  return problem(line, `is ${type} with ${shown} at ${excerpt(at)}; valid is ${valid}`);
}

function problem(line: number, what: string): JournalError {
  return new JournalError(
    `Line ${line} of the journal ${what}. Name a file that a run of this version wrote as its journal.`,
  );
}

/** Safe to print: JSON spells out every control character. */
function excerpt(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
