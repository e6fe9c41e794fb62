import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The last line of standard output where these test files are run. */
function lastLine(files: Readonly<Record<string, string>>): { line: string; failed: boolean } {
  const { lines, failed } = run(files);
  return { line: lines.at(-1)!, failed };
}

/** What standard output says where vitest runs these test files with the reporter beside its own. */
function run(files: Readonly<Record<string, string>>, ...options: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'seaworthy-count-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    const reporters = ['default', join(root, 'test', 'countReporter.ts')].flatMap((name) => ['--reporter', name]);
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const { stdout, status } = spawnSync(
      process.execPath,
      [vitest, 'run', '--root', directory, ...reporters, ...options],
      {
        encoding: 'utf8',
      },
    );
    return { lines: stdout.trimEnd().split('\n'), failed: status !== 0 };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const passing = `import { it } from 'vitest'; it('passes', () => {}); it('passes too', () => {});`;

describe('the last line of a test run', () => {
  it('counts what passed', () => {
    expect(lastLine({ 'a.test.ts': passing })).toEqual({ line: '2 passed, 0 failed', failed: false });
  });

  it('counts what failed, and what was skipped', () => {
    const text = `${passing} it('fails', () => { throw new Error('x'); }); it['skip']('waits', () => {});`;
    expect(lastLine({ 'a.test.ts': text })).toEqual({ line: '2 passed, 1 failed, 1 skipped', failed: true });
  });

  it('counts a file that cannot be loaded', () => {
    const files = { 'a.test.ts': passing, 'b.test.ts': `throw new Error('x');` };
    expect(lastLine(files)).toEqual({ line: '2 passed, 1 failed', failed: true });
  });

  it('names what passed only when it was tried again', () => {
    const text = `import { expect, it } from 'vitest'; let tries = 0;
      it('comes late', () => { if (++tries === 1) throw new Error('not yet'); });
      it('differs', () => expect({ tries: tries++ }).toMatchObject({ tries: 3 }));`;
    const { lines, failed } = run({ 'a.test.ts': text }, '--retry', '1');
    const named = lines.slice(lines.indexOf('Passed only when tried again:') + 1);
    expect(named[0]).toBe('  a.test.ts > comes late: not yet');
    // What differs is in no message.
    expect(named.map((line) => line.trim())).toEqual(expect.arrayContaining(['-   "tries": 3,', '+   "tries": 2,']));
    expect(named.at(-1)).toBe('2 passed, 0 failed');
    expect(failed).toBe(false);
  });

  it('counts an unhandled error', () => {
    const text = `${passing} Promise.reject(new Error('nobody waits for this'));`;
    expect(lastLine({ 'a.test.ts': text })).toEqual({ line: '2 passed, 1 failed', failed: true });
  });
});
