import { PassThrough } from 'node:stream';

import { describe, expect, test } from 'vitest';

import { runOnlyFormats } from '../../../reports/formats/formatNames.ts';
import { createReporter, formatNames, formats, formatsFor } from '../../../reports/formats/index.ts';
import type { RunEvent } from '../../../reports/model/events.ts';
import { readJournal } from '../../../reports/model/journal.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { streamSink } from '../../../reports/sink.ts';
import { failingRun } from '../madeUpRun.ts';
import { paper } from '../paper.ts';

test('a name that is no format is refused with those that are', () => {
  expect(() => createReporter('yaml', paper())).toThrow(
    `"yaml" is no report format. Valid is ${formatNames.join(', ')}. Choose one of them.`,
  );
  expect(() => createReporter('toString', paper())).toThrow('is no report format');
});

test('the names of formats are those of the registry, and the journal alone shows nothing afterwards', () => {
  expect(Object.keys(formats)).toEqual(formatNames);
  expect(formatNames.filter((name) => !formatsFor('run').includes(name))).toEqual(runOnlyFormats);
});

function rendered(name: string, events: readonly RunEvent[]): string {
  const sink = paper();
  const reporter = createReporter(name, sink);
  for (const event of events) reporter.onEvent(event);
  void reporter.end?.(summarise(events));
  return sink.text();
}

test('the journal is written event by event, not at the end', () => {
  const sink = paper();
  const reporter = createReporter('journal', sink);
  for (const event of failingRun()) reporter.onEvent(event);
  expect(readJournal(sink.text())).toEqual(failingRun());
});

test('a prompt counts failures and warnings apart', () => {
  const text = rendered('prompt', failingRun());
  expect(text).toMatch(/^# Fix the webhook receiver: \d+ failures, 1 warning\n/);
  expect(text).toContain('Each case below is only the smallest one');
  const warned = failingRun().filter((event) => event.type !== 'check.finished' || event.outcome !== 'failed');
  expect(rendered('prompt', warned)).toMatch(/^# Fix the webhook receiver: 1 warning\n/);
  expect(rendered('prompt', warned)).toContain('The case below is only the smallest one');
});

describe('a sink over a stream', () => {
  const terminal = { write: () => true, isTTY: true, columns: 132 };
  test.each([
    ['a terminal', terminal, {}, true],
    ['a terminal, no colours wanted', terminal, { NO_COLOR: '1' }, false],
    ['a terminal, NO_COLOR empty', terminal, { NO_COLOR: '' }, true],
    ['a dumb terminal', terminal, { TERM: 'dumb' }, false],
    ['a pipe', new PassThrough(), {}, false],
    ['a pipe, colours forced', new PassThrough(), { FORCE_COLOR: '1' }, true],
    ['a terminal, colours forced off', terminal, { FORCE_COLOR: '0' }, false],
    ['a pipe, forced and forbidden', new PassThrough(), { FORCE_COLOR: '', NO_COLOR: '1' }, true],
  ])('%s', (_, stream, environment, colors) => {
    expect(streamSink(stream, environment).colors).toBe(colors);
  });

  test('has the width of its stream, or 80 columns', () => {
    expect(streamSink(terminal, {})).toMatchObject({ columns: 132, tty: true });
    expect(streamSink(new PassThrough(), {})).toMatchObject({ columns: 80, tty: false });
  });
});
