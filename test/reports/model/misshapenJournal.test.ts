import { expect, test } from 'vitest';

import { formatsFor, renderDocument } from '../../../reports/formats/index.ts';
import { JournalError, readJournal } from '../../../reports/model/journal.ts';
import { createSummary } from '../../../reports/model/summary.ts';
import { failingRun, withoutRepeats } from '../madeUpRun.ts';
import { failingSearch } from '../madeUpSearch.ts';
import { failingServiceRun } from '../madeUpServiceRun.ts';

/** What stands in the place of a member: of another type each, of the same one, and nothing at all. */
const wrong: readonly unknown[] = [undefined, null, -1, 'x', [], {}];

/** The value with something else in one place, for each place of it. Of the items of a list the first alone is changed. */
function* changed(value: unknown): Generator<unknown> {
  for (const other of wrong) yield other;
  if (Array.isArray(value)) {
    if (value.length > 0) for (const item of changed(value[0])) yield value.with(0, item);
  } else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value))
      for (const other of changed(member)) yield { ...value, [name]: other };
}

const names = formatsFor('run').filter((name) => name !== 'html' && name !== 'journal');

/** Why a journal cannot be reported in a format; nothing where it can, or is refused as it should be. */
async function crash(journal: string, format: (typeof names)[number]): Promise<string | undefined> {
  const summary = createSummary();
  try {
    for (const event of readJournal(journal)) summary.add(event);
    await renderDocument(format, { kind: 'run', summary: summary.summary() });
    return undefined;
  } catch (error) {
    return error instanceof JournalError ? undefined : String((error as Error).stack);
  }
}

test.each([
  ['a receiver', failingRun],
  ['a service', failingServiceRun],
  ['a search', failingSearch],
])('no member of an event in the journal of %s can be so wrong that a report breaks over it', async (_, made) => {
  const events: readonly { readonly type: string }[] = withoutRepeats(made());
  const lines = events.map((event) => JSON.stringify(event));
  const crashes = new Set<string>();
  let tried = 0;
  for (const [place, event] of events.entries()) {
    if (events.findIndex(({ type }) => type === event.type) < place) continue;
    for (const other of changed(JSON.parse(JSON.stringify(event)))) {
      // Each takes the formats in turn: a member is read by several of them, and changed in several ways.
      const format = names[tried++ % names.length]!;
      const why = await crash(lines.with(place, JSON.stringify(other) ?? '').join('\n'), format);
      if (why !== undefined) crashes.add(`${event.type}, ${format}: ${why.split('\n').slice(0, 3).join(' ')}`);
    }
  }
  expect([...crashes]).toEqual([]);
});

test('says which member is wrong, and what may stand there', () => {
  const [started] = failingRun();
  const event = { type: 'check.started', ms: 'soon', check: 'a' };
  expect(() => readJournal([started, event, event].map((each) => JSON.stringify(each)).join('\n'))).toThrow(
    'Line 2 of the journal is check.started with "\\"soon\\"" at "/ms"; valid is a number.',
  );
});
