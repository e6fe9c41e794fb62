import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { receiverReplayOptions, serviceReplayOptions } from '../../../runner/options/replayOptions.ts';
import { vitestTest } from '../../../runner/export/vitestTest.ts';
import type { SavedCase } from '../../../runner/engine/savedCase.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** As strict as TypeScript can be made. */
const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'esnext.array', 'esnext.iterator', 'esnext.disposable'],
  module: 'nodenext',
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitReturns: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  paths: {
    seaworthy: [join(root, 'runner/index.ts')],
    vitest: [join(root, 'node_modules/vitest/dist/index.d.ts')],
  },
};

const step = (step: { do: string; [name: string]: unknown }) => ({ words: 'a step', step, seed: 1, path: '0' });
const plain: SavedCase = {
  seaworthy: 'case',
  format: 1,
  subject: 'receiver',
  kit: { name: 'seaworthy', version: '0.1.0' },
  check: 'receiver/redelivery/concurrent',
  title: 'takes effect once for copies at the same time.',
  requirements: ['IDM-3'],
  summary: '2 effects',
  expected: 'exactly one effect\nof each',
  actual: '2 effects',
  value: { deep: [1, null, { any: 'thing' }] },
  seed: 1,
  path: '3:0',
  intensity: 'quick',
  events: ['a'],
  url: 'http://127.0.0.1:9/hooks',
  options: {},
  env: ['SECRET'],
};
const sequence = [
  step({ do: 'together', parts: [{ slot: 'a', copies: 2, held: { percent: 0, ms: 3 } }] }),
  step({ do: 'forge', slot: 'b', how: { kind: 'none' } }),
];

/** Every kind of case, with every option that it may hold. */
const cases: Readonly<Record<string, SavedCase>> = {
  check: plain,
  sequence: { ...plain, cause: 'twice', sequence, rate: { failed: 4, tries: 4 }, value: null },
  beside: { ...plain, cause: 'twice', sequence, beside: [sequence, sequence], value: null },
  timeline: { ...plain, timeline: [{ what: 'killed', at: 1 } as never], cause: 'lost', sequence },
  service: { ...plain, subject: 'service', url: 'http://127.0.0.1:9/v2', options: all(serviceReplayOptions) },
  options: { ...plain, options: { ...all(receiverReplayOptions), header: ['A: b', 'K: $SEAWORTHY_HEADER_K'] } },
  hostile: JSON.parse(JSON.stringify(plain).replace('"seaworthy":', '"__proto__":{"a":1},"seaworthy":')) as SavedCase,
};

function all(options: object): Record<string, readonly string[]> {
  return Object.fromEntries(Object.keys(options).map((name) => [name, ['1']]));
}

test('an exported test of any kind of case compiles in a strict project', { timeout: 120_000 }, async () => {
  await mkdir(join(root, '.seaworthy'), { recursive: true });
  const folder = await mkdtemp(join(root, '.seaworthy/types-'));
  try {
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.test.ts'] }));
    for (const [name, saved] of Object.entries(cases))
      await writeFile(join(folder, `${name}.test.ts`), vitestTest(saved, `${name}.test.ts`));
    await writeFile(join(folder, 'wrong.test.ts'), vitestTest(plain, 'x').replace('outcome, says', 'outcome, said'));
    const said = await new Promise<string>((resolve) => {
      const words = [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'];
      execFile(process.execPath, words, { cwd: root }, (_, stdout, stderr) => resolve(stdout + stderr));
    });
    const errors = said.split('\n').filter((line) => /error TS/.test(line));
    expect(errors.filter((line) => !line.includes('wrong.test.ts'))).toEqual([]);
    expect(errors.length).toBeGreaterThan(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the name of an exported test says what must hold', () => {
  expect(vitestTest(cases['sequence']!, 'x.test.ts')).toContain(
    'test("IDM-3: takes effect once for copies at the same time: exactly one effect", async',
  );
});
