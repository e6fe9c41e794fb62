import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  createReporter,
  formatNames,
  formats,
  formatsFor,
  renderDocument,
  type FormatName,
} from '../../../reports/formats/index.ts';
import type { Format, ReporterOptions } from '../../../reports/formats/format.ts';
import { compareRuns } from '../../../reports/model/compareRuns.ts';
import type { ReportDocument } from '../../../reports/model/document.ts';
import type { RunEvent } from '../../../reports/model/events.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { arbitraryRun } from '../arbitraryRun.ts';
import { failingRun } from '../madeUpRun.ts';
import { paper } from '../paper.ts';
import { readBadge } from '../readers/badge.ts';
import { factsOf, factsOfComparison, factsOfMatrix } from '../readers/facts.ts';
import { readers, type KindReaders, type Reader, type Readers } from '../readers/index.ts';

/**
 * One model: whatever the run, every format is read back with a parser, and says the same. A format leaves out what has
 * no place in it; what it says must be what the summary says.
 */

const options: ReporterOptions = { journal: '.seaworthy/runs/run-1.ndjson', config: 'seaworthy.config.ts' };

/** What a format writes about a run that goes on. */
async function written(name: FormatName, run: readonly RunEvent[], more: ReporterOptions = {}): Promise<string> {
  const sink = paper();
  const reporter = createReporter(name, sink, { ...options, ...more });
  for (const event of run) reporter.onEvent(event);
  await reporter.end?.(summarise(run));
  return sink.text();
}

/** Reads a report back: it has to state all that its reader promises, and nothing that is not so. */
async function expectToTell<Facts extends object, Subject>(
  { states, read }: Reader<Facts, Subject>,
  text: string,
  facts: Facts,
  subject: Subject,
): Promise<void> {
  const reported = await read(text, subject);
  expect(Object.keys(reported)).toEqual(expect.arrayContaining(states.map(String)));
  expect(facts).toMatchObject(reported);
}

async function expectRun(name: FormatName, text: string, run: readonly RunEvent[]): Promise<void> {
  const summary = summarise(run);
  await expectToTell(readers[name].run, text, factsOf(summary), summary);
}

/** A reader refuses what it does not understand, and states of another run what is not so. */
async function expectRefused(reading: Promise<void>): Promise<void> {
  const end = await reading.then(
    () => 'taken',
    () => 'refused',
  );
  expect(end).toBe('refused');
}

/** The same event, but that its check has passed. */
function passed(event: RunEvent): RunEvent {
  if (event.type !== 'check.finished') return event;
  const { counterexample: _, ...rest } = event;
  return { ...rest, outcome: 'passed' };
}

/** The readers of a format, whichever kinds it can show. */
function readersOf(name: FormatName): Partial<KindReaders> {
  return readers[name];
}

test('every format has a reader for all that it can show', () => {
  expect(Object.keys(readers).toSorted()).toEqual(formatNames.toSorted());
  for (const name of formatNames) {
    const { documents }: Format = formats[name];
    expect(Object.keys(readers[name])).toEqual(documents.length === 0 ? ['run'] : documents);
  }
});

test('the readers of a format that lacks one do not compile', () => {
  const { badge, ...others } = readers;
  // @ts-expect-error -- the badge has no reader
  const without: Readers = others;
  // @ts-expect-error -- a badge can show several targets, too
  const less: Readers = { ...others, badge: { run: badge.run } };
  expect(Object.keys(without)).not.toContain('badge');
  expect(Object.keys(less.badge)).toEqual(['run']);
});

describe.each(formatNames)('%s', (name) => {
  test('says what the summary says, while the run goes on and afterwards', async () => {
    expect.hasAssertions();
    await fc.assert(
      fc.asyncProperty(arbitraryRun, async (run) => {
        await expectRun(name, await written(name, run), run);
        if (!formatsFor('run').includes(name)) return;
        await expectRun(name, await renderDocument(name, { kind: 'run', summary: summarise(run) }, options), run);
      }),
      { numRuns: 30 },
    );
  });

  const run = failingRun();

  test('is not taken for a report where it is empty or cut off', async () => {
    expect.hasAssertions();
    const text = await written(name, run);
    await expectRun(name, text, run);
    await expectRefused(expectRun(name, '', run));
    await expectRefused(expectRun(name, '\n', run));
    await expectRefused(expectRun(name, text.slice(0, text.length / 2), run));
  });

  test('is not taken for a report of this run where a result is left out, or another', async () => {
    const broken = run.findIndex((event) => event.type === 'check.finished' && event.outcome === 'failed');
    expect(broken).toBeGreaterThan(0);
    const less = run.toSpliced(broken, 1);
    const other = run.map((event, at) => (at === broken ? passed(event) : event));
    await expectRun(name, await written(name, less), less);
    await expectRefused(expectRun(name, await written(name, less), run));
    await expectRun(name, await written(name, other), other);
    await expectRefused(expectRun(name, await written(name, other), run));
  });
});

test.each(formatNames)('%s says why a broken requirement is one, if it names it', async (name) => {
  const text = (await written(name, failingRun())).replaceAll(/\s+/g, ' ');
  const why = 'A signature that does not cover each byte fits another body.';
  expect(text.includes(why)).toBe(text.includes('VRF-3'));
});

const summaries = fc.array(arbitraryRun.map(summarise), { minLength: 2, maxLength: 4 });

test.each(formatsFor('comparison'))('%s says of two runs what their comparison says', async (name) => {
  const reader = readersOf(name).comparison!;
  await fc.assert(
    fc.asyncProperty(arbitraryRun, arbitraryRun, async (before, after) => {
      const comparison = compareRuns(summarise(before), summarise(after));
      const facts = factsOfComparison(comparison);
      expect(facts.regressed).toBe(facts.broke.length > 0);
      await expectToTell(reader, await renderDocument(name, { kind: 'comparison', comparison }), facts, comparison);
    }),
    { numRuns: 30 },
  );
});

test.each(formatsFor('matrix'))('%s says of several targets what their summaries say', async (name) => {
  expect.hasAssertions();
  const reader = readersOf(name).matrix!;
  await fc.assert(
    fc.asyncProperty(summaries, async (several) => {
      const document: ReportDocument = { kind: 'matrix', summaries: several };
      await expectToTell(reader, await renderDocument(name, document), factsOfMatrix(several), several);
    }),
    { numRuns: 20 },
  );
});

describe('a report of something else is not taken for the one', () => {
  const [good, bad] = [summarise(failingRun().map(passed)), summarise(failingRun())] as const;

  test.each(formatsFor('comparison'))('%s: of two runs', async (name) => {
    expect.hasAssertions();
    const { comparison: reader } = readersOf(name);
    const facts = factsOfComparison(compareRuns(good, bad));
    const comparison = compareRuns(bad, good);
    const other = await renderDocument(name, { kind: 'comparison', comparison });
    await expectRefused(expectToTell(reader!, other, facts, comparison));
    await expectRefused(expectToTell(reader!, '', facts, comparison));
  });

  test.each(formatsFor('matrix'))('%s: of several targets', async (name) => {
    expect.hasAssertions();
    const { matrix: reader } = readersOf(name);
    const facts = factsOfMatrix([good, bad]);
    const other = await renderDocument(name, { kind: 'matrix', summaries: [bad, bad] });
    await expectRefused(expectToTell(reader!, other, facts, []));
    await expectRefused(expectToTell(reader!, '', facts, []));
  });
});

test('a badge says the same as SVG and as JSON', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryRun, async (run) => {
      const json = await written('badge', run, { path: 'badge.json' });
      expect(readBadge(await written('badge', run, { path: 'badge.svg' }))).toEqual(readBadge(json));
      await expectRun('badge', json, run);
    }),
    { numRuns: 30 },
  );
});
