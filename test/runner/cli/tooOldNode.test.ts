import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const first = join(root, 'runner', 'cli', 'seaworthy.cjs');
const { bin, engines, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly bin: { readonly seaworthy: string };
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
};

let folder = '';
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'seaworthy-node-'))));
afterAll(() => rm(folder, { recursive: true }));

/** What the program says where Node has this version, or says that it has it. */
async function startedBy(version: string): Promise<{ readonly status: number | null; readonly stderr: string }> {
  const claim = join(folder, `${version}.cjs`);
  await writeFile(claim, `Object.defineProperty(process.versions, 'node', { value: ${JSON.stringify(version)} });`);
  const { status, stderr } = spawnSync(process.execPath, ['--require', claim, first, '--version']);
  return { status, stderr: stderr.toString() };
}

test.each(['10.24.1', '20.20.2', '24.17.9'])('Node %s is too old: one sentence, and exit code 2', async (version) => {
  const { status, stderr } = await startedBy(version);
  expect({ status, stderr: stderr.replace(process.execPath, '<path>') }).toEqual({
    status: 2,
    stderr:
      `seaworthy: this needs Node 24.18 or later, and was started by Node ${version} (<path>): ` +
      'install a newer one from https://nodejs.org, and start it with that\n  code:  SW_NODE_TOO_OLD\n',
  });
});

test.each(['24.18.0', '25.0.0'])('Node %s starts the program', async (version) => {
  expect(await startedBy(version)).toEqual({ status: 0, stderr: '' });
});

/** The machine's own Node, where it is an old one: it reads the file, and not only says that it is old. */
const machines = '/usr/bin/node';
const found = spawnSync(machines, ['--version']).stdout?.toString() ?? '';
const isOld = /^v(?:1\d|2[0-3])\./.test(found);

test.skipIf(!isOld)(`a Node that is older says so itself (needs one at ${machines})`, () => {
  const { status, stderr } = spawnSync(machines, [first, 'receiver', 'http://localhost/']);
  expect(status).toBe(2);
  expect(stderr.toString()).toContain(`started by Node ${found.trim().slice(1)} (`);
});

test('that file is understood by any Node since 10, and comes first in the package and in the clone', () => {
  const source = readFileSync(first, 'utf8');
  expect(source.replaceAll(/\/[*/].*/g, '')).not.toMatch(
    /^\s*(?:const|let|import|export|async|class)\b|=>|\?\.|\?\?|`|\.\.\./m,
  );
  expect(source).toContain(`var oldest = [${engines.node.replace('>=', '').split('.').join(', ')}];`);
  expect(bin.seaworthy).toBe('./dist/runner/cli/seaworthy.cjs');
  expect(scripts['build']).toContain('cp runner/cli/seaworthy.cjs dist/runner/cli/');
  expect(scripts['seaworthy']).toBe('node runner/cli/seaworthy.cjs');
});
