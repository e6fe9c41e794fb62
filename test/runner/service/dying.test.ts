import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type TestContext } from 'vitest';

import { exitCode } from '../../../reports/model/exitCode.ts';
import { freePort } from '../../../runner/catcher/freePort.ts';
import type { ServicePlanOptions } from '../../../runner/service/servicePlan.ts';
import { serviceCheck, type ServiceCheck, type ServiceFinding } from '../../../suites/check.ts';
import type { ServiceKit } from '../../../suites/serviceKit.ts';
import fc from 'fast-check';
import { hold, type Held } from './testOwnService.ts';
import { brokenIn } from '../../brokenIn.ts';
import { killGroup } from '../killGroup.ts';

const program = fileURLToPath(new URL('mortalService.ts', import.meta.url));
const token = 'the-key-of-the-hand-written-service';
const timeout = 120_000;

/** Who starts the service: the kit, nobody after this test, or a shell loop. */
type Starter = 'kit' | 'nobody' | 'loop';

/** A run against the service of the tests, which ends of what it cannot parse. */
async function held(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  starter: Starter,
  checks: readonly ServiceCheck[],
): Promise<Held> {
  const directory = await mkdtemp(join(tmpdir(), 'seaworthy-dying-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const port = await freePort('127.0.0.1', new Set());
  const command = [process.execPath, program, String(port), 'unguarded'].map((word) => `'${word}'`).join(' ');
  const options: ServicePlanOptions = starter === 'kit' ? { start: `exec ${command}`, directory } : { directory };
  if (starter !== 'kit') {
    const shell = starter === 'loop' ? `while true; do ${command}; done` : `exec ${command}`;
    const child = spawn(shell, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => killGroup(child));
    await once(child.stdout, 'data');
    // What it says comes right before it listens.
    await answering(port);
  }
  const target = { url: `http://127.0.0.1:${port}/v2`, token, emit: `http://127.0.0.1:${port}/emit` };
  return hold(target, checks, { retryWindow: 3000, ...options });
}

async function answering(port: number): Promise<void> {
  while (
    !(await fetch(`http://127.0.0.1:${port}/v2`).then(
      () => true,
      () => false,
    ))
  );
}

function check(name: string, canary: boolean, run: (kit: ServiceKit) => Promise<ServiceFinding | undefined>) {
  const words = { title: name, hint: 'fix it', requirements: ['CRW-5'] as const, needs: [] };
  return serviceCheck({ id: `service/own/${name}`, ...words, canary, cases: () => [fc.constant(undefined)], run });
}

/** A creation that is no JSON, which a service refuses. */
const broken = check('broken', true, async (kit) => {
  await kit.attempt('create', { body: Buffer.from('{"data":') });
  return undefined;
});

const harmless = [1, 2, 3].map((number) =>
  check(`harmless-${number}`, number === 1, async (kit) => {
    await kit.register();
    return undefined;
  }),
);

test(
  'a call that is refused kills it, and nobody starts it again: that call is shown',
  { timeout },
  async (context) => {
    const ran = await held(context, 'nobody', [...harmless, broken]);
    const { counterexample } = ran.check('broken');
    expect(counterexample).toMatchObject({ requirements: ['ROB-2'], died: true });
    expect(counterexample!.actual).toMatch(/^it went away: .* and it did not come back within 5 s$/);
    expect(counterexample!.exchange.attempts.at(-1)).toMatchObject({ request: { body: { text: '{"data":' } } });
    expect(brokenIn(ran.summary)).toEqual(['ROB-2']);
    expect(exitCode(ran.summary)).toBe(1);
  },
);

test(
  'a call that is refused kills it, and the kit starts it again: all else is tried',
  { timeout },
  async (context) => {
    const ran = await held(context, 'kit', [...harmless, broken]);
    expect(ran.check('broken').counterexample).toMatchObject({ requirements: ['ROB-2'], died: true });
    expect(ran.check('broken').counterexample!.actual).toContain(
      'it died with exit code 1, after it wrote: SyntaxError',
    );
    for (const { id } of harmless) expect(ran.check(id.split('/').at(-1)).outcome).toBe('passed');
    expect(ran.summary.run.complete).toBe(true);
    expect(exitCode(ran.summary)).toBe(1);
  },
);

test(
  'a call that is refused kills it, and a loop starts it again: it came back by itself, and all else is tried',
  { timeout },
  async (context) => {
    const ran = await held(context, 'loop', [...harmless, broken]);
    expect(ran.check('broken').counterexample).toMatchObject({ requirements: ['ROB-2'], died: true });
    expect(ran.check('broken').counterexample!.actual).toMatch(/^it went away: .*, until something started it again$/);
    for (const { id } of harmless) expect(ran.check(id.split('/').at(-1)).outcome).toBe('passed');
    expect(ran.summary.lost).toBeUndefined();
    expect(exitCode(ran.summary)).toBe(1);
  },
);
