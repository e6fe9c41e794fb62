import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { startReceiver } from '../../reference/receiver/receiver.ts';
import { parseYaml } from '../../spec/parseYaml.ts';
import { workflowOf } from '../../runner/cli/init/projectTexts.ts';
import { blocks, textOf } from './documents.ts';
import { action, inputsOf, Job, type Step } from './workflow.ts';

const secret = 'known-to-both-sides';
let job: Job;

beforeEach(async () => (job = await Job.open(await mkdtemp(join(tmpdir(), 'seaworthy-action-')))));
afterEach(() => rm(job.folder, { recursive: true }));

/** Runs the whole action, as a step of a job does. */
function runAction(given: Readonly<Record<string, string>>): Promise<number> {
  return job.run([{ uses: 'owner/seaworthy@v0.1.0', with: given }]);
}

test('the action tests a receiver, shows the result on the page of the run, and keeps the report', async () => {
  const receiver = await startReceiver({ secrets: [secret] });
  const options = `--only RCV-1\n--intensity quick\n--probe ${receiver.probe}\n`;
  await mkdir(join(job.folder, 'app'));
  const code = await runAction({ target: receiver.url, secret, options, 'working-directory': 'app' });
  await receiver.close();
  expect(job.stdout).toContain('RCV-1');
  expect(code).toBe(0);
  expect(job.stdout).not.toContain(secret);
  expect(await job.fileOf('GITHUB_OUTPUT')).toBe('exit-code=0\n');
  expect(await job.fileOf('GITHUB_STEP_SUMMARY')).toMatch(/^## ✅ seaworthy: receiver/);
  const files = ['app/.seaworthy/report.html', 'app/.seaworthy/junit.xml'];
  expect(job.artifacts).toEqual(new Map([['seaworthy-report', files]]));
  expect(await readFile(join(job.folder, files[0]!), 'utf8')).toMatch(/^<!doctype html>/);
  expect(await readFile(join(job.folder, files[1]!), 'utf8')).toMatch(/^<\?xml/);
});

test('nothing in an input is shell, and the exit code of the kit is that of the step', async () => {
  const hostile = { target: '$(touch pwned); touch pwned', options: '--seed `touch pwned`', artifact: 'none' };
  expect(await runAction(hostile)).toBe(2);
  expect(await job.fileOf('GITHUB_OUTPUT')).toBe('exit-code=2\n');
  await expect(readFile(join(job.folder, 'pwned'))).rejects.toThrow('ENOENT');
  expect(job.artifacts.size).toBe(0);
});

test('the action, the workflow of init and the documents use actions and inputs that exist', () => {
  const workflow = workflowOf('github', { dependsOnKit: true, install: 'npm ci', start: undefined }).text;
  const documents = ['docs/ci.md', 'docs/crashes.md', 'docs/reports.md'].flatMap((path) => blocks(path, 'yaml'));
  const steps = [textOf('action.yml'), workflow, ...documents].flatMap((text) => stepsIn(parseYaml(text)));
  const used = steps.flatMap(({ uses, with: given = {} }) => Object.keys(given).map((name) => ({ uses, name })));
  expect(used.length).toBeGreaterThan(20);
  const wrong = used.filter(({ uses = '', name }) =>
    uses.includes('/seaworthy@') ? action.inputs[name] === undefined : inputsOf[uses]?.test(name) !== true,
  );
  expect(wrong).toEqual([]);
});

/** Every step that uses an action, however deep it lies. */
function stepsIn(value: unknown): readonly Step[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(stepsIn);
  return 'uses' in value ? [value as Step, ...below] : below;
}
