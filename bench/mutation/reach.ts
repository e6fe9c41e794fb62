import { appendFileSync, mkdirSync } from 'node:fs';

import { afterEach, beforeEach } from 'vitest';

import { reachFile, type Reach } from './reachFile.ts';

declare global {
  /** What the files that Stryker has written count. Its place and its form are Stryker's. */
  var __stryker__: Partial<{
    currentTestId: string | undefined;
    mutantCoverage: { readonly static: object; readonly perTest: Readonly<Record<string, object>> };
  }>;
}

globalThis.__stryker__ ??= {};
let began = 0;
let isFirst = true;

function write(reach: Omit<Reach, 'mutants'>, counts: object = {}): void {
  mkdirSync('.seaworthy', { recursive: true });
  appendFileSync(reachFile, `${JSON.stringify({ ...reach, mutants: Object.keys(counts).map(Number) })}\n`);
}

beforeEach(({ task }) => {
  if (isFirst) write({ file: task.file.name, name: '', ms: 0 }, __stryker__.mutantCoverage?.static);
  isFirst = false;
  __stryker__.currentTestId = task.id;
  began = performance.now();
});

afterEach(({ task }) => {
  const ms = Math.round(performance.now() - began);
  __stryker__.currentTestId = undefined;
  if (task.result?.state === 'fail') return;
  const names = [task.name];
  for (let { suite } = task; suite; suite = suite.suite) names.unshift(suite.name);
  write({ file: task.file.name, name: names.join(' '), ms }, __stryker__.mutantCoverage?.perTest[task.id]);
});
