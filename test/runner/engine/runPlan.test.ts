import { describe, expect, test } from 'vitest';

import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { exitCode } from '../../../reports/model/exitCode.ts';
import { mergeRuns } from '../../../reports/model/mergeRuns.ts';
import { runProblems } from '../../../reports/model/runProblems.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import { shardDifferences } from '../../../reports/model/shards.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { verdictSentence } from '../../../reports/model/verdict.ts';
import { shards } from '../../../runner/engine/runPlan.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../../runner/receiver/receiverPlan.ts';
import { runReceiver } from '../../../runner/receiver/runReceiver.ts';
import { receiverChecks } from '../../../suites/receiver/index.ts';
import { serviceChecks } from '../../../suites/service/index.ts';

describe.each([
  ['receiver', receiverChecks],
  ['service', serviceChecks],
] as const)('the parts of the suite of a %s', (_, checks) => {
  test.each([1, 2, 3, 7, checks.length])('%i of them are the whole, in its order, and none is empty', (count) => {
    for (const startsTarget of [true, false]) {
      const parts = shards<(typeof checks)[number]>(checks, { index: 1, count }, startsTarget);
      expect(parts).toHaveLength(count);
      expect(parts.every(({ length }) => length > 0)).toBe(true);
      expect(parts.flat()).toEqual(checks);
    }
  });

  test('each has checks that run where the kit does not start the target', () => {
    const parts = shards<(typeof checks)[number]>(checks, { index: 1, count: 3 }, false);
    const running = parts.map((part) => part.filter(({ needs }) => !needs.some((need) => need === 'process-control')));
    expect(running.every(({ length }) => length > 10)).toBe(true);
  });
});

test('the last checks get parts of their own where the first one takes longest', () => {
  const checks = [100, 1, 1].map((weight) => ({ weight, needs: [] }));
  expect(shards(checks, { index: 1, count: 3 }, true).map(({ length }) => length)).toEqual([1, 1, 1]);
});

const secret = ['s'];
const acceptance = ['every-event', 'text', 'timestamps'].map((name) => `receiver/acceptance/${name}`);
const signature = ['every-spelling', 'forged', 'refusal'].map((name) => `receiver/signature/${name}`);
const selected = { only: [...acceptance, ...signature], require: ['VRF-2', 'RCV-1'] };

/** A quick run against the reference receiver, or of a part of it. */
async function runOf(url: string, options: ReceiverPlanOptions): Promise<RunSummary> {
  const plan = await receiverPlan(url, { secret, intensity: 'quick', seed: 5, settle: 100, ...selected, ...options });
  return summarise(await Array.fromAsync(runReceiver(plan)));
}

test('two parts of a run, merged, are the whole run', async () => {
  const receiver = await startReceiver({ secrets: secret });
  try {
    const whole = await runOf(receiver.url, {});
    const first = await runOf(receiver.url, { shard: { index: 1, count: 2 } });
    const second = await runOf(receiver.url, { shard: { index: 2, count: 2 } });
    const merged = mergeRuns([second, first]);
    const seen = ({ checks, requirements, verdict, leftOut, run, command }: RunSummary) => ({
      checks: checks.map((check) => ({ ...check, durationMs: 0 })),
      requirements,
      verdict,
      leftOut,
      complete: run.complete,
      shard: run.shard,
      command,
    });
    expect(seen(merged)).toEqual(seen(whole));
    expect(first.checks.length + second.checks.length).toBe(whole.checks.length);
    expect([first, second, merged].map(exitCode)).toEqual([0, 0, 0]);
    expect(verdictSentence(first)).toMatch(/^part 1 of 2: none broken; \d+ of 11 MUSTs observed in this part$/);
    expect(shardDifferences(first, { ...second, run: { ...second.run, shard: { index: 2, count: 3 } } })).toEqual([
      'the number of parts (--shard) differs: 2, and 3',
    ]);
  } finally {
    await receiver.close();
  }
});

test('a merged report without one of the parts is incomplete, and says which is missing', async () => {
  const receiver = await startReceiver({ secrets: secret });
  try {
    const parts = [1, 3].map((index) => runOf(receiver.url, { shard: { index, count: 3 } }));
    const [first, third] = await Promise.all(parts);
    const merged = mergeRuns([first!, third!]);
    expect(runProblems(merged).map(({ title }) => title)).toContain('part 2 of the run is missing');
    expect(merged.run.complete).toBe(false);
    expect(exitCode(merged)).not.toBe(0);
  } finally {
    await receiver.close();
  }
});

test.each<readonly [string, ReceiverPlanOptions]>([
  ['--shard 1/2 without --seed', { shard: { index: 1, count: 2 } }],
  ['--shard 3/9, and 1 check', { shard: { index: 3, count: 9 }, seed: 1, only: ['receiver/acceptance/text'] }],
])('what cannot be a part of a run is refused: %s', async (received, options) => {
  await expect(receiverPlan('http://127.0.0.1:9/hooks', { secret, ...options })).rejects.toThrow(received);
});
