import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { journalLine } from '../../../reports/model/journal.ts';
import { keptJournals, newestRun, pruneRuns, runsFolder } from '../../../runner/output/keptRuns.ts';
import { failingRun } from '../../reports/madeUpRun.ts';

let cwd: string;
let folder: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-kept-'));
  folder = join(cwd, runsFolder);
  mkdirSync(folder, { recursive: true });
});

afterEach(() => rm(cwd, { recursive: true }));

/** A run of this second of the first minute, with a failed case. */
function keep(second: number, events = failingRun()): string {
  const id = `2026-11-21T10-00-${String(second).padStart(2, '0')}-0a1b2c`;
  mkdirSync(join(folder, id));
  writeFileSync(join(folder, id, 'case.json'), '{}');
  writeFileSync(join(folder, `${id}.ndjson`), events.map(journalLine).join(''));
  return id;
}

test('the newest runs stay, and all older ones go with their failed cases', () => {
  const ids = Array.from({ length: 5 }, (_, second) => keep(second));
  pruneRuns(cwd, 2);
  expect(readdirSync(folder).toSorted()).toEqual([ids[3], `${ids[3]}.ndjson`, ids[4], `${ids[4]}.ndjson`]);
  expect(keptJournals(cwd)).toEqual([join(folder, `${ids[4]}.ndjson`), join(folder, `${ids[3]}.ndjson`)]);
});

test('nothing else in the folder is touched', () => {
  const names = ['notes.txt', '2026-11-21.ndjson', '2026-11-21T10-00-00-0a1b2c.html', 'reports'];
  for (const name of names) writeFileSync(join(folder, name), '');
  keep(1);
  keep(2);
  pruneRuns(cwd, 1);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(names));
  expect(readdirSync(folder)).toHaveLength(names.length + 2);
});

test('a run without an end stays while it may go on, and goes when it was silent for an hour', () => {
  const id = keep(1, failingRun().slice(0, 3));
  keep(2);
  pruneRuns(cwd, 1);
  expect(existsSync(join(folder, id))).toBe(true);
  const before = Date.now() / 1000 - 3601;
  utimesSync(join(folder, `${id}.ndjson`), before, before);
  pruneRuns(cwd, 1);
  expect(existsSync(join(folder, id))).toBe(false);
});

test('the newest run is the newest that is as wanted, whatever lies beside it', async () => {
  const id = keep(1);
  writeFileSync(join(folder, `${id.replace('-01-', '-02-')}.ndjson`), 'not a journal');
  const run = await newestRun(cwd, ({ target }) => target.kind === 'receiver');
  expect(run?.verdict).toBe('does-not-conform');
  expect(await newestRun(cwd, ({ target }) => target.kind === 'service')).toBeUndefined();
});

test('where nothing was run yet there is nothing to prune', () => {
  pruneRuns(join(cwd, 'other'), 1);
  expect(keptJournals(join(cwd, 'other'))).toEqual([]);
});
