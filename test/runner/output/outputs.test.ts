import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { runHere } from '../runHere.ts';

test.skipIf(!existsSync('/dev/full'))(
  'a report that could not be written is not among those that are listed',
  async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'seaworthy-outputs-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const reports = ['terminal', 'json=/dev/full', 'junit=run.xml'].flatMap((report) => ['--report', report]);
    const { code, stdout } = await runHere(['receiver', 'http://127.0.0.1:1/', '--secret', 'a', ...reports], folder);
    expect(code).toBe(2);
    expect(stdout).toContain('reporter json=/dev/full (SW_REPORT_WRITE)');
    expect(stdout).toContain('run.xml (junit)');
    expect(stdout).not.toContain('/dev/full (json)');
  },
);
