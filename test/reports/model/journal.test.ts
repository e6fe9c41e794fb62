import { describe, expect, test } from 'vitest';

import { journalLine, readJournal } from '../../../reports/model/journal.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { delivered, failingRun, started } from '../madeUpRun.ts';

const journal = failingRun().map(journalLine).join('');

async function* lines(text: string): AsyncGenerator<string> {
  for (const line of text.split('\n')) yield await Promise.resolve(line);
}

async function collected<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

test('what was written is read back, from a text and from lines', async () => {
  expect(readJournal(journal)).toEqual(failingRun());
  expect(await collected(readJournal(lines(journal)))).toEqual(failingRun());
});

test('every report can be made from it: the summary is the same', () => {
  expect(summarise(readJournal(journal))).toEqual(summarise(failingRun()));
});

test('a last line that was cut off is left out, wherever it was cut', async () => {
  const last = journalLine(delivered());
  for (let length = 1; length < last.length - 1; length += 1) {
    expect(readJournal(journalLine(started()) + last.slice(0, length))).toEqual([started()]);
  }
  expect(await collected(readJournal(lines(journalLine(started()) + last.slice(0, 9))))).toEqual([started()]);
});

describe('anything else is refused, with the line and what to do', () => {
  const first = journalLine(started());
  test.each([
    ['nothing', '', 'The journal is empty. Name a file that a run wrote as its journal.'],
    [
      'a first event that was cut off',
      first.slice(0, 200),
      'nothing but the beginning of its first event: the run was killed before it had begun.',
    ],
    ['another file', 'hello\n', 'Line 1 of the journal holds no JSON object but "hello". Name a file'],
    [
      'garbage in the middle',
      `${first}\u001b[2J\n${first}`,
      'Line 2 of the journal holds no JSON object but "\\u001b[2J".',
    ],
    ['JSON that is no object', `${first}[1]\n${first}`, 'Line 2 of the journal holds no JSON object but "[1]".'],
    [
      'an unknown event',
      `${first}{"type":"toString"}`,
      'Line 2 of the journal has the type "toString", and no event of a run has.',
    ],
    ['another JSON file', '{"type":"module"}', 'no event of a run has: a journal begins with run.started.'],
    ['JSON of something else', '{"a":1}', 'Line 1 of the journal is no event of a run: it has no type.'],
    [
      'no start',
      journalLine(delivered()),
      'Line 1 of the journal is delivery.finished; a journal begins with run.started.',
    ],
    ['two runs', first + first, 'Line 2 of the journal starts a second run; one journal holds one.'],
    [
      'another format',
      '{"type":"run.started","format":2}',
      'Line 1 of the journal has the format "2"; this version reads format 1.',
    ],
    [
      'the lines of another program',
      '{"type":"run.started","format":1}',
      'Line 1 of the journal is run.started with nothing at "/at"',
    ],
  ])('%s', async (_, text, message) => {
    expect(() => readJournal(text)).toThrow(message);
    await expect(collected(readJournal(lines(text)))).rejects.toThrow(message);
  });
});
