import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { freePort } from '../../runner/catcher/freePort.ts';
import { parseYaml } from '../../spec/parseYaml.ts';
import { program } from '../programs.ts';
import { isProof } from '../proof/testReceiver.ts';
import { blocks } from './documents.ts';
import { Job, type Step } from './workflow.ts';

/** A job of GitHub. */
interface GithubJob {
  readonly strategy?: { readonly matrix: { readonly part: readonly number[] } };
  readonly steps: readonly Step[];
}

interface GitlabJob {
  readonly variables: Readonly<Record<string, string>>;
  readonly script: readonly string[];
  readonly artifacts: { readonly paths: readonly string[]; readonly reports: { readonly junit: string } };
}

const document = 'docs/ci.md';
const only = ['forged', 'every-spelling', 'header-case'].flatMap((name) => ['--only', `receiver/signature/${name}`]);
const some = ['--intensity', 'quick', ...only];
let job: Job;
let port: number;

/** A project that the recipes could be for, whose receiver `npm start` runs. */
beforeEach(async () => {
  job = await Job.open(await mkdtemp(join(tmpdir(), 'seaworthy-ci-')), some);
  port = await freePort('127.0.0.1', new Set());
  const secrets = "--secret only-for-tests --secret 'a secret for CI'";
  const start = `'${process.execPath}' '${program('receiver')}' --port ${port} ${secrets}`;
  const project = { name: 'a-receiver', version: '1.0.0', scripts: { start } };
  await writeFile(join(job.folder, 'package.json'), JSON.stringify(project));
  const locked = { name: project.name, version: project.version, lockfileVersion: 3, packages: { '': project } };
  await writeFile(join(job.folder, 'package-lock.json'), JSON.stringify(locked));
});

afterEach(() => rm(job.folder, { recursive: true }));

/** The block of this language that has these words. */
function recipe(language: string, words: string): string {
  const found = blocks(document, language).find((block) => block.includes(words));
  return found!.replaceAll('3000', String(port));
}

function read(name: string): Promise<string> {
  return readFile(join(job.folder, name), 'utf8');
}

/** Shows what was printed where it does not exit with 0. */
async function passes(run: Promise<number>): Promise<void> {
  const code = await run;
  expect({ code, stdout: job.stdout }).toEqual({ code: 0, stdout: expect.any(String) });
}

describe('"In CI"', () => {
  test('the recipe for GitHub tests the receiver with the action, and keeps the report', async () => {
    const { jobs } = parseYaml(recipe('yaml', '/seaworthy@')) as { jobs: { webhooks: GithubJob } };
    await passes(job.run(jobs.webhooks.steps));
    expect(await job.fileOf('GITHUB_STEP_SUMMARY')).toMatch(/^## ✅ seaworthy: receiver/);
    expect(job.artifacts.get('seaworthy-report')).toHaveLength(2);
  });

  test.runIf(isProof)('the recipe for GitLab leaves every file that it names', async () => {
    const { webhooks } = parseYaml(recipe('yaml', 'expose_as')) as { webhooks: GitlabJob };
    await passes(job.shell(webhooks.script.join('\n'), webhooks.variables));
    const { paths, reports } = webhooks.artifacts;
    expect([...paths, reports.junit].filter((path) => !existsSync(join(job.folder, path)))).toEqual([]);
    expect(await read(reports.junit)).toContain('receiver/signature/forged');
  });

  test.runIf(isProof)('the recipe for a plain shell tests the receiver, and writes the report', async () => {
    await passes(job.shell(recipe('sh', '--report html=report.html\n')));
    expect(await read('report.html')).toMatch(/^<!doctype html>/);
  });

  test('the parts of the workflow for several machines become one report', async () => {
    const { jobs } = parseYaml(recipe('yaml', '--shard')) as { jobs: { webhooks: GithubJob; report: GithubJob } };
    const { strategy, steps } = jobs.webhooks;
    for (const part of strategy!.matrix.part) {
      const values = { 'matrix.part': String(part), 'github.run_number': '7' };
      await passes(job.run(steps, values));
    }
    expect([...job.artifacts.keys()]).toEqual(['part-1', 'part-2', 'part-3']);
    await passes(job.run(jobs.report.steps));
    expect(await job.fileOf('GITHUB_STEP_SUMMARY')).toContain('receiver');
    expect(existsSync(join(job.folder, 'report.html'))).toBe(true);
  });
});
