import { afterEach, describe, expect, test } from 'vitest';

import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { runReceiver } from '../../../runner/receiver/engine.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../../runner/receiver/receiverPlan.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import type { Reply } from '../../../reference/receiver/records.ts';

const secret = ['a secret of the control'];
const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** The reference, which refuses every genuine delivery whose body the pattern does not find. */
async function taking(pattern: RegExp, status: number): Promise<string> {
  const refusal: Reply = { status, body: 'refused' };
  const receiver = await startReceiver({
    secrets: secret,
    policies: {
      answer: (outcome, delivery, notification) =>
        outcome === 'forged' || pattern.test(delivery.body.toString())
          ? conformingPolicies.answer(outcome, delivery, notification)
          : refusal,
    },
  });
  cleanUps.push(() => receiver.close());
  return receiver.url;
}

async function held(url: string, only: readonly string[], options: ReceiverPlanOptions = {}): Promise<RunSummary> {
  const plan = await receiverPlan(url, { secret, only, intensity: 'quick', seed: 7, ...options });
  return summarise(await Array.fromAsync(runReceiver(plan)));
}

test('a receiver that takes fractions of a second alone is tested with these, and found', async () => {
  const url = await taking(/"created_at":"[^"]*\.\d{3}Z"/, 422);
  const { lost, checks, requirements } = await held(url, ['RCV-1', 'RCV-2', 'VRF-2', 'VRF-3']);
  expect(lost).toBeUndefined();
  expect(requirements.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id)).toEqual(['RCV-2']);
  expect(requirements.find(({ id }) => id === 'RCV-1')?.outcome).toBe('holds');
  const { counterexample } = checks.find(({ id }) => id === 'receiver/acceptance/timestamps')!;
  expect(counterexample!.exchange.twin!.request.body.text).toMatch(/"created_at":"[^"]*:\d\d\.000Z"/);
  expect(checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([
    'receiver/acceptance/timestamps',
  ]);
});

test('a receiver that takes any fraction, and no whole seconds, is found too', async () => {
  const { checks } = await held(await taking(/"created_at":"[^"]*\.\d+Z"/, 400), ['RCV-2']);
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  expect(failed.map(({ id, counterexample }) => [id, counterexample?.summary])).toMatchObject([
    ['receiver/acceptance/timestamps', expect.stringContaining('whole seconds: 400')],
  ]);
});

test.each([400, 415, 422])('where a plain delivery is refused with %i, the content may be why', async (status) => {
  const { lost, summary } = await held(await taking(/nothing says so/, status), ['RCV-1']);
  expect(lost?.reason).toContain(`the receiver answered ${status}`);
  expect(lost?.advice).toMatch(
    /the signature may have been right\. It was the event container\.transport\.vessel_arrived as application\/json, created at "20[\d:T-]+Z", with the delivery status "pending" and \d+ bytes in all\. .* Check --secret/,
  );
  expect(summary.deliveries).toBeLessThan(50);
});

test('where it is refused with 401, nothing is said of the content', async () => {
  const { lost } = await held(await taking(/nothing says so/, 401), ['RCV-1']);
  expect(lost?.advice).toMatch(/^Check --secret, the path of the URL, and --events/);
});

describe('a receiver that refuses a body without a list of related resources', () => {
  const observed = { gap: 'GAP-1', value: 'a body without a list of related resources is not accepted' };

  test('breaks nothing, and that is observed', async () => {
    const { requirements, checks, observations } = await held(await taking(/"included":/, 400), ['RCV-*']);
    expect(requirements.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id)).toEqual([]);
    expect(checks.find(({ id }) => id === 'receiver/acceptance/included')?.outcome).toBe('passed');
    expect(observations).toContainEqual({ ...observed, evidence: '400 Bad Request' });
  });

  test.each([
    ['optional', ['RCV-2']],
    ['always', []],
  ])('where its presence is assumed to be %s, %j is broken', async (presence, broken) => {
    const url = await taking(/"included":/, 400);
    const summary = await held(url, ['receiver/acceptance/included'], { assume: { 'included.presence': presence } });
    const { requirements, observations } = summary;
    expect(requirements.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id)).toEqual(broken);
    expect(observations).not.toContainEqual(expect.objectContaining(observed));
  });
});
