import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { receiverFaults } from '../../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import { startReceiver, type RunningReceiver } from '../../../reference/receiver/receiver.ts';
import type { JsonReport } from '../../../reports/formats/json/jsonReport.ts';
import { runProgram } from '../../../runner/cli/program.ts';
import { externalKit } from '../../programs.ts';
import { paper } from '../../reports/paper.ts';
import type { Ended } from '../runCli.ts';
import { runHere } from '../runHere.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const secret = 'a secret that nobody else has';
const policies = receiverFaults['deduplicates-nothing']!.change(conformingPolicies);
const here = process.cwd();
let cwd: string;
let faulty: RunningReceiver;
let afterFix: RunningReceiver;
let search: Ended;
let report: JsonReport;
let file: string;

function cli(...words: readonly string[]): Promise<Ended> {
  return runHere(words, cwd, { SEAWORTHY_SECRET: secret });
}

/** The same in this process, for what ends before anything is sent. @returns what it wrote */
async function program(...words: readonly string[]): Promise<string> {
  const stdout = paper();
  const signal = new AbortController().signal;
  await runProgram(words, {
    stdout,
    documents: stdout,
    stderr: paper(),
    environment: {},
    workingDirectory: cwd,
    signal,
  });
  return stdout.text();
}

/** What says that another receiver is meant than the one of the search. */
function environmentOf({ url, probe }: RunningReceiver): NodeJS.ProcessEnv {
  return { ...process.env, SEAWORTHY_URL: url, SEAWORTHY_PROBE: probe, SEAWORTHY_SECRET: secret };
}

function run(command: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<Omit<Ended, 'stderr'>> {
  return new Promise((resolve) => {
    const child = execFile(command, words, { cwd, env }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout: stdout + stderr });
    });
  });
}

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-fuzz-'));
  // Failed cases are saved below the directory that the process is in.
  process.chdir(cwd);
  faulty = await startReceiver({ secrets: [secret], policies });
  afterFix = await startReceiver({ secrets: [secret] });
  const bounds = ['--until-failure', '--seed', '1', '--only', 'IDM-2', '--settle', '100ms', '--timeout', '2s'];
  const written = ['--export', 'vitest=found', '--export', 'curl=found/', '--report', 'json=report.json'];
  search = await cli('fuzz', faulty.url, '--probe', faulty.probe, ...bounds, ...written, '--report', 'terminal');
  report = JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8')) as JsonReport;
  file = report.search?.failures[0]?.counterexample.file ?? '';
});

afterAll(async () => {
  await Promise.all([faulty.close(), afterFix.close()]);
  process.chdir(here);
  await rm(cwd, { recursive: true });
});

describe('a search that finds something', () => {
  it('exits with 1, and says so in every report', () => {
    expect(search.code).toBe(1);
    expect(report).toMatchObject({ verdict: 'does-not-conform', summary: { failed: 1 } });
    expect(report.checks.map(({ id }) => id)).toContain('receiver/fuzz/idm-2');
    expect(report.search?.failures).toMatchObject([{ check: 'receiver/fuzz/idm-2', outcome: 'failed' }]);
    for (const step of report.search?.failures[0]?.steps ?? ['none'])
      expect(search.stdout).toContain(step.slice(0, 40));
    expect(search.stdout).toContain('broken: IDM-2 (exit code 1)');
    expect(search.stdout).toContain(` replay ${file} --url ${faulty.url}\n`);
  });

  it('keeps the failure without the secret', async () => {
    const saved = await readFile(join(cwd, file), 'utf8');
    expect(JSON.parse(saved)).toMatchObject({ check: 'receiver/fuzz/idm-2', requirements: ['IDM-2'], seed: 1 });
    expect(saved).not.toContain(secret);
  });

  it('is tried again by replay, in a folder as well, until it is fixed', async () => {
    await cp(join(cwd, file), join(cwd, 'suite', 'deep', 'one.json'));
    await cp(join(cwd, file), join(cwd, 'suite', 'two.json'));
    await writeFile(join(cwd, 'suite', 'package.json'), '{ "name": "no case" }');
    const fails = await cli('replay', 'suite/deep/', '--url', faulty.url);
    expect(fails).toMatchObject({ code: 1, stderr: '' });
    expect(fails.stdout).toMatch(/^FAILS {7}suite\/deep\/one\.json\n {12}receiver\/fuzz\/idm-2: /);
    expect(fails.stdout).toContain('            1. ');
    const fixed = await cli('replay', 'suite', '--url', afterFix.url, '--probe', afterFix.probe);
    expect(fixed).toMatchObject({ code: 0, stderr: '' });
    expect(fixed.stdout).toMatch(/\n2 FIXED\n$/);
  });

  it('is a shell script that finds out by itself whether it is fixed', async () => {
    const script = join('found', 'receiver-fuzz-idm-2-1.sh');
    expect(search.stderr).toContain(`Shell script: sh ${script}\n`);
    const now = await run('sh', [script], { ...environmentOf(faulty), SEAWORTHY_SETTLE: '2' });
    expect(now.stdout).toMatch(/right is 1 .*\nFAILS\n$/);
    expect(now.code).toBe(1);
    const then = await run('bash', [script], { ...environmentOf(afterFix), SEAWORTHY_SETTLE: '2' });
    expect(then.stdout).toMatch(/: 1; right is 1 .*\nFIXED\n$/);
    expect(then.code).toBe(0);
  });

  it('is a Vitest test that fails until it is fixed', async () => {
    const exported = join('found', 'receiver-fuzz-idm-2-1.test.ts');
    expect(search.stderr).toContain(`Vitest test: ${exported}\n`);
    await symlink(join(root, 'node_modules'), join(cwd, 'node_modules'));
    // One Vitest tries it twice. Node reads the sources of the kit itself, as it would an installed package.
    const projects = Object.entries({ before: faulty, after: afterFix }).map(([name, { url, probe }]) => {
      const env = { SEAWORTHY_URL: url, SEAWORTHY_PROBE: probe, SEAWORTHY_SECRET: secret };
      return { extends: true, test: { name, env } };
    });
    const config = `export default {
      resolve: { alias: { seaworthy: ${JSON.stringify(join(root, 'runner/index.ts'))} } },
      test: {
        include: ['found/*.test.ts'],
        server: { deps: { external: [${externalKit}] } },
        projects: ${JSON.stringify(projects)},
      },
    };\n`;
    await writeFile(join(cwd, 'vitest.config.mjs'), config);
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const tried = await run(process.execPath, [vitest, 'run', exported], { ...process.env, NO_COLOR: '1' });
    expect(tried.stdout).toContain("expected 'fails' to be 'fixed'");
    expect(tried.stdout).toMatch(/^ *FAIL +\|before\| /m);
    expect(tried.stdout).toMatch(/Tests +1 failed \| 1 passed/);
    expect(tried.code).toBe(1);
  });

  it('is exported from its file as well, and then nothing is played', async () => {
    const words = ['replay', join(cwd, file), '--url', 'http://127.0.0.1:1/', '--export', 'vitest=a.test.ts'];
    expect(await program(...words)).toMatch(/^Vitest test: .*a\.test\.ts\n$/);
    const [exported, first] = await Promise.all(
      ['a.test.ts', 'found/receiver-fuzz-idm-2-1.test.ts'].map((name) => readFile(join(cwd, name), 'utf8')),
    );
    expect(exported?.split('\n').slice(-30)).toEqual(first?.split('\n').slice(-30));
  });
});

describe('what a search is made in', () => {
  it('is shown without sending anything', async () => {
    const receiver = await program('fuzz', '--list', '--skip', 'VRF-*');
    expect(receiver).toContain('receiver/fuzz/idm-2\n');
    expect(receiver).not.toContain('VRF-');
    expect(await program('fuzz', '--list', '--service', 'http://127.0.0.1:1/v2')).toContain('service/fuzz/');
  });

  it('may stand in the config file, where --only of other commands does not count', async () => {
    const config = { only: ['receiver/signature/*'], receiver: { url: 'http://203.0.113.1/hooks', only: 'VRF-1' } };
    await writeFile(join(cwd, 'config.json'), JSON.stringify({ ...config, fuzz: { runs: 5, feedback: false } }));
    const search = program('fuzz', '--config', 'config.json');
    await expect(search).rejects.toMatchObject({ code: 'SW_TARGET_REMOTE' });
    await expect(search).rejects.toThrow('203.0.113.1');
  });

  it.each([
    [['fuzz'], 'SW_ARGUMENT_MISSING'],
    [['fuzz', 'http://127.0.0.1:1/', '--service', 'http://127.0.0.1:1/v2'], 'SW_OPTION_CONFLICT'],
    [['fuzz', 'http://127.0.0.1:1/', '--token', 'key'], 'SW_OPTION_CONFLICT'],
    [['fuzz', '--service', 'http://127.0.0.1:1/v2', '--published', '127.0.0.2'], 'SW_OPTION_CONFLICT'],
    [['fuzz', 'http://127.0.0.1:1/', '--only', 'receiver/crash/*'], 'SW_PATTERN_UNMATCHED'],
    [['fuzz', 'http://127.0.0.1:1/', '--export', 'jest'], 'SW_OPTION_VALUE'],
    [['fuzz', 'http://127.0.0.1:1/', '--export', `vitest=${join(root, 'package.json')}/found`], 'SW_REPORT_WRITE'],
    [['fuzz', 'http://127.0.0.1:1/', '--corpus', join(root, 'package.json')], 'SW_CORPUS_WRITE'],
    [['fuzz', 'http://127.0.0.1:1/', '--intensity', 'quick'], 'SW_OPTION_UNKNOWN'],
    [['replay', join(root, 'spec')], 'SW_CASE_INVALID'],
  ])('is refused where it makes no sense: %j', async (words, code) => {
    await expect(program(...words)).rejects.toMatchObject({ code, exitCode: 2 });
  });
});
