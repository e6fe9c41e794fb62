import fc from 'fast-check';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startReceiver, type RunningReceiver } from '../../../reference/receiver/receiver.ts';
import { exitCode } from '../../../reports/model/exitCode.ts';
import { formatsFor, renderDocument } from '../../../reports/formats/index.ts';
import { readRun } from '../../../runner/output/readRun.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import { program, room } from '../../programs.ts';

const main = program('seaworthy');
const secret = 'a secret of this test';
const killer = new URL('killedWhileWriting.ts', import.meta.url).href;
/** Bytes of the journal with which the program is killed: its first event has about 25,000, a whole run 200,000 or more. */
const moments = fc.sample(fc.integer({ min: 40_000, max: 130_000 }), {
  seed: 6,
  numRuns: process.env['SEAWORTHY_PROOF'] === 'standard' ? 20 : 4,
});
let folder: string;
let receiver: RunningReceiver;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seaworthy-killed-'));
  receiver = await startReceiver({ secrets: [secret] });
});

afterAll(async () => {
  await receiver.close();
  await rm(folder, { recursive: true });
});

/**
 * A run that ends with `kill -9` once so many bytes of its journal are written, and leaves the report of an earlier one as it
 * was.
 *
 * @returns the journal's path
 */
async function killedAfter(bytes: number, name: string): Promise<string> {
  const own = join(folder, name);
  await mkdir(own, { recursive: true });
  const [journal, report] = [join(own, 'run.ndjson'), join(own, 'report.json')];
  await writeFile(report, 'earlier');
  const reports = [`journal=${journal}`, `json=${report}`].flatMap((path) => ['--report', path]);
  const given = ['--probe', receiver.probe, '--secret', secret, '--intensity', 'quick', '--seed', '7', ...reports];
  const words = [
    ...room,
    '--import',
    killer,
    main,
    'receiver',
    receiver.url,
    '--only',
    'VRF-*',
    '--only',
    'IDM-*',
    ...given,
  ];
  const env = { ...process.env, KILLED_JOURNAL: journal, KILLED_AFTER: String(bytes) };
  const child = spawn(process.execPath, words, { cwd: own, env, stdio: 'ignore' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  expect(await readFile(report, 'utf8')).toBe('earlier');
  return journal;
}

/** What the journal itself says had begun and not ended. */
async function pendingIn(journal: string): Promise<readonly string[]> {
  const lines = (await readFile(journal, 'utf8')).split('\n').slice(0, -1);
  const events = lines.map((line) => JSON.parse(line) as { readonly type: string; readonly check: string });
  const ended = new Set(events.filter(({ type }) => type === 'check.finished').map(({ check }) => check));
  return events.filter(({ type, check }) => type === 'check.started' && !ended.has(check)).map(({ check }) => check);
}

/** In the words of each format. */
const incomplete: Readonly<Record<string, RegExp>> = {
  terminal: /run has no end/,
  json: /"complete": false/,
  html: /killed/i,
  junit: /run has no end/,
  markdown: /killed/i,
  sarif: /"executionSuccessful": false/,
  github: /killed/i,
  badge: /incomplete/,
};

async function requireHonest(summary: RunSummary, pending: readonly string[]): Promise<void> {
  expect(summary.pending).toEqual(pending);
  expect([summary.ended, summary.run.complete, exitCode(summary)]).toEqual([false, false, 3]);
  for (const format of formatsFor('run')) {
    const text = await renderDocument(format, { kind: 'run', summary });
    const found = (incomplete[format] ?? /killed/).test(text);
    expect([format, found]).toEqual([format, true]);
    if (format === 'badge') continue;
    const unnamed = pending.filter((check) => !text.replaceAll(/\s+/g, '').includes(check));
    expect([format, unnamed]).toEqual([format, []]);
  }
}

test('whenever a run is killed, every report of its journal says that it is incomplete and what was under way, and an earlier report stays', async () => {
  const waiting = [...moments.entries()];
  const journals: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, bytes] = next;
      journals.push(await killedAfter(bytes, `run-${index}`));
    }
  };
  await Promise.all([work(), work(), work()]);
  const pending = await Promise.all(journals.map(pendingIn));
  expect(pending.filter(({ length }) => length > 0).length).toBeGreaterThan(1);
  for (const [index, journal] of journals.entries()) await requireHonest(await readRun(journal), pending[index]!);
}, 300_000);
