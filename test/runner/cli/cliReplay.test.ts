import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freePort } from '../../../runner/catcher/freePort.ts';
import type { SavedCase } from '../../../runner/engine/savedCase.ts';
import type { Ended } from '../runCli.ts';
import { runHere } from '../runHere.ts';
import { program } from '../../programs.ts';

const reference = program('service');
const token = 'a-key-that-nobody-else-has';
const check = 'service/authentication/no-key';
const here = process.cwd();
let cwd: string;
let port: number;
let held: Ended;
let file: string;

function base(): string {
  return `http://127.0.0.1:${port}/v2`;
}

/** The command of the reference service. */
function command(...more: readonly string[]): string {
  const words = [process.execPath, reference, '--port', String(port), '--token', token, '--database', 'service.db'];
  return ['exec', ...words, '--backoff', '20ms', '--timeout', '250ms', ...more].join(' ');
}

function cli(...words: readonly string[]): Promise<Ended> {
  return runHere(words, cwd, { PATH: process.env['PATH'] ?? '', SEAWORTHY_TOKEN: token });
}

/** A file about another case, which differs from the one that was kept. */
async function changed(name: string, parts: Partial<SavedCase>): Promise<string> {
  const saved = JSON.parse(await readFile(join(cwd, file), 'utf8')) as SavedCase;
  await writeFile(join(cwd, name), JSON.stringify({ ...saved, ...parts }));
  return name;
}

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-cli-replay-'));
  // Failed cases are saved below the directory that the process is in.
  process.chdir(cwd);
  port = await freePort('127.0.0.1', new Set());
  const start = command('--fault', 'takes-calls-without-a-key');
  const target = [base(), '--emit', `http://127.0.0.1:${port}/emit`, '--start', start];
  held = await cli('service', ...target, '--only', check, '--intensity', 'quick', '--seed', '1');
  file = /\S+no-key\.json/.exec(held.stdout)?.[0] ?? '';
});

afterAll(() => {
  process.chdir(here);
  return rm(cwd, { recursive: true });
});

describe('a failed case of a service', () => {
  it('is kept without the key, and the report says how to replay it', async () => {
    expect(held.stdout).toContain(`replay ${file} --trust\n`);
    const text = await readFile(join(cwd, file), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ subject: 'service', check, seed: 1, intensity: 'quick' });
    expect(text).toContain('--token $SEAWORTHY_TOKEN --database');
    expect(text).not.toContain(token);
  });

  it('says when it is replayed whether it is fixed', async () => {
    const fails = await cli('replay', file, '--trust');
    expect(fails.stdout).toContain(`FAILS       ${file}\n`);
    expect(fails).toMatchObject({ code: 1, stderr: expect.stringContaining('    --start ') });
    const fixed = await cli('replay', file, '--url', base(), '--start', command());
    expect(fixed.stdout).toBe(`FIXED       ${file}\n            ${check}: the case holds, tried once\n\n`);
    expect(fixed).toMatchObject({ code: 0, stderr: '' });
  });

  it('that needs process control of the service is tried in the same way, timeline and all', async () => {
    const crash = await changed('crash.json', { check: 'service/crashes/pending', path: '0' });
    // Pauses so long that a kit on a busy machine kills it while attempts are still to come.
    const start = command('--fault', 'keeps-its-queue-in-memory', '--backoff', '200ms');
    const again = () => cli('replay', crash, '--url', base(), '--start', start, '--retry-window', '6s');
    let { code, stdout } = await again();
    // A kit that was late says that it does not know: on a busy machine that may be the first answer.
    for (let tries = 1; tries < 4 && stdout.includes('the kit itself was'); tries++) ({ code, stdout } = await again());
    expect(stdout).toContain(`FAILS       ${crash}\n`);
    expect(stdout).toContain('━━ KILLED ━');
    expect(code).toBe(1);
  });

  it('stands beside those of a receiver, as long as nobody says that both are at one place', async () => {
    const receiver = await changed('receiver.json', { subject: 'receiver', check: 'receiver/of/another-version' });
    const service = await changed('service.json', { check: 'service/of/another-version' });
    const both = await cli(
      'replay',
      receiver,
      service,
      '--trust',
      '--secret',
      'one',
      '--trackable',
      'MAEU:MAEU123456789',
    );
    expect(both.code).toBe(3);
    expect(both.stdout.match(/^CANNOT RUN {2}\S+\n.*there is no check/gm)).toHaveLength(2);
    const placed = await cli('replay', receiver, service, '--url', 'http://127.0.0.1:9/');
    expect(placed.code).toBe(2);
    expect(placed.stderr).toContain('SW_OPTION_CONFLICT');
  });
});
