import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

import type { Log } from 'sarif';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { receiverFaults } from '../../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import { startReceiver, type RunningReceiver } from '../../../reference/receiver/receiver.ts';
import type { JsonReport } from '../../../reports/formats/json/jsonReport.ts';
import { runReceiver } from '../../../runner/receiver/runReceiver.ts';
import { openJournal } from '../../../runner/output/journal.ts';
import { readRun } from '../../../runner/output/readRun.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../../runner/receiver/receiverPlan.ts';
import { runCli, type Ended } from '../runCli.ts';
import { runHere } from '../runHere.ts';

const secret = 'a secret of this test';
/** What a receiver that verifies nothing fails, and one that passes all the same. */
const verifying = ['forged', 'changed-after-signing', 'header-case'].map((name) => `receiver/signature/${name}`);
const accepting = ['receiver/idempotency/redelivery-accepted', 'receiver/retries/every-retry'];
const expected = '- { id: VRF-2, reason: the gateway verifies }\n- { id: VRF-3, reason: the same }\n';
const here = process.cwd();
let cwd: string;
let good: RunningReceiver;
let bad: RunningReceiver;
let whole: Ended;

/** All runs that the tests below look at: the same seed, and few checks. */
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-report-'));
  // Failed cases are saved below the directory that the process is in.
  process.chdir(cwd);
  good = await startReceiver({ secrets: [secret] });
  const policies = receiverFaults['verifies-nothing']!.change(conformingPolicies);
  bad = await startReceiver({ secrets: [secret], policies });
  await writeFile(join(cwd, 'expected.yaml'), expected);
  await Promise.all([
    keep(good, 'good', { only: [...verifying, ...accepting] }),
    keep(bad, 'one', { only: verifying }),
    keep(bad, 'two', { only: accepting, skip: ['VRF-*'] }),
    keep(bad, 'excused', { only: [...verifying, ...accepting], expectFailures: join(cwd, 'expected.yaml') }),
    keep(bad, 'patient', { only: verifying, bail: true, expectFailures: join(cwd, 'expected.yaml') }),
    hold(bad, 'bad', [...onlyOf([...verifying, ...accepting]), '--report', 'json=bad.json']).then(
      (ended) => (whole = ended),
    ),
  ]);
});

afterAll(async () => {
  await Promise.all([good, bad].map((receiver) => receiver.close()));
  process.chdir(here);
  await rm(cwd, { recursive: true });
});

function onlyOf(ids: readonly string[]): readonly string[] {
  return ids.flatMap((id) => ['--only', id]);
}

/** A run with what it writes. */
function hold({ url, probe }: RunningReceiver, name: string, words: readonly string[]): Promise<Ended> {
  const reports = ['--report', `journal=${name}.ndjson`, '--report', `terminal=${name}.txt`];
  const given = ['--probe', probe, '--intensity', 'quick', '--seed', '7', ...reports, ...words];
  return runHere(['receiver', url, ...given], cwd, { SEAWORTHY_SECRET: secret });
}

/** The same within this process, of which only the journal is kept. */
async function keep({ url, probe }: RunningReceiver, name: string, options: ReceiverPlanOptions): Promise<void> {
  const plan = await receiverPlan(url, {
    probe,
    secret: [secret],
    intensity: 'quick',
    seed: 7,
    shrinkTime: 0,
    ...options,
  });
  const journal = openJournal(join(cwd, `${name}.ndjson`));
  for await (const event of runReceiver(plan)) journal.write(event);
  journal.close();
}

/** What `seaworthy report` does, within this process. */
function report(...words: readonly string[]): Promise<Ended> {
  return runHere(['report', ...words], cwd);
}

/** The file that the first finding of a report points to, the same in all formats that do. */
async function pointedTo(
  folder: string,
  journal: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [pointed, log] = [join(cwd, 'pointed.txt'), join(cwd, 'pointed.log')];
  const formats = ['--report', 'sarif', '--report', `github=${pointed}`, '--report', `terminal=${log}`];
  const { code, stdout, stderr } = await runHere(['report', journal, ...formats], folder, environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [result] = (JSON.parse(stdout) as Log).runs[0]?.results ?? [];
  const uri = result?.locations?.[0]?.physicalLocation?.artifactLocation?.uri ?? '';
  const [, file = ''] = /file=([^,:]+\.json)/.exec(await readFile(pointed, 'utf8')) ?? [];
  expect(uri.replace('file://', '')).toBe(file);
  const [, replayed = ''] = / replay (\S+)/.exec(await readFile(log, 'utf8')) ?? [];
  expect(existsSync(resolve(folder, replayed))).toBe(true);
  return uri;
}

async function json(path: string): Promise<JsonReport> {
  return JSON.parse(await readFile(join(cwd, path), 'utf8')) as JsonReport;
}

describe('a journal', () => {
  it('gives the very report that its run gave, and no exit code of its own', async () => {
    expect(whole.code).toBe(1);
    const words = ['report', 'bad.ndjson', '--report', 'json=again.json'];
    expect(await runCli(words, { cwd })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await json('again.json')).toEqual(await json('bad.json'));
  });

  it('leads to the saved cases from any folder', async () => {
    await mkdir(join(cwd, 'other'));
    const found = await pointedTo(cwd, 'bad.ndjson');
    expect(found).toMatch(/^\.seaworthy\/runs\/[^/]+\/receiver-[\w-]+\.json$/);
    expect(await pointedTo(dirname(cwd), join(basename(cwd), 'bad.ndjson'))).toBe(`${basename(cwd)}/${found}`);
    const workspace = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: cwd };
    expect(await pointedTo(join(cwd, 'other'), '../bad.ndjson', workspace)).toBe(found);
    expect(await pointedTo(join(cwd, 'other'), '../bad.ndjson')).toBe(`file://${cwd}/${found}`);
    const [, , run = ''] = found.split('/');
    await cp(join(cwd, '.seaworthy', 'runs', run), join(cwd, 'other', 'kept', run), { recursive: true });
    await cp(join(cwd, 'bad.ndjson'), join(cwd, 'other', 'kept', 'bad.ndjson'));
    await rename(join(cwd, '.seaworthy'), join(cwd, 'away'));
    expect(await pointedTo(join(cwd, 'other'), 'kept/bad.ndjson')).toBe(`kept/${run}/${basename(found)}`);
    await rename(join(cwd, 'away'), join(cwd, '.seaworthy'));
  });

  it('is shown in the terminal where no format is named, with when the run was', async () => {
    const { code, stdout } = await report('good.ndjson');
    expect(code).toBe(0);
    expect(stdout).toContain(`receiver ${good.url}`);
    expect(stdout).toMatch(/^started at \d{4}-\d\d-\d\dT/m);
    expect(stdout).toMatch(/^Journal +good\.ndjson$/m);
  });

  it('is read also where its last line was cut off, and then has no end', async () => {
    const text = await readFile(join(cwd, 'good.ndjson'), 'utf8');
    await writeFile(join(cwd, 'cut.ndjson'), text.slice(0, -20));
    const { code, stdout } = await report('cut.ndjson');
    expect(code).toBe(0);
    expect(stdout).toContain('The run has no end');
  });

  it('is never replaced by its report, under whatever name', async () => {
    const text = await readFile(join(cwd, 'good.ndjson'), 'utf8');
    await symlink('good.ndjson', join(cwd, 'link.ndjson'));
    for (const [journal, path] of [
      ['link.ndjson', 'good.ndjson'],
      ['good.ndjson', 'link.ndjson'],
    ] as const) {
      const { code, stderr } = await report(journal, '--report', `html=${path}`);
      expect(code).toBe(2);
      expect(stderr).toContain('would replace the journal');
    }
    expect(await readFile(join(cwd, 'good.ndjson'), 'utf8')).toBe(text);
  });

  it('has no two reports in one file', async () => {
    const { code, stderr } = await report('good.ndjson', '--report', 'html=out/a', '--report', 'json=out/./a');
    expect(code).toBe(2);
    expect(stderr).toContain('--report json=out/./a would replace another report');
  });

  it.skipIf(!existsSync('/dev/full'))('is no bug of the kit where a report cannot be written', async () => {
    const { code, stderr } = await report('good.ndjson', '--report', 'html=/dev/full');
    expect(code).toBe(2);
    expect(stderr).toContain('--report html=/dev/full cannot be written: ENOSPC');
  });

  it('may hold texts with any line separator', async () => {
    const text = await readFile(join(cwd, 'good.ndjson'), 'utf8');
    await writeFile(join(cwd, 'separators.ndjson'), text.replaceAll('Tracking', 'Track\u2028\u2029\u0085ing'));
    expect(await report('separators.ndjson', '--report', 'json=separators.json')).toMatchObject({ code: 0 });
    expect((await json('separators.json')).contract.title).toContain('Track\u2028\u2029\u0085ing');
  });
});

describe('the parts of one run', () => {
  it('are merged: all checks, all requirements, one verdict', async () => {
    const { code } = await report('one.ndjson', 'two.ndjson', '--report', 'json=merged.json');
    const [merged, reference] = [await json('merged.json'), await json('bad.json')];
    expect(code).toBe(0);
    const outcomes = ({ checks }: JsonReport) => new Map(checks.map(({ id, outcome }) => [id, outcome]));
    expect(outcomes(merged)).toEqual(outcomes(reference));
    const standing = ({ requirements }: JsonReport) => requirements.map(({ id, outcome }) => [id, outcome]);
    expect(standing(merged)).toEqual(standing(reference));
    expect(merged.verdict).toBe('does-not-conform');
  });

  it('are refused where their plans differ, with what differs and what to do', async () => {
    const text = await readFile(join(cwd, 'two.ndjson'), 'utf8');
    await writeFile(join(cwd, 'other.ndjson'), text.replace('"seed":7', '"seed":8'));
    const { code, stderr } = await report('one.ndjson', 'other.ndjson');
    expect(code).toBe(2);
    expect(stderr).toContain('one.ndjson and other.ndjson are about the same target');
    expect(stderr).toContain('the seed differs: 7, and 8');
    expect(stderr).toContain('SW_JOURNALS_DIFFER');
  });

  it('are refused where both are the same run', async () => {
    const { code, stderr } = await report('good.ndjson', 'good.ndjson');
    expect(code).toBe(2);
    expect(stderr).toContain('both are the same run');
    expect(stderr).toContain('  do:    name each run once\n');
  });

  it('are refused where they contradict each other about a check', async () => {
    const text = await readFile(join(cwd, 'good.ndjson'), 'utf8');
    await writeFile(join(cwd, 'changed.ndjson'), text.replaceAll(good.url, bad.url));
    const { code, stderr } = await report('bad.ndjson', 'changed.ndjson');
    expect(code).toBe(2);
    expect(stderr).toContain('failed in one and passed in the other');
  });
});

describe('a comparison', () => {
  it.each([
    { words: ['good.ndjson', 'bad.ndjson'], code: 1 },
    { words: ['bad.ndjson', 'good.ndjson'], code: 0 },
    { words: ['good.ndjson', 'excused.ndjson'], code: 0 },
  ])('of $words exits with $code', async ({ words, code }) => {
    expect(await report('--compare', ...words, '--report', 'terminal=compared.txt')).toMatchObject({ code });
  });

  it('takes two journals', async () => {
    const { code, stderr } = await report('--compare', 'good.ndjson');
    expect(code).toBe(2);
    expect(stderr).toContain('--compare was given one journal');
  });
});

describe('several targets', () => {
  it('stand side by side', async () => {
    expect((await report('good.ndjson', 'bad.ndjson', '--report', 'terminal=matrix.txt')).code).toBe(0);
    const text = await readFile(join(cwd, 'matrix.txt'), 'utf8');
    for (const { url } of [good, bad]) expect(text).toContain(new URL(url).host);
  });

  it('stand side by side at one address, too, where that is said', async () => {
    const words = ['good.ndjson', 'good.ndjson', '--side-by-side', '--report', 'terminal=same.txt'];
    expect((await report(...words)).code).toBe(0);
  });
});

describe('what cannot be reported', () => {
  it.each([
    { words: [], says: 'report was given no journal', code: 'SW_ARGUMENT_MISSING' },
    {
      words: ['none.ndjson'],
      says: 'none.ndjson cannot be read: there is no such file\n',
      code: 'SW_JOURNAL_UNREADABLE',
    },
    { words: ['.'], says: 'it is a directory', code: 'SW_JOURNAL_UNREADABLE' },
    { words: ['expected.yaml'], says: 'Line 1 of the journal holds no JSON object', code: 'SW_JOURNAL_UNREADABLE' },
    { words: ['good.ndjson', '--report', 'journal=x'], says: 'terminal, json', code: 'SW_REPORT_DOCUMENT' },
    { words: ['good.ndjson', '--report', 'json=./good.ndjson'], says: 'would replace', code: 'SW_REPORT_WRITE' },
    { words: ['good.ndjson', '--report', 'jsn'], says: 'did you mean "json"?', code: 'SW_REPORT_FORMAT' },
    { words: ['good.ndjson', '--side-by-side'], says: 'was given one journal', code: 'SW_OPTION_CONFLICT' },
    {
      words: ['good.ndjson', 'bad.ndjson', '--side-by-side', '--compare'],
      says: '--side-by-side was given together with --compare',
      code: 'SW_OPTION_CONFLICT',
    },
  ])('$words: $code', async ({ words, says, code }) => {
    const ended = await report(...words);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(says);
    expect(ended.stderr).toContain(code);
  });
});

it('names no format that cannot be made of a journal', async () => {
  const { stderr } = await report('good.ndjson', '--report', 'pdf=x');
  expect(stderr).toContain('valid: terminal, json');
  expect(stderr).not.toContain('journal,');
  expect(stderr).not.toMatch(/, journal$/m);
});

describe('--expect-failures', () => {
  it('lets a run pass whose failures are known, and leaves its verdict', async () => {
    const ended = await hold(bad, 'known', [...onlyOf(verifying), '--expect-failures', 'expected.yaml']);
    expect(ended).toMatchObject({ code: 0 });
    const text = await readFile(join(cwd, 'known.txt'), 'utf8');
    expect(text).toContain('It fails as expected: the gateway verifies');
    const words = text.replaceAll(/\s+/g, ' ');
    expect(words).toMatch(/Does not conform: .* broken: VRF-2, VRF-3 \(as expected\) \(exit code 0\)/);
  });

  it('fails a run where an entry does not hold', async () => {
    const ended = await hold(good, 'fixed', [
      '--only',
      'receiver/signature/forged',
      '--only',
      'receiver/signature/changed-after-signing',
      '--expect-failures',
      'expected.yaml',
    ]);
    expect(ended.code).toBe(1);
    const text = await readFile(join(cwd, 'fixed.txt'), 'utf8');
    expect(text).toContain('It holds now: remove the entry.');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('2 expectations do not hold (exit code 1)');
  });

  it('says of an entry that --only left out that it did', async () => {
    const ended = await hold(good, 'left-out', [...onlyOf(accepting), '--expect-failures', 'expected.yaml']);
    expect(ended.code).toBe(1);
    const text = await readFile(join(cwd, 'left-out.txt'), 'utf8');
    expect(text).toContain('--only or --skip left it out of this run');
    expect(text).not.toContain('correct the id');
  });

  it('is not what --bail waits for', async () => {
    const { run, summary, ended } = await readRun(join(cwd, 'patient.ndjson'));
    expect(summary.failed).toBeGreaterThan(1);
    expect([ended, run.complete]).toEqual([true, true]);
  });

  it('is refused before anything is sent where the file is wrong', async () => {
    const refused = receiverPlan(good.url, { expectFailures: join(cwd, 'none.yaml') });
    await expect(refused).rejects.toMatchObject({ code: 'SW_FILE_UNREADABLE', exitCode: 2 });
  });
});
