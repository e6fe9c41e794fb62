import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { receiverFaults } from '../../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import { startReceiver, type RunningReceiver } from '../../../reference/receiver/receiver.ts';
import { checkReports } from '../../../runner/output/checkReports.ts';
import { runProgram } from '../../../runner/cli/program.ts';
import { githubActions, logOf } from '../../../runner/options/githubActions.ts';
import { paper } from '../../reports/paper.ts';
import { commandsOf } from '../../reports/readers/github.ts';
import { markdownTokens } from '../../reports/readers/markdown.ts';

let repository: string;
let receiver: RunningReceiver;
beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), 'seaworthy-github-'));
  await mkdir(join(repository, 'packages', 'hooks'), { recursive: true });
  const policies = receiverFaults['verifies-nothing']!.change(conformingPolicies);
  receiver = await startReceiver({ secrets: ['of this test'], policies });
});
afterAll(async () => {
  await receiver.close();
  await rm(repository, { recursive: true });
});

/** The program as a step of a job calls it. */
async function step(words: readonly string[], inActions = true): Promise<{ stdout: string; code: number }> {
  const documents = paper();
  const environment = {
    SEAWORTHY_SECRET: 'of this test',
    ...(inActions && {
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: repository,
      GITHUB_STEP_SUMMARY: join(repository, 'summary.md'),
    }),
  };
  const workingDirectory = join(repository, 'packages', 'hooks');
  const { signal } = new AbortController();
  const world = {
    stdout: logOf(documents, environment),
    documents,
    stderr: paper(),
    environment,
    workingDirectory,
    signal,
  };
  const code = await runProgram(words, world);
  return { stdout: documents.text(), code };
}

const only = ['--only', 'receiver/signature/forged', '--intensity', 'quick', '--seed', '1'];

describe('inside GitHub Actions', () => {
  test('a run writes its report, then its annotations, and the summary of the step', async () => {
    const { stdout, code } = await step(['receiver', receiver.url, ...only]);
    expect(stdout).not.toMatch(/a fault of|[1-9] errored/i);
    expect(code).toBe(1);
    const [first = '', ...lines] = stdout.split('\n');
    const [, token = ''] = /^::stop-commands::(.+)$/.exec(first) ?? [];
    const resumed = lines.indexOf(`::${token}::`);
    expect(lines.slice(0, resumed).join('\n')).toContain('✗ receiver/signature/forged');
    const reported = commandsOf(lines.slice(resumed + 1).join('\n'));
    expect(reported[0]).toMatchObject({ name: 'error', properties: { title: `seaworthy: receiver ${receiver.url}` } });
    expect(reported[1]?.properties['title']).toMatch(/^VRF-2.* broken: receiver\/signature\/forged$/);
    expect(reported[1]?.properties['file']).toMatch(/^packages\/hooks\/\.seaworthy\/runs\/.*\.json$/);
    const summary = await readFile(join(repository, 'summary.md'), 'utf8');
    markdownTokens(summary);
    expect(summary).toContain('receiver/signature/forged');
  });

  test('a second report of the step comes below the first, also one made from a journal', async () => {
    const before = await readFile(join(repository, 'summary.md'), 'utf8');
    await step(['receiver', receiver.url, ...only, '--report', 'journal=run.ndjson']);
    expect(await readFile(join(repository, 'summary.md'), 'utf8')).toBe(before);
    const { stdout, code } = await step(['report', 'run.ndjson', '--report', 'github']);
    expect(code).toBe(0);
    expect(commandsOf(stdout).length).toBeGreaterThan(1);
    const after = await readFile(join(repository, 'summary.md'), 'utf8');
    expect(after.startsWith(before)).toBe(true);
    expect(after.length).toBeGreaterThan(before.length);
  });
});

/** A line of a log that GitHub would act on: it looks at the first word, and for the older spelling anywhere. */
function acted(log: string): readonly string[] {
  const lines = log.split('\n');
  const acts: string[] = [];
  let token: string | undefined;
  for (const line of lines) {
    const words = line.trimStart();
    if (token !== undefined) {
      if (words === `::${token}::`) token = undefined;
    } else if (words.startsWith('::stop-commands::')) token = words.slice('::stop-commands::'.length);
    else if (/^::[\w-]+.*::|##\[/u.test(words)) acts.push(line);
  }
  return acts;
}

describe('a receiver whose answers look like workflow commands', () => {
  const forged = '::error::forged ##[error]forged\n::error::forged again';
  let liar: Server;
  let url: string;
  beforeAll(async () => {
    liar = createServer(
      (request, response) => void request.resume().on('end', () => response.writeHead(202).end(forged)),
    );
    await once(liar.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}/`;
  });
  afterAll(() => liar.close());

  test.each([[['terminal']], [['terminal', 'github']]])('gives none with --report %j', async (formats) => {
    const reports = formats.flatMap((format) => ['--report', format]);
    const words = ['receiver', url, ...only, ...reports, '--report', 'journal=forged.ndjson'];
    for (const command of [words, ['report', 'forged.ndjson', ...reports]]) {
      const { stdout } = await step(command);
      expect(stdout).toContain('::error::forged');
      expect(
        acted(stdout).filter((line) => /^\s*::error::forged|##\[/u.test(line) && !line.startsWith('::error title=')),
      ).toEqual([]);
    }
  });

  test('gives none with a report for programs', async () => {
    const run = ['receiver', url, ...only, '--report', 'json', '--report', 'journal=run.ndjson'];
    const again = ['json', 'junit', 'markdown', 'sarif', 'html'].map((each) => [
      'report',
      'run.ndjson',
      '--report',
      each,
    ]);
    for (const command of [run, ...again]) {
      const { stdout } = await step(command);
      expect(stdout).toContain('receiver/signature/forged');
      expect(acted(stdout)).toEqual([]);
    }
  });
});

test('elsewhere there is only the report for people', async () => {
  const { stdout } = await step(['receiver', receiver.url, ...only], false);
  expect(stdout).toMatch(/^seaworthy /);
  expect(stdout).not.toMatch(/^::/m);
});

test('annotations can share standard output with the report for people, and with nothing else', () => {
  expect(checkReports([{ format: 'terminal' }, { format: 'github' }])).toHaveLength(2);
  for (const other of ['json', 'github']) {
    expect(() => checkReports([{ format: other }, { format: 'github' }])).toThrow(
      'would both write to standard output',
    );
  }
});

test.each([
  ['/repo', undefined],
  ['/repo/packages/hooks', 'packages/hooks/'],
  ['/elsewhere', undefined],
  ['/', undefined],
])('the working directory %s is %s below the root of the repository', (directory, fromRoot) => {
  expect(githubActions({ GITHUB_WORKSPACE: '/repo' }, directory).fromRoot).toBe(fromRoot);
});
