import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readJournal } from '../../../reports/model/journal.ts';
import type { JsonReport } from '../../../reports/formats/json/jsonReport.ts';
import { freePort } from '../../../runner/catcher/freePort.ts';
import { once, runCli, type CliOptions, type Ended } from '../runCli.ts';
import { runHere } from '../runHere.ts';
import { program } from '../../programs.ts';

const reference = program('receiver');
const secret = 'a-secret-that-nobody-else-has';
const environment = { SEAWORTHY_SECRET: secret };
const here = process.cwd();
let cwd: string;
let port: number;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-cli-process-'));
  // Failed cases are saved below the directory that the process is in, and targets are started there.
  process.chdir(cwd);
  port = await freePort('127.0.0.1', new Set());
});

afterEach(async () => {
  process.chdir(here);
  await rm(cwd, { recursive: true });
});

/** A quick run against a receiver that the kit starts itself. */
function hold(words: readonly string[], { start, ...options }: Held = {}): Promise<Ended> {
  return runCli(holding(words, start), { cwd, environment, ...options });
}

/** The same in this process, for what does not depend on how the kit itself ends. */
function holdHere(words: readonly string[], start: string): Promise<Ended> {
  return runHere(holding(words, start), cwd, environment);
}

function holding(words: readonly string[], start = command()): readonly string[] {
  const given = ['--start', start, '--probe', `${address()}/effects/{id}`, '--intensity', 'quick', ...words];
  return ['receiver', `${address()}/hooks`, ...given];
}

interface Held extends Partial<CliOptions> {
  readonly start?: string;
}

/** The command of the reference receiver, which a shell has to start, and which is not the shell itself. */
function command(...more: readonly string[]): string {
  const words = [process.execPath, reference, '--port', String(port), '--secret', secret, '--database', 'effects.db'];
  return `${[...words, ...more].join(' ')}; echo the end`;
}

function address(): string {
  return `http://127.0.0.1:${port}`;
}

async function expectNothingLeft(): Promise<void> {
  await expect(fetch(address())).rejects.toThrow('fetch failed');
}

async function lastEvents() {
  const names = await readdir(join(cwd, '.seaworthy', 'runs'));
  const journal = names.find((name) => name.endsWith('.ndjson')) ?? '';
  return readJournal(await readFile(join(cwd, '.seaworthy', 'runs', journal), 'utf8')).slice(-2);
}

describe('a receiver that the kit starts leaves nothing behind', () => {
  it('where the run comes to its end', async () => {
    const { code, stdout } = await hold(['--only', 'receiver/crash/acknowledged']);
    expect({ code, passed: stdout.includes('✓ receiver/crash/acknowledged') }).toEqual({ code: 0, passed: true });
    await expectNothingLeft();
    expect(await lastEvents()).toMatchObject([{ type: 'target.said' }, { type: 'run.finished', complete: true }]);
  });

  it.each([
    ['the process', false],
    ['the process group', true],
  ])('after Ctrl-C that reaches %s, and its journal is complete', async (_, detached) => {
    const { code } = await hold(['--only', 'receiver/crash/*'], {
      detached,
      onOutput: once('a plain delivery', ({ pid = 0 }: ChildProcess) => process.kill(detached ? -pid : pid, 'SIGINT')),
    });
    expect(code).toBe(130);
    await expectNothingLeft();
    expect(await lastEvents()).toMatchObject([{ type: 'target.said' }, { type: 'run.finished', interrupted: true }]);
  });

  it('where it stops at the first failure', async () => {
    const only = ['--only', 'receiver/signature/forged', '--only', 'receiver/signature/refusal'];
    const { code } = await hold([...only, '--bail'], { start: command('--fault', 'verifies-nothing') });
    expect(code).toBe(1);
    await expectNothingLeft();
    expect(await lastEvents()).toMatchObject([{ type: 'target.said' }, { type: 'run.finished', complete: false }]);
  });

  it('where it does not start: what it said is in the report, without the secret', async () => {
    const start = `echo no database for ${secret}; exit 4`;
    const { code, stdout } = await holdHere(['--report', 'terminal', '--report', 'json=a.json'], start);
    expect(code).toBe(3);
    expect(stdout).toContain('SW_START_FAILED');
    expect(stdout).toContain('no database for $SEAWORTHY_SECRET');
    // Nothing was tried: the reason is all that there is to say.
    expect(stdout).not.toContain('Not observed');
    const report = JSON.parse(await readFile(join(cwd, 'a.json'), 'utf8')) as JsonReport;
    expect(report.life?.tail).toEqual(['no database for $SEAWORTHY_SECRET']);
    expect(await lastEvents()).toMatchObject([{ type: 'target.said' }, { type: 'run.finished', complete: false }]);
  });

  it('where it takes no connections until the time is over, which is then said', async () => {
    const { code, stdout } = await hold(['--time', '4s', '--report', 'terminal'], {
      start: 'echo still loading; exec sleep 30',
    });
    expect(code).toBe(3);
    expect(stdout).toMatch(/took\s+no\s+connections\s+within\s+[1-3]\.\d\s+s;\s+it\s+said\s+last:\s+still\s+loading/);
    expect(await lastEvents()).toMatchObject([{ type: 'target.said' }, { type: 'run.finished', complete: false }]);
  });
});

describe('a failed case is kept', () => {
  it('and says when it is replayed whether it is fixed', async () => {
    const faulty = command('--fault', 'verifies-nothing');
    const only = 'receiver/signature/changed-after-signing';
    const { stdout } = await holdHere(['--only', only], faulty);
    const [file = ''] = /\S+changed-after-signing\.json/.exec(stdout) ?? [];
    expect(await readFile(join(cwd, file), 'utf8')).not.toContain(secret);
    const fails = await replay(file, '--trust');
    expect(fails.stdout).toContain(`FAILS       ${file}\n`);
    expect(fails).toMatchObject({ code: 1, stderr: expect.stringContaining('    --start ') });
    const fixed = await replay(file, '--trust', '--start', command());
    expect(fixed).toEqual({
      code: 0,
      stderr: expect.not.stringContaining('--start'),
      stdout: `FIXED       ${file}\n            ${only}: the case holds, tried once\n\n`,
    });
    const dead = await replay(file, '--trust', '--start', 'exit 1');
    expect(dead.code).toBe(3);
    expect(dead.stdout).toContain('CANNOT RUN');
    await expectNothingLeft();
  });

  it('and what is no such file is refused', async () => {
    const { code, stderr } = await replay(reference);
    expect(code).toBe(2);
    expect(stderr).toContain('SW_CASE_INVALID');
  });
});

function replay(...words: readonly string[]): Promise<Ended> {
  return runHere(['replay', ...words], cwd, environment);
}
