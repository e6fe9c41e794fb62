import { execFile, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, it } from 'vitest';

import { program } from '../../programs.ts';
import { post } from '../catchers.ts';
import { type Ended, runCli } from '../runCli.ts';
import { runHere } from '../runHere.ts';

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-listen-'));
  return () => rm(cwd, { recursive: true });
});

const run = promisify(execFile);

/** Listens until `act` is done and the output holds the text. */
async function listen(
  words: readonly string[],
  act: (shown: {
    readonly address: string;
    readonly sample: readonly string[];
    readonly page: string;
  }) => Promise<unknown>,
  awaited: string,
): Promise<Ended> {
  let acted: Promise<unknown> | undefined;
  let done = false;
  let asked = false;
  let latest = '';
  const end = (child: ChildProcess): void => {
    if (!done || asked || !latest.includes(awaited)) return;
    asked = true;
    child.kill('SIGINT');
  };
  const ended = await runCli(['listen', '--port', '0', ...words], {
    cwd,
    onOutput: (stdout, child) => {
      latest = stdout;
      if (acted === undefined && stdout.includes('Ctrl-C ends it.')) {
        const [, address = ''] = /address +(\S+)/.exec(stdout) ?? [];
        const [, sample = ''] = /(trigger .*)/.exec(stdout) ?? [];
        const [, page = ''] = /page +(\S+)/.exec(stdout) ?? [];
        acted = act({ address, sample: sample.split(' '), page }).finally(() => (done = true));
        acted.then(
          () => end(child),
          () => child.kill('SIGKILL'),
        );
      }
      end(child);
    },
  });
  await acted;
  return ended;
}

describe('seaworthy listen', () => {
  it('shows the secret first, and finds nothing wrong with the sample that it asks for', async () => {
    let sent: Ended | undefined;
    const send = async ({ sample }: { readonly sample: readonly string[] }) => {
      sent = await runCli(sample, { cwd });
    };
    const { code, stdout } = await listen(['--contract', 'standard-webhooks'], send, 'answered');
    expect(sent?.code).toBe(0);
    expect(stdout).toMatch(
      /^Listening for deliveries of Standard Webhooks .*\n\n {2}secret {3}whsec_\S+ {2}\(made for/,
    );
    expect(stdout).toMatch(/page {5}http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//);
    expect(stdout).toMatch(/#1 {2}user\.created {2}msg_\w+ {2}\d+ bytes {2}right\n.*#1 {2}answered: 200 after/);
    expect(stdout).toContain('1 delivery of 1 notification, none breaks the contract.');
    expect(code).toBe(0);
  });

  it('shows a secret that was given on its page alone, with a command that works there', async () => {
    let html = '';
    const read = async ({ page }: { readonly page: string }) => {
      html = await (await fetch(page)).text();
    };
    const { stdout } = await listen(['--secret', 'known-to-both-sides'], read, 'page');
    expect(html).toMatch(/trigger http:[^"]*--secret known-to-both-sides/);
    expect(stdout).toContain('--secret "${SEAWORTHY_SECRET:?set it to the value of --secret}"');
    expect(stdout).not.toContain('known-to-both-sides');
  });

  it('says what is wrong, hides nothing of a terminal in it, records it, and ends with 1', async () => {
    const path = join(cwd, 'caught.ndjson');
    const words = ['--secret', 'known-to-both-sides', '--record', path, '--no-page'];
    const evil = JSON.stringify({ data: { attributes: { event: '\u001b[2Jcleared' } } });
    const act = ({ address }: { readonly address: string }) => post(`${address}x`, evil);
    const { code, stdout } = await listen(words, act, 'answered');
    expect(stdout).toMatch(
      /<U\+001B>\[2Jcleared {2}\d+ bytes {2}delivery: there is no Content-Type \(and 2 more findings\)/,
    );
    expect(stdout).not.toContain('page ');
    expect(stdout).not.toContain('\u001b');
    expect(code).toBe(1);
    expect(await readFile(path, 'utf8')).not.toContain('known-to-both-sides');
    const report = await runHere(['report', path], cwd);
    expect(report.stdout).toMatch(/^seaworthy [\d.]+: deliveries to http:\/\/127\.0\.0\.1:\d+\/$/m);
    expect(report.stdout).toMatch(/SIG-1: delivery 1: none came: there is no header X-SVC-Webhook-Signature/);
    expect(report.stdout).toMatch(/^\S.* listen --contract tracking --only caught\/signature\/right$/m);
    expect(report.stdout).toMatch(/more +(?!.* listen ).* explain SIG-1 --contract tracking$/m);
  });

  it('lists its checks, and takes a selection of them', async () => {
    const { code, stdout } = await runHere(
      ['listen', '--list', '--only', 'caught/signature/*', '--contract', 'stripe'],
      cwd,
    );
    expect(stdout.match(/^caught\/\S+$/gm)).toEqual(['caught/signature/right', 'caught/signature/timestamp']);
    expect(code).toBe(0);
    expect(await runHere(['listen', '--skip', 'IDM-9'], cwd)).toMatchObject({ code: 2 });
  });

  it.each([
    [['--port', '70000'], 'SW_OPTION_VALUE'],
    [['--forward', 'https://192.0.2.1/'], 'SW_TARGET_REMOTE'],
    [['--record', '.', '--port', '0'], 'SW_REPORT_WRITE'],
  ])('refuses %j', async (words, error) => {
    const { code, stderr } = await runHere(['listen', ...words], cwd);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(error) });
  });
});

describe('at a terminal', () => {
  /** What came of typing at it: once a text is shown, keys are pressed. */
  async function typed(steps: readonly (readonly [awaited: string, keys: string])[]) {
    const words = [process.execPath, program('seaworthy'), 'listen', '--port', '0', '--no-page'];
    const script = new URL('pseudoTerminal.py', import.meta.url).pathname;
    const { stdout } = await run('python3', [script, JSON.stringify(steps), ...words], { cwd });
    return JSON.parse(stdout) as {
      readonly shown: string;
      readonly code: number;
      readonly before: object;
      readonly during: readonly object[];
      readonly after: object;
    };
  }

  it('takes keys, and q ends it and restores the terminal', async () => {
    const { shown, code, before, during, after } = await typed([
      ['q ends it. The next answer: a 200, 5 503', '5'],
      ['Next (5 again: from now on): it is refused', '5'],
      ['From now on: it is refused', 'q'],
    ]);
    expect(shown).toContain('No delivery came.');
    expect({ code, before, after }).toEqual({ code: 0, before: { lines: true, echo: true }, after: before });
    expect(during).toEqual(during.map(() => ({ lines: false, echo: false })));
  });

  it('restores it after Ctrl-C, too', async () => {
    const { code, before, after } = await typed([['q ends it', '\u0003']]);
    expect({ code, after }).toEqual({ code: 0, after: before });
  });
});
