import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { RunEvent, RunStarted } from '../../../reports/model/events.ts';
import { journalLine } from '../../../reports/model/journal.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { browserFor, openPage } from '../../../runner/cli/show-report/run.ts';
import { withLastFailed } from '../../../runner/cli/amendedCall.ts';
import { runsFolder } from '../../../runner/output/keptRuns.ts';
import { loadContract } from '../../../spec/contract.ts';
import { failingRun } from '../../reports/madeUpRun.ts';
import { explainedIn, readHtml } from '../../reports/readers/html.ts';
import { factsOf } from '../../reports/readers/facts.ts';
import { runHere } from '../runHere.ts';

const id = '2026-11-21T10-00-00-0a1b2c';
const failed = summarise(failingRun())
  .checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')
  .map((check) => check.id);
let cwd: string;
let empty: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-show-'));
  empty = join(cwd, 'empty');
  await mkdir(join(cwd, runsFolder), { recursive: true });
  await mkdir(empty);
  await writeFile(join(cwd, runsFolder, `${id}.ndjson`), failingRun().map(journalLine).join(''));
});

afterAll(() => rm(cwd, { recursive: true }));

describe('seaworthy show-report', () => {
  test('writes the newest run as a page and prints its path', async () => {
    const { code, stdout } = await runHere(['show-report'], cwd);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Run .*: Does not conform: [^]*\n\.seaworthy[\\/]report\.html\n$/);
    const page = await readFile(join(cwd, '.seaworthy', 'report.html'), 'utf8');
    expect(readHtml(page)).toEqual(factsOf(summarise(failingRun())));
  });

  test('explains in the page what is broken in it, as explain does; nothing of a contract that is not there', async () => {
    const [first, ...rest] = failingRun() as [RunStarted, ...RunEvent[]];
    const { name, digest } = loadContract();
    const journal = (contract: Partial<RunStarted['contract']>): string =>
      [{ ...first, contract: { ...first.contract, ...contract } }, ...rest].map(journalLine).join('');
    await writeFile(join(cwd, 'known.ndjson'), journal({ name, digest }));
    await writeFile(join(cwd, 'changed.ndjson'), journal({ name, digest: 'of another version' }));
    await writeFile(join(cwd, 'gone.ndjson'), journal({ name: 'gone/contract.yaml', digest }));
    const explained = async (file: string) => {
      await runHere(['show-report', file, '--output', 'explained.html'], cwd);
      return explainedIn(await readFile(join(cwd, 'explained.html'), 'utf8'));
    };
    const known = await explained('known.ndjson');
    expect(Object.keys(known).toSorted()).toEqual(['IDM-2', 'RCV-5', 'VRF-3']);
    const { stdout } = await runHere(['explain', 'VRF-3'], cwd);
    const words = (text: string): string => text.replaceAll(/[\s-]+/g, ' ').trim();
    const { title, parts } = known['VRF-3']!;
    expect(words([title, ...parts.flat(2)].join(' '))).toBe(words(stdout));
    expect([await explained('changed.ndjson'), await explained('gone.ndjson')]).toEqual([{}, {}]);
  });

  test('writes another run to another file', async () => {
    const { code } = await runHere(['show-report', join(runsFolder, `${id}.ndjson`), '--output', 'page.html'], cwd);
    expect(code).toBe(0);
    expect(await readFile(join(cwd, 'page.html'), 'utf8')).toMatch(/^<!doctype html>/);
  });

  test('says what to do where there is no run, and never replaces a journal', async () => {
    expect(await runHere(['show-report'], empty)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SW_ARGUMENT_MISSING'),
    });
    const journal = join(runsFolder, `${id}.ndjson`);
    expect(await runHere(['show-report', '--output', journal], cwd)).toMatchObject({ code: 2 });
    expect(await readFile(join(cwd, journal), 'utf8')).toContain('run.started');
  });
});

test.each([
  ['a display', 'linux', { DISPLAY: ':0' }, ['xdg-open']],
  ['no display', 'linux', {}, undefined],
  ['a Mac', 'darwin', {}, ['open']],
  ['Windows', 'win32', {}, ['cmd', '/c', 'start', '""']],
  ['CI', 'darwin', { CI: 'true' }, undefined],
  ['a program of its own', 'linux', { BROWSER: 'lynx' }, ['lynx']],
  ['none wanted', 'darwin', { BROWSER: 'none' }, undefined],
] as const)('a page is opened as it can be: %s', (_, platform, environment, expected) => {
  expect(browserFor(platform, environment)).toEqual(expected);
});

test('a browser that cannot be started is no error', async () => {
  expect(await openPage([join('no', 'such', 'program')], 'file:///')).toBe(false);
  expect(await openPage([process.execPath, '--version'], '')).toBe(true);
});

describe('--last-failed', () => {
  const sources = { commandLine: { lastFailed: ['true'] }, environment: {}, config: [], directory: '' };
  const wanted = { kind: 'receiver', search: false } as const;

  test('stands for the checks that failed in the newest run', async () => {
    const found = await withLastFailed(sources, { lastFailed: true, only: [] }, { ...wanted, workingDirectory: cwd });
    expect(found.commandLine).toEqual({ only: failed });
    expect(failed.length).toBeGreaterThan(0);
  });

  test('passes over a newer run that reached nothing', async () => {
    const [first, ...rest] = failingRun();
    const lost = rest.filter(({ type }) => type === 'run.finished');
    await writeFile(
      join(cwd, runsFolder, '2026-11-22T10-00-00-0a1b2c.ndjson'),
      [first!, ...lost].map(journalLine).join(''),
    );
    const found = await withLastFailed(sources, { lastFailed: true, only: [] }, { ...wanted, workingDirectory: cwd });
    expect(found.commandLine).toEqual({ only: failed });
  });

  test('leaves of --only what failed', async () => {
    const only = [failed[0]!];
    const found = await withLastFailed(sources, { lastFailed: true, only }, { ...wanted, workingDirectory: cwd });
    expect(found.commandLine).toEqual({ only });
  });

  test.each([
    ['nothing that was chosen failed', wanted, ['no/such/check']],
    ['there is no run of this kind', { kind: 'service', search: false } as const, []],
    ['there is no search', { kind: 'receiver', search: true } as const, []],
  ])('is refused where %s', async (_, kind, only) => {
    const call = withLastFailed(sources, { lastFailed: true, only }, { ...kind, workingDirectory: cwd });
    await expect(call).rejects.toMatchObject({ code: 'SW_NOTHING_SELECTED' });
  });

  test('changes nothing where it is not given', async () => {
    const settings = { lastFailed: false, only: [] };
    expect(await withLastFailed(sources, settings, { ...wanted, workingDirectory: empty })).toBe(sources);
  });
});
