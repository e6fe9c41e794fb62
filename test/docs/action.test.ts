import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { startReceiver } from '../../reference/receiver/receiver.ts';
import { parseYaml } from '../../spec/parseYaml.ts';
import { program } from '../programs.ts';
import { textOf } from './documents.ts';

const secret = 'known-to-both-sides';
let folder: string;

beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'seaworthy-action-'))));
afterEach(() => rm(folder, { recursive: true }));

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly id?: string; readonly run?: string; readonly env?: Record<string, string> }[];
  };
}

const action = parseYaml(textOf('action.yml')) as Action;
const step = action.runs.steps.find(({ id }) => id === 'run')!;

/** Runs the step as a runner does: its inputs are filled in, and its script is given to bash. */
async function runStep(given: Readonly<Record<string, string>>): Promise<{ code: number; stdout: string }> {
  const npx = join(folder, 'npx');
  // The package is not published: in its place the program of this repository, with the words after its name.
  await writeFile(npx, `#!/bin/sh\nshift 4\nexec '${process.execPath}' '${program('seaworthy')}' "$@"\n`);
  await chmod(npx, 0o755);
  const inputs = Object.entries(step.env ?? {}).map(([name, value]) => {
    const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value) ?? [];
    return [name, given[input] ?? action.inputs[input]!.default];
  });
  const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') };
  const environment = { PATH: `${folder}${delimiter}${process.env['PATH']}`, HOME: process.env['HOME'], ...files };
  const env = { ...environment, GITHUB_ACTIONS: 'true', ...Object.fromEntries(inputs) };
  return new Promise((resolve) => {
    const words = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', step.run!];
    execFile('bash', words, { cwd: folder, env }, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), stdout }),
    );
  });
}

test('the action tests a receiver, and shows the result on the page of the run', async () => {
  const receiver = await startReceiver({ secrets: [secret] });
  const options = `--only RCV-1\n--intensity quick\n--probe ${receiver.probe}\n`;
  const { code, stdout } = await runStep({ target: receiver.url, secret, options });
  await receiver.close();
  expect(stdout).toContain('RCV-1');
  expect(code).toBe(0);
  expect(stdout).not.toContain(secret);
  expect(await readFile(join(folder, 'output'), 'utf8')).toBe('exit-code=0\n');
  expect(await readFile(join(folder, 'summary'), 'utf8')).toMatch(/^## ✅ seaworthy: receiver/);
  expect(await readFile(join(folder, '.seaworthy', 'report.html'), 'utf8')).toMatch(/^<!doctype html>/);
  expect(await readFile(join(folder, '.seaworthy', 'junit.xml'), 'utf8')).toMatch(/^<\?xml/);
});

test('nothing in an input is shell, and the exit code of the kit is that of the step', async () => {
  const { code } = await runStep({ target: '$(touch pwned); touch pwned', options: '--seed `touch pwned`' });
  expect(code).toBe(2);
  expect(await readFile(join(folder, 'output'), 'utf8')).toBe('exit-code=2\n');
  await expect(readFile(join(folder, 'pwned'))).rejects.toThrow('ENOENT');
});
