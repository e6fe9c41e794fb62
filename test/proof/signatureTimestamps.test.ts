import { describe, expect, test } from 'vitest';

import { receiverFaultNames, receiverFaults } from '../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import type { ReceiverPolicies } from '../../reference/receiver/policies.ts';
import { startReceiver } from '../../reference/receiver/receiver.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../runner/receiver/receiverPlan.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { asFound, complaints, testReceiver, secret } from './testReceiver.ts';
import { provenBy } from './provenBy.ts';
import { signedContract } from './signedContract.ts';
import { brokenIn } from '../brokenIn.ts';

const tolerance = 300_000;
const timeless = {
  signed: '{timestamp}.{body}',
  headers: { 'X-SVC-Webhook-Signature': 't={timestamp},v1={digest}' },
};
const contract = signedContract({ ...timeless, several: ',', tolerance: '5m' });
const only = ['VRF-7', 'VRF-8', 'VRF-9'];

async function held(fault?: string, options: ReceiverPlanOptions = {}): Promise<RunSummary> {
  const policies = fault === undefined ? {} : receiverFaults[fault]!.change(conformingPolicies);
  const receiver = await startReceiver({ secrets: [secret], tolerance, policies });
  return testReceiver(receiver, { contract, only, seed: 7, settle: 300, ...asFound, ...options });
}

describe.concurrent('a receiver of signatures with a timestamp', () => {
  test('the reference keeps to the tolerance', { timeout: 120_000 }, async () => {
    const summary = await held();
    expect(complaints(summary)).toEqual([]);
    const outcomes = summary.requirements.filter(({ id }) => only.includes(id)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['holds', 'holds', 'holds']);
  });

  test('the reference passes every other check of signatures too', { timeout: 180_000 }, async () => {
    const summary = await held(undefined, {
      only: ['receiver/signature/*', 'receiver/idempotency/redelivery-accepted'],
      skip: [...only, 'receiver/signature/without-secret', 'receiver/signature/from-the-start'],
    });
    expect(complaints(summary)).toEqual([]);
  });

  const faults = receiverFaultNames.filter((name) => receiverFaults[name]!.setting === 'timestamps');

  test.each(faults)('%s is found', { timeout: 120_000 }, async (fault) => {
    const isMalformed = receiverFaults[fault]!.breaks.includes('VRF-4');
    const others = isMalformed ? 'receiver/signature/malformed' : 'receiver/signature/several';
    const check = fault === 'takes-a-signature-of-the-body-alone' ? 'receiver/signature/forged' : others;
    const summary = await held(fault, { only: [...only, check] });
    const failed = summary.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
    const proven = Object.keys(provenBy).filter((check) => provenBy[check] === fault);
    expect({ broken: brokenIn(summary), complaints: complaints(summary) }).toMatchObject({
      broken: receiverFaults[fault]!.breaks,
    });
    expect(failed.map(({ id }) => id)).toEqual(expect.arrayContaining(proven));
    expect(summary.errors).toEqual([]);
    const isOfOtherUnit = fault === 'has-a-tolerance-in-another-unit';
    const words = isOfOtherUnit ? /^A timestamp that is much further/ : /^Compare the timestamp with your clock/;
    const tooOld = failed.filter(({ id }) => id === 'receiver/signature/too-old');
    expect(tooOld.filter(({ counterexample }) => !words.test(counterexample?.hint ?? ''))).toEqual([]);
  });
});

test('a receiver that refuses every redelivery is not said to misread timestamps', { timeout: 120_000 }, async () => {
  const { checks } = await held('answers-409-to-a-redelivery', { only: ['receiver/signature/signed-anew'] });
  expect(checks[0]!.outcome).toBe('inconclusive');
});

test('a receiver that acts on one event only is not left undecided for the others', { timeout: 120_000 }, async () => {
  const policies: Partial<ReceiverPolicies> = {
    accept: async (notification, ...rest) =>
      notification.event === 'container.updated' ? conformingPolicies.accept(notification, ...rest) : 'new',
  };
  const receiver = await startReceiver({ secrets: [secret], tolerance, policies });
  const options = { contract, only: ['receiver/signature/signed-anew'], seed: 7, settle: 300 };
  const { checks } = await testReceiver(receiver, options);
  expect(checks.map(({ outcome }) => outcome)).toEqual(['passed']);
});

describe('a contract that promises no tolerance', () => {
  const without = signedContract(timeless);

  test('has no requirement of timestamps, and their checks do not run', async () => {
    const asked = { contract: without, secret: [secret], only: ['receiver/signature/*'] };
    const plan = await receiverPlan('http://127.0.0.1:9/hooks', asked);
    expect(plan.contract.requirements.filter(({ id }) => only.includes(id))).toEqual([]);
    const checks = plan.checks.map(({ id }) => id);
    expect(checks).toContain('receiver/signature/forged');
    expect(checks).not.toContain('receiver/signature/too-old');
  });

  test('cannot be asked for one', { timeout: 60_000 }, async () => {
    const asked = held(undefined, { contract: without, only: ['VRF-7'] });
    await expect(asked).rejects.toThrow('VRF-7');
  });
});
