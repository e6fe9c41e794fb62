import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type entries, program } from '../programs.ts';
import { isProof } from '../proof/testReceiver.ts';
import { root, textOf } from './documents.ts';

let project: string;

/** A project that holds every file of the document, and takes the package from the bundles of its sources. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'seaworthy-docs-testing-'));
  await symlink(join(root, 'node_modules'), join(project, 'node_modules'));
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  for (const [, file = '', content = ''] of textOf('docs/testing.md').matchAll(/^```[jt]s (\S+)\n([\s\S]*?)^```$/gm)) {
    const source = content.replaceAll(
      /'seaworthy\/([\w-]+)'/g,
      (_, name: keyof typeof entries) => `'${program(name)}'`,
    );
    await writeFile(join(project, file), source);
  }
});

afterAll(() => rm(project, { recursive: true }));

function run(...words: readonly string[]): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_TEST|SEAWORTHY|TEST$)/.test(name));
  const env = { ...Object.fromEntries(own), NO_COLOR: '1' };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, words, { cwd: project, env, maxBuffer: 2 ** 25 }, (error, out, err) =>
      error === null ? resolve(out) : reject(new Error(out + err)),
    );
  });
}

test('the tests in "In your own tests" pass in Vitest', async () => {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  // Of the whole suite some checks show that it runs.
  const some = 'VRF-2|IDM-1|IDM-3|the hooks verify|holds its id|over the wire';
  await run(
    vitest,
    'run',
    '--no-isolate',
    '--no-file-parallelism',
    '-t',
    some,
    '--reporter=json',
    '--outputFile=report.json',
  );
  const { testResults, numPassedTests } = JSON.parse(await readFile(join(project, 'report.json'), 'utf8')) as {
    readonly testResults: readonly { readonly name: string; readonly status: string }[];
    readonly numPassedTests: number;
  };
  const files = testResults.map(({ name, status }) => `${name.slice(name.lastIndexOf('/') + 1)} ${status}`);
  expect(files.toSorted()).toEqual([
    'conform.test.ts passed',
    'hooks.test.ts passed',
    'server.test.ts passed',
    'unit.test.ts passed',
  ]);
  expect(numPassedTests).toBeGreaterThan(8);
});

test.runIf(isProof)('those of node:test pass', async () => {
  expect(await run('--test', 'hooks.node.mjs')).toMatch(/^ℹ fail 0$/m);
});
