import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, stat, watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { RunEvent } from '../../../reports/model/events.ts';
import { openJournal } from '../../../runner/output/journal.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seaworthy-journal-'));
});
afterEach(() => rm(folder, { recursive: true }));

function started(check: string): RunEvent {
  return { type: 'check.started', ms: 1, check };
}

async function eventsIn(path: string): Promise<readonly unknown[]> {
  const text = await readFile(path, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

test('holds one event a line, in order', async () => {
  const path = join(folder, 'run.ndjson');
  const journal = openJournal(path);
  const events = Array.from({ length: 500 }, (_, index) => started(`${index} \u2028\n✓`));
  events.forEach((event) => journal.write(event));
  journal.close();
  journal.close();
  expect(journal.path).toBe(path);
  expect(await eventsIn(path)).toEqual(events);
});

test('hands events on without waiting for the end', async () => {
  const path = join(folder, 'run.ndjson');
  const journal = openJournal(path);
  const changes = watch(path);
  journal.write(started('a'));
  for await (const _ of changes) break;
  expect(await eventsIn(path)).toEqual([started('a')]);
  journal.close();
});

test('hands a large batch on at once', async () => {
  const path = join(folder, 'run.ndjson');
  const journal = openJournal(path);
  journal.write(started('x'.repeat(70_000)));
  expect((await stat(path)).size).toBeGreaterThan(70_000);
  journal.close();
});

test('replaces the journal of an earlier run, and only adds to its own', async () => {
  const path = join(folder, 'run.ndjson');
  const first = openJournal(path);
  first.write(started('old'));
  first.close();
  const second = openJournal(path);
  await appendFile(path, `${JSON.stringify(started('between'))}\n`);
  second.write(started('new'));
  second.close();
  expect(await eventsIn(path)).toEqual([started('between'), started('new')]);
});

test('makes folders, and hides a .seaworthy folder from git', async () => {
  openJournal(join(folder, 'a/.seaworthy/runs/1/run.ndjson')).close();
  expect(await readFile(join(folder, 'a/.seaworthy/.gitignore'), 'utf8')).toBe('*\n');
  await expect(readFile(join(folder, 'a/.gitignore'), 'utf8')).rejects.toThrow('ENOENT');
  openJournal(join(folder, 'plain/run.ndjson')).close();
  await expect(readFile(join(folder, 'plain/.gitignore'), 'utf8')).rejects.toThrow('ENOENT');
});

test('says at once where the file cannot be written', () => {
  expect(() => openJournal(folder)).toThrow('EISDIR');
});

test('throws what writing failed with, and closes without throwing it again', () => {
  const journal = openJournal('/dev/full');
  expect(() => journal.write(started('x'.repeat(70_000)))).toThrow('ENOSPC');
  expect(() => journal.write(started('a'))).toThrow('ENOSPC');
  expect(() => journal.close()).not.toThrow();
});

test('closing throws what the last writing failed with', () => {
  const journal = openJournal('/dev/full');
  journal.write(started('a'));
  expect(() => journal.close()).toThrow('ENOSPC');
});

test('keeps what was written before the process was killed', async () => {
  const path = join(folder, 'run.ndjson');
  const program = `
    import { openJournal } from ${JSON.stringify(new URL('../../../runner/output/journal.ts', import.meta.url).href)};
    const journal = openJournal(${JSON.stringify(path)});
    let number = 0;
    setInterval(() => {
      for (let index = 0; index < 100; index++) journal.write({ type: 'check.started', ms: 1, check: String(number++) });
    }, 1);`;
  const changes = watch(folder);
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
  for await (const _ of changes) {
    if ((await readFile(path, 'utf8')).split('\n').length > 1000) break;
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
  expect(lines.length).toBeGreaterThanOrEqual(1000);
  expect(lines.map((line) => Number((JSON.parse(line) as { check: string }).check))).toEqual(lines.map((_, at) => at));
});
