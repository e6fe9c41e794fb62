import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

import { expect, test, type TestContext } from 'vitest';

import { runFuzz } from '../../../runner/fuzz/runFuzz.ts';
import { receiverPlan } from '../../../runner/receiver/receiverPlan.ts';
import { receiverModel } from '../../../suites/fuzz/receiver/index.ts';
import type { Finding } from '../../../suites/check.ts';
import type { ReceiverFuzzing, SequenceResult } from '../../../suites/fuzz/fuzzing.ts';
import { failuresOf, searched } from './searchReceiver.ts';
import { toyModel } from './toyModel.ts';
import { endOf } from '../endOf.ts';

/** Finds fault with every sequence, and interrupts the run at one of them. */
function interrupting(at: number, absence: boolean): { readonly model: ReceiverFuzzing; readonly signal: AbortSignal } {
  const controller = new AbortController();
  let played = 0;
  const run = async (kit: Parameters<typeof toyModel.run>[0]): Promise<SequenceResult<Finding>> => {
    await kit.deliver(kit.compose(kit.control));
    if (++played === at) controller.abort();
    const seen = { requirements: ['RCV-1'], expected: 'one', actual: 'none', cause: 'lost', absence } as const;
    return { judged: ['RCV-1'], features: [], finding: { ...seen, attempts: kit.attempts } };
  };
  return { model: { ...toyModel, run }, signal: controller.signal };
}

test.for([
  ['in its last sequence', 8, { outcome: 'flaky', rate: { failed: 0, tries: 0 } }, 'inconclusive'],
  ['while it is shrunk', 20, { outcome: 'failed', rate: { failed: 1, tries: 1 } }, 'failed'],
] as const)('what was missing is reported when a run is interrupted %s', async ([, at, reported, outcome], context) => {
  const right = await searched(undefined, context);
  const { model, signal } = interrupting(at, true);
  const events = await right.search({ runs: 8 }, { model, plan: { signal } });
  const [failure, ...others] = failuresOf(events);
  expect(others).toEqual([]);
  expect(failure).toMatchObject(reported);
  expect(existsSync(failure!.counterexample.file!)).toBe(true);
  expect(endOf(events, 'receiver/fuzz/rcv-1')).toMatchObject({ outcome });
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', complete: false, interrupted: true });
});

test('a fact is reported as broken, even where the run ended before it was tried again', async (context) => {
  const right = await searched(undefined, context);
  const { model, signal } = interrupting(8, false);
  const events = await right.search({ runs: 8 }, { model, plan: { signal } });
  expect(failuresOf(events)).toMatchObject([{ outcome: 'failed', rate: { failed: 0, tries: 0 } }]);
  expect(endOf(events, 'receiver/fuzz/rcv-1')).toMatchObject({ outcome: 'failed' });
});

/** Searches a receiver that answers so many requests, and then none. */
async function searchedHanging(context: TestContext, answers: number, { time = 60_000, timeout = 300 } = {}) {
  const { folder } = await searched(undefined, context);
  let count = 0;
  const hanging = createServer((request, response) => {
    request.resume();
    count += 1;
    if (count <= answers) request.on('end', () => response.writeHead(204).end());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => hanging.once('listening', resolve));
  context.onTestFinished(async () => {
    hanging.closeAllConnections();
    await new Promise((resolve) => hanging.close(resolve));
  });
  const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/hooks`;
  const given = { url, options: {}, env: [] };
  const plan = await receiverPlan(url, { seed: 7, timeout, checks: [], directory: folder, given });
  const budget = { time, untilFailure: false };
  const search = { subject: 'receiver', plan, budget, feedback: false, corpus: folder } as const;
  return Array.fromAsync(runFuzz(search, { receiver: receiverModel }));
}

test.for([
  {
    under: 'its control',
    answers: 0,
    lost: ['the time of the run (--time, 3 s) was over before the first check could begin'],
  },
  { under: 'a sequence', answers: 60, lost: [] },
])('a search ends with its time, although $under hangs', async ({ answers, lost }, context) => {
  const begin = performance.now();
  const events = await searchedHanging(context, answers, { time: 3000, timeout: 60_000 });
  expect(performance.now() - begin).toBeLessThan(20_000);
  const reasons = events.flatMap((event) => (event.type === 'target.lost' ? [event.reason] : []));
  expect(reasons).toEqual(lost);
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', complete: lost.length === 0 });
});

test('a receiver that takes connections and answers nothing any more is lost, and broke nothing', async (context) => {
  const events = await searchedHanging(context, 100);
  expect(events.find(({ type }) => type === 'target.lost')).toMatchObject({
    // Either of two may notice it first.
    reason: expect.stringMatching(/answered nothing any more|the receiver hangs/) as string,
  });
  const outcomes = events.flatMap((event) => (event.type === 'check.finished' ? [event.outcome] : []));
  expect(new Set(outcomes)).toEqual(new Set(['inconclusive']));
  expect(failuresOf(events).filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', complete: false, interrupted: false });
});

test('what was not judged says what it lacks', async (context) => {
  const right = await searched(undefined, context);
  const { probe: _, ...blind } = await right.plan();
  const budget = { runs: 0, untilFailure: false };
  const search = { subject: 'receiver', plan: blind, budget, feedback: false, corpus: right.folder } as const;
  const events = await Array.fromAsync(runFuzz(search, { receiver: toyModel }));
  expect(endOf(events, 'receiver/fuzz/idm-2')).toMatchObject({
    reason: expect.stringContaining('--probe') as string,
  });
  expect(endOf(events, 'receiver/fuzz/idm-1')).toMatchObject({
    outcome: 'not-observable',
    reason: 'no sequence came to where it could be seen',
  });
});
