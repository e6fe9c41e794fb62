import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** One forbidden line for each border, and a part of what the linter must say about it. */
const forbidden: readonly { file: string; line: string; says: string }[] = [
  { file: 'spec/a.ts', line: `import '../generators/x.ts';`, says: 'spec/ is the first room' },
  { file: 'generators/a.ts', line: `import '../suites/x.ts';`, says: 'generators/ imports spec/ only' },
  { file: 'generators/b.ts', line: `import 'node:fs';`, says: 'Domain rooms do no I/O' },
  { file: 'generators/c.ts', line: 'export const a = Math.random();', says: "'Math.random' is restricted" },
  { file: 'generators/d.ts', line: 'export const a = Date.now();', says: "'Date.now' is restricted" },
  {
    file: 'suites/receiver/a.ts',
    line: `import '../../runner/x.ts';`,
    says: 'whatever else a check needs is on the kit',
  },
  { file: 'suites/b.ts', line: `import type { A } from '../reports/x.ts';`, says: 'whatever else a check needs' },
  { file: 'suites/c.ts', line: `import 'undici';`, says: 'Domain rooms do no I/O' },
  { file: 'suites/d.ts', line: 'setTimeout(String, 1);', says: "Unexpected use of 'setTimeout'" },
  { file: 'reports/a.ts', line: `export * from '../runner/x.ts';`, says: 'put what is missing into an event' },
  { file: 'runner/a.ts', line: `void import('../reference/x.ts');`, says: 'The judge does not load the reference' },
  { file: 'reference/receiver/a.ts', line: `import '../../suites/x.ts';`, says: 'reference/ imports spec/ only' },
  { file: 'reference/b.ts', line: `import '../spec/signature.ts';`, says: 'must not share the schemes' },
  { file: 'test/a.test.ts', line: `import { it } from 'vitest'; it.only('a', () => {});`, says: 'no-focused-tests' },
  { file: 'runner/circle/a.ts', line: `import './b.ts'; export const a = 1;`, says: 'Dependency cycle' },
  { file: 'runner/circle/b.ts', line: `import './a.ts'; export const b = 1;`, says: 'Dependency cycle' },
  {
    file: 'runner/typeCircle/a.ts',
    line: `import type { B } from './b.ts'; export interface A { b: B }`,
    says: 'Dependency cycle',
  },
  {
    file: 'runner/typeCircle/b.ts',
    line: `import type { A } from './a.ts'; export interface B { a: A }`,
    says: 'Dependency cycle',
  },
  { file: 'test/b.test.ts', line: `import { it } from 'vitest'; it.skip('a', () => {});`, says: 'no-disabled-tests' },
];

/** Imports along the arrows, none of which may be refused. */
const allowed: readonly { file: string; line: string }[] = [
  { file: 'generators/ok.ts', line: `import '../spec/x.ts';` },
  { file: 'suites/receiver/ok.ts', line: `import '../../generators/x.ts';` },
  { file: 'reports/ok.ts', line: `import '../spec/x.ts';` },
  { file: 'runner/ok.ts', line: `import '../reports/x.ts';` },
  { file: 'runner/cli/ok.ts', line: `void import('../../reference/x.ts');` },
  { file: 'reference/ok.ts', line: `import '../spec/x.ts';` },
];

describe('the borders between the rooms', () => {
  let directory: string;
  let output: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'seaworthy-borders-'));
    await writeFile(join(directory, '.oxlintrc.json'), await configWithoutTypes());
    for (const { file, line } of [...forbidden, ...allowed]) {
      await mkdir(dirname(join(directory, file)), { recursive: true });
      await writeFile(join(directory, file), `${line}\n`);
    }
    output = await lint(directory);
  });

  afterAll(() => rm(directory, { recursive: true }));

  it.each(forbidden)('refuses in $file: $line', ({ file, says }) => {
    expect(linesAbout(output, file)).toContain(says);
  });

  it.each(allowed)('takes in $file: $line', ({ file }) => {
    expect(linesAbout(output, file)).toBe('');
  });
});

/** The borders need no types, and the directory has no packages to take them from. */
async function configWithoutTypes(): Promise<string> {
  const config = JSON.parse(await readFile(join(root, '.oxlintrc.json'), 'utf8')) as { options: object };
  return JSON.stringify({ ...config, options: { ...config.options, typeAware: false } });
}

/** What the linter says, as JSON. */
function lint(directory: string): Promise<string> {
  const binary = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
  return new Promise((resolve) => {
    execFile(process.execPath, [binary, '--format', 'json'], { cwd: directory }, (_, stdout) => resolve(stdout));
  });
}

function linesAbout(output: string, file: string): string {
  const { diagnostics } = JSON.parse(output) as {
    diagnostics: readonly { filename: string; code: string; message: string; help?: string }[];
  };
  return diagnostics
    .filter(({ filename }) => filename === file)
    .map(({ code, message, help = '' }) => `${code} ${message} ${help}`)
    .join('\n');
}
