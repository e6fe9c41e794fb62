import { stripVTControlCharacters } from 'node:util';

import { describe, expect, test } from 'vitest';

import type { RunEvent } from '../../../../reports/model/events.ts';
import { createTerminalReporter } from '../../../../reports/formats/terminal/index.ts';
import { checkFinished, delivered, failingRun, finished, started } from '../../madeUpRun.ts';
import { called, caughtShort, serviceStarted } from '../../madeUpServiceRun.ts';
import { paper } from '../../paper.ts';
import { shown } from '../../shown.ts';

describe('on a terminal', () => {
  const tty = { tty: true, columns: 60 };
  const after = (count: number): readonly RunEvent[] => [
    started(),
    ...Array.from({ length: count }, (_, index) => delivered({ ms: index * 10 })),
    checkFinished('receiver/signature/missing', 'failed', { ms: count * 10 }),
  ];

  test('one line is written over and over, at most ten times a second', () => {
    const sink = paper(tty);
    const reporter = createTerminalReporter(sink);
    for (const event of after(100)) reporter.onEvent(event);
    const drawn = sink.text().split('\r\u001b[2K').slice(1);
    expect(drawn).toHaveLength(11);
    expect(drawn.at(-1)).toBe('1/7 checks, 100 deliveries (100/s), 1 failure');
    expect(drawn.join('')).not.toContain('\n');
  });

  test('of a service it counts calls and deliveries', () => {
    const sink = paper(tty);
    const reporter = createTerminalReporter(sink);
    const events = [serviceStarted(), called({ ms: 1 }), called({ ms: 2 }), caughtShort({ ms: 150 })];
    for (const event of events) reporter.onEvent(event);
    expect(sink.text().split(String.fromCharCode(13)).at(-1)).toContain('0/6 checks, 2 calls, 1 delivery');
  });

  test('it never reaches the last column, and is gone when the report begins', async () => {
    const text = await shown([...after(100), finished()], { tty: true, columns: 20 });
    const drawn = text.split('\r\u001b[2K').slice(1);
    expect(drawn.slice(0, -1).every((line) => line.length < 20)).toBe(true);
    expect(drawn.at(-1)).toMatch(/^Does not conform: /);
  });
});

test('colours say nothing that the text does not', async () => {
  const text = await shown(failingRun(), { colors: true });
  expect(text).toContain('\u001b[31m');
  expect(stripVTControlCharacters(text)).toBe(await shown(failingRun()));
});
