import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runInNewContext } from 'node:vm';

import { transform } from 'esbuild';

import type { SavedCase } from '../../../runner/engine/savedCase.ts';
import { curlExport } from '../../../runner/export/curlExport.ts';
import { vitestTest } from '../../../runner/export/vitestTest.ts';
import { replay } from '../../../runner/replay/replay.ts';

/** Where a case is tried again, in the variables that its exports take. */
type Environment = Readonly<Record<string, string>>;

/** How a target stands, in the words of `replay`. */
export type Verdict = 'fixed' | 'fails' | 'cannot-run';

const codes: Readonly<Record<string, Verdict>> = { 0: 'fixed', 1: 'fails', 3: 'cannot-run' };

/** What the exported Vitest test says: the outcome that it expects to be `fixed`. */
export async function vitestVerdict(saved: SavedCase, env: Environment): Promise<Verdict> {
  const { code } = await transform(vitestTest(saved, 'case.test.ts'), { loader: 'ts', format: 'cjs' });
  const bodies: (() => Promise<void>)[] = [];
  const outcomes: Verdict[] = [];
  const modules: Readonly<Record<string, object>> = {
    seaworthy: { replay },
    vitest: {
      test: (_: string, body: () => Promise<void>) => void bodies.push(body),
      expect: (outcome: Verdict) => ({ toBe: () => void outcomes.push(outcome) }),
    },
  };
  const context = { require: (name: string) => modules[name], exports: {}, module: {}, process: { env } };
  runInNewContext(code, context);
  for (const body of bodies) await body();
  return outcomes[0]!;
}

/** What the exported script says and prints; nothing where none is written. @param shell - with its arguments */
export async function scriptVerdict(
  saved: SavedCase,
  secrets: readonly string[],
  env: Environment,
  [shell = 'sh', ...words]: readonly string[],
): Promise<{ readonly verdict: Verdict | undefined; readonly text: string } | undefined> {
  const script = await curlExport(saved, '/', secrets);
  if (typeof script !== 'string') return undefined;
  const child = spawn(shell, [...words, '-s'], { env: { PATH: process.env['PATH'], ...env } });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => said.push(bytes));
  child.stdin.end(script);
  const [code] = (await once(child, 'close')) as [number | null];
  return { verdict: codes[`${code}`], text: Buffer.concat(said).toString() };
}
