import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type TestContext } from 'vitest';

import { exitCode } from '../../../reports/model/exitCode.ts';
import { brokenBy } from '../../../reports/model/requirementOutcome.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { terminalReport } from '../../../reports/formats/terminal/index.ts';
import { freePort } from '../../../runner/catcher/freePort.ts';
import { runReceiver } from '../../../runner/receiver/runReceiver.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../../runner/receiver/receiverPlan.ts';
import type { Draw } from '../../../suites/draw.ts';
import { receiverChecks } from '../../../suites/receiver/index.ts';
import { brokenIn } from '../../brokenIn.ts';
import { further, isProof } from '../../proof/testReceiver.ts';
import { killGroup } from '../killGroup.ts';

const program = fileURLToPath(new URL('dyingReceiver.mjs', import.meta.url));
const secret = 'the secret of a mortal receiver';

/** Who starts the receiver: the kit, nobody after this test, or a shell loop. */
type Starter = 'kit' | 'nobody' | 'loop';

/** A quick run against a receiver that dies in this way. */
async function runOf(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  dies: string,
  starter: Starter,
  options: ReceiverPlanOptions,
): Promise<RunSummary> {
  const port = await freePort('127.0.0.1', new Set());
  const directory = await mkdtemp(join(tmpdir(), 'seaworthy-dying-'));
  const env = {
    DIES: dies,
    PORT: String(port),
    MARK: join(directory, 'died'),
    ...(options.secret && { SECRET: secret }),
  };
  const command = `'${process.execPath}' '${program}'`;
  if (starter !== 'kit') {
    const shell = starter === 'loop' ? `while true; do ${command}; done` : `exec ${command}`;
    const child = spawn(shell, {
      shell: true,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ...env },
    });
    onTestFinished(() => killGroup(child));
    await once(child.stdout, 'data');
  }
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const plan = await receiverPlan(`http://127.0.0.1:${port}/hooks`, {
    intensity: 'quick',
    seed: 7,
    // Each smaller case that it dies of costs a start.
    shrinkTime: 0,
    directory,
    given: { url: '/hooks', options: {}, env: [] },
    ...(starter === 'kit' && { start: `exec ${command}`, env }),
    ...(options.probe !== undefined && { probe: `http://127.0.0.1:${port}/effects/{id}` }),
    ...(options.secret && { secret: [secret] }),
    ...(options.time !== undefined && { time: options.time }),
    only: options.only ?? [],
    checks: options.checks ?? receiverChecks,
  });
  return summarise(await Array.fromAsync(runReceiver(plan)));
}

function checkOf(summary: RunSummary, id: string) {
  return summary.checks.find((check) => check.id === `receiver/${id}`)!;
}

/** Each kind of a malformed signature that a receiver dies of costs a start: a few of them are enough. */
const fewMalformed = receiverChecks.map((check) =>
  check.id === 'receiver/signature/malformed'
    ? { ...check, cases: (draw: Draw) => check.cases(draw).slice(0, 8) }
    : check,
);

const signatures = { secret: [secret], only: ['receiver/signature/*'] };
const timeout = 240_000;

test.concurrent.for([
  ['parsing', { only: ['receiver/robustness/malformed-json', 'receiver/acceptance/*'] }, 'robustness/malformed-json'],
  ...further(
    ['comparing', signatures, 'signature/nothing-added'] as const,
    ['nesting', { only: ['receiver/robustness/*-json'] }, 'robustness/unusual-json'] as const,
  ),
] as const)(
  'dies %s, and nobody starts it again: that is what is broken',
  { timeout },
  async ([dies, options], context) => {
    const summary = await runOf(context, dies, 'nobody', { ...options });
    expect(brokenIn(summary)).toEqual(['ROB-1']);
    expect(exitCode(summary)).toBe(1);
    expect(summary.verdict).toBe('does-not-conform');
    const [found, ...others] = summary.checks.filter((check) => brokenBy(check).length > 0);
    expect(others).toEqual([]);
    expect(found!.counterexample).toMatchObject({ died: true, requirements: ['ROB-1'] });
    expect(found!.counterexample!.actual).toBe(
      'it went away: connections to it were refused (ECONNREFUSED), and it did not come back within 5 s',
    );
    expect(found!.counterexample!.exchange.attempts.at(-1)).toMatchObject({ answer: { kind: 'broken' } });
    expect(summary.lost).toMatchObject({
      reason: expect.stringContaining('did not come back within 5 s') as string,
      advice: expect.stringContaining('--start <command>') as string,
    });
    const report = terminalReport(summary, { columns: 100, colors: false });
    expect(report).toContain('curl');
    expect(report).not.toContain('closed for good');
  },
);

test.concurrent(
  'dies comparing signatures, and the kit starts it: what it refused holds',
  { timeout },
  async (context) => {
    // One check for each requirement, and one whose cases it dies of while others are at work.
    const only = ['malformed', 'forged', 'header-case', 'changed-content', 'nothing-added'];
    const summary = await runOf(context, 'comparing', 'kit', {
      ...signatures,
      only: only.map((name) => `receiver/signature/${name}`),
      checks: fewMalformed,
    });
    expect(brokenIn(summary)).toEqual(['ROB-1']);
    expect(exitCode(summary)).toBe(1);
    expect(summary.run.complete).toBe(true);
    const { counterexample } = checkOf(summary, 'signature/malformed');
    expect(counterexample!.actual).toBe(
      'it died with exit code 1, after it wrote: RangeError: Input buffers must have the same byte length',
    );
    // The checks that it dies of come after the others, which are decided.
    expect(
      summary.checks.filter(({ outcome }) => outcome === 'inconclusive').map(({ id, reason }) => [id, reason]),
    ).toEqual([]);
    for (const id of ['VRF-1', 'VRF-2', 'VRF-3'])
      expect(summary.requirements.find((one) => one.id === id)?.outcome).toBe('holds');
    expect(checkOf(summary, 'signature/forged').outcome).toBe('passed');
    // It dies of nearly each of fifty kinds: of a SHOULD, five are enough to know. Some more are at work by then.
    expect(checkOf(summary, 'signature/nothing-added').cases).toBeLessThan(30);
  },
);

test.concurrent(
  'dies comparing signatures, and a loop starts it: it came back by itself',
  { timeout },
  async (context) => {
    // Of a SHOULD, five kinds that it dies of are enough.
    const only = ['receiver/signature/nothing-added', 'receiver/signature/every-spelling'];
    const summary = await runOf(context, 'comparing', 'loop', { ...signatures, only });
    expect(brokenIn(summary)).toEqual(['ROB-1']);
    expect(exitCode(summary)).toBe(1);
    expect(summary.run.complete).toBe(true);
    expect(summary.lost).toBeUndefined();
    expect(checkOf(summary, 'signature/nothing-added').counterexample!.actual).toBe(
      'it went away: connections to it were refused (ECONNREFUSED), until something started it again',
    );
    expect(summary.deaths[0]?.detail).toContain('something else started it again');
    expect(checkOf(summary, 'signature/every-spelling').outcome).toBe('passed');
  },
);

test.concurrent.for(['comparing for good', ...further('comparing for good, slowly')])(
  'dies %s, and fails after each start since then: that is what is broken',
  { timeout },
  async (dies, context) => {
    const only = ['malformed', 'forged', 'header-case'].map((name) => `receiver/signature/${name}`);
    const summary = await runOf(context, dies, 'kit', { secret: [secret], only, time: 40_000 });
    expect(brokenIn(summary)).toEqual(['ROB-1']);
    expect(exitCode(summary)).toBe(1);
    const [found, ...others] = summary.checks.filter((check) => brokenBy(check).length > 0);
    expect(others).toEqual([]);
    expect(found!.counterexample!.actual).toMatch(
      /^it died with exit code 1, after it wrote: RangeError: .*(?: \(another case that was under way may be what it died of\))?, and does not come up again: it answers plain requests with 500/,
    );
    expect(summary.lost?.reason).toMatch(/did not come up again: it answers plain requests with 500: /);
  },
);

test.concurrent(
  'dies some requests after its answer, and nobody starts it again: the cases before the last one are named as well',
  { timeout },
  async (context) => {
    const only = ['signature/nothing-added', 'robustness/malformed-json'].map((name) => `receiver/${name}`);
    const { lost } = await runOf(context, 'requests later', 'nobody', { secret: [secret], only });
    expect(`${lost!.reason} ${lost!.advice}`).toMatch(
      /signature\/nothing-added.*malformed-json|malformed-json.*nothing-added/s,
    );
  },
);

test.concurrent('dies a while after its answer: the case that it dies of is found', { timeout }, async (context) => {
  const only = ['signature/changed-content', 'acceptance/unknown-members'].map((name) => `receiver/${name}`);
  const summary = await runOf(context, 'later', 'kit', { secret: [secret], only });
  expect(brokenIn(summary)).toEqual(['ROB-1']);
  expect(checkOf(summary, 'signature/changed-content').counterexample!.actual).toContain('the audit log is closed');
  expect(checkOf(summary, 'acceptance/unknown-members').outcome).toBe('passed');
});

test.concurrent.for<Starter>(['kit', ...further<Starter>('nobody')])(
  'takes a forgery and dies of it a moment later (started by %s): it is found that it took it, and that it died',
  { timeout },
  async (starter, context) => {
    const only = ['receiver/signature/forged', 'receiver/signature/header-case'];
    const summary = await runOf(context, 'unawaited', starter, { secret: [secret], only });
    expect(brokenIn(summary).toSorted()).toEqual(['ROB-1', 'VRF-2']);
    const { actual, hint } = checkOf(summary, 'signature/forged').counterexample!;
    // Where nobody starts it again, a busy machine may let another case see that it is gone, which then says so.
    const died =
      /^200 OK, which says that it was accepted;.* (?:then|and after a case like this) it (?:died|went away)/;
    expect(actual).toMatch(starter === 'kit' ? died : /^200 OK, which says that it was accepted/);
    expect(hint).toMatch(/(?:Recompute|Use) the HMAC/);
  },
);

test
  .runIf(isProof)
  .concurrent(
    'dies a second after an empty signature, and nobody starts it again: that is awaited once, and found',
    { timeout },
    async (context) => {
      const only = ['receiver/signature/malformed', 'receiver/signature/forged', 'receiver/signature/header-case'];
      const summary = await runOf(context, 'seconds later', 'nobody', { secret: [secret], only });
      expect(brokenIn(summary)).toEqual(['ROB-1']);
      const [found] = summary.checks.filter((check) => brokenBy(check).length > 0);
      // On a busy machine it dies while the case is still under way, which is then named alone.
      expect(found!.counterexample!.actual).toMatch(
        /an earlier one.* may be what it died of|^it went away: connections to it were refused/,
      );
    },
  );

test.concurrent.for(further<Starter>('kit', 'nobody'))(
  'dies a second after an empty signature (started by %s), while others are at work: it is not they that are blamed',
  { timeout },
  async (starter, context) => {
    const refusals = ['malformed', 'forged', 'every-spelling'].map((name) => `receiver/signature/${name}`);
    const only = [...refusals, 'receiver/robustness/many-broken-off', 'receiver/load/backlog'];
    const summary = await runOf(context, 'seconds later', starter, { secret: [secret], only });
    expect(brokenIn(summary)).toEqual(['ROB-1']);
    const found = summary.checks.filter((check) => brokenBy(check).length > 0);
    expect(found.length).toBeGreaterThan(0);
    const blamed = found.map(({ id, counterexample }) => `${id}: ${counterexample!.actual}`);
    // On a busy machine it dies while hostile cases still come one at a time: then it is the last of those.
    const right = { kit: /signature.+exit code 5/, nobody: /signature|may be what it died of/, loop: /^/ }[starter];
    expect(blamed.filter((each) => !right.test(each))).toEqual([]);
  },
);

test
  .runIf(isProof)
  .concurrent(
    'dies while it works: what else it had taken does not count as its failure',
    { timeout },
    async (context) => {
      const only = ['acceptance/every-event', 'idempotency/takes-effect-once', 'retries/every-retry'].map(
        (name) => `receiver/${name}`,
      );
      const summary = await runOf(context, 'working', 'kit', { probe: 'yes', only });
      const blamed = summary.checks.flatMap((check) => brokenBy(check).map((id) => [check.id, id]));
      expect(blamed.filter(([, id]) => id !== 'ROB-1')).toEqual([]);
      expect(summary.deaths.length).toBeGreaterThan(0);
    },
  );

test
  .runIf(isProof)
  .concurrent('dies once of what no case shows: the run is no success', { timeout }, async (context) => {
    const summary = await runOf(context, 'once', 'kit', { only: ['receiver/acceptance/*'] });
    expect(brokenIn(summary)).toEqual([]);
    expect(summary.deaths).toHaveLength(1);
    expect(exitCode(summary)).toBe(3);
    expect(summary.verdict).toBe('inconclusive');
    expect(terminalReport(summary, { columns: 100, colors: false })).toContain('what of is not known');
  });

test.concurrent(
  'dies of what the control sends, and its probe with it: it is not the probe that is blamed',
  { timeout },
  async (context) => {
    const summary = await runOf(context, 'working', 'nobody', { probe: 'yes', only: ['receiver/idempotency/*'] });
    expect(exitCode(summary)).toBe(3);
    expect(summary.lost?.reason).toMatch(/went away|stopped taking connections/);
  },
);

test.concurrent(
  'dies of one of many, and nobody starts it again: each suspect can be tried alone',
  { timeout },
  async (context) => {
    const only = ['receiver/acceptance/every-event', 'receiver/idempotency/*', 'receiver/retries/every-retry'];
    const summary = await runOf(context, 'among', 'nobody', { probe: 'yes', only });
    expect(exitCode(summary)).toBe(3);
    expect(brokenIn(summary)).toEqual([]);
    const { advice } = summary.lost!;
    const files = [...advice.matchAll(/^seaworthy replay (\S+) /gm)].map(([, file]) => file!);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files)
      expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ seaworthy: 'case', requirements: ['ROB-1'] });
  },
);

test.concurrent('does not die: nothing is broken', { timeout }, async (context) => {
  // What the other tests see it die of.
  const signature = ['malformed', 'forged', 'nothing-added'].map((name) => `receiver/signature/${name}`);
  const only = [...signature, 'receiver/robustness/malformed-json', 'receiver/robustness/unusual-json'];
  const summary = await runOf(context, '', 'nobody', { secret: [secret], only });
  expect(brokenIn(summary)).toEqual([]);
  expect(summary.deaths).toEqual([]);
});
