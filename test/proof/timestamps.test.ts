import { describe, expect, test } from 'vitest';

import { receiverFaultNames, receiverFaults } from '../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../reference/receiver/receiver.ts';
import type { ReceiverPlanOptions } from '../../runner/receiver/receiverPlan.ts';
import { parseSignature } from '../../spec/parseSignature.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { complaints, holdAgainst, secret } from './holdAgainst.ts';
import { provenBy } from './provenBy.ts';

const tolerance = 300_000;
const scheme = parseSignature({
  signed: '{timestamp}.{body}',
  tolerance: '5m',
  headers: { 'X-SVC-Webhook-Signature': 't={timestamp},v1={digest}' },
});
const only = ['VRF-7', 'VRF-8', 'VRF-9'];

async function held(fault?: string, options: ReceiverPlanOptions = {}): Promise<RunSummary> {
  const policies = fault === undefined ? {} : receiverFaults[fault]!.change(conformingPolicies);
  const receiver = await startReceiver({ secrets: [secret], tolerance, policies });
  return holdAgainst(receiver, { scheme, only, seed: 7, settle: 300, ...options });
}

function brokenIn({ requirements }: RunSummary): readonly string[] {
  return requirements.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id);
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
      skip: [...only, 'receiver/signature/without-secret'],
    });
    expect(complaints(summary)).toEqual([]);
  });

  const faults = receiverFaultNames.filter((name) => receiverFaults[name]!.setting === 'timestamps');

  test.each(faults)('%s is found', { timeout: 120_000 }, async (fault) => {
    const summary = await held(fault, { only: [...only, 'receiver/signature/several'] });
    const failed = summary.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
    const proven = Object.keys(provenBy).filter((check) => provenBy[check] === fault);
    expect({ broken: brokenIn(summary), complaints: complaints(summary) }).toMatchObject({
      broken: receiverFaults[fault]!.breaks,
    });
    expect(failed.map(({ id }) => id)).toEqual(expect.arrayContaining(proven));
    expect(summary.errors).toEqual([]);
  });
});

describe('a contract that promises no tolerance', () => {
  const { tolerance: _, ...timeless } = scheme;

  test('has no requirement of timestamps, and their checks do not run', { timeout: 60_000 }, async () => {
    const summary = await held(undefined, { scheme: timeless, only: ['receiver/signature/*'], intensity: 'quick' });
    expect(summary.requirements.filter(({ id }) => only.includes(id))).toEqual([]);
    expect(summary.checks.map(({ id }) => id)).not.toContain('receiver/signature/too-old');
  });

  test('says so where one was required', { timeout: 60_000 }, async () => {
    const { requirements } = await held(undefined, {
      scheme: timeless,
      only: ['VRF-1', 'VRF-7'],
      require: ['VRF-7'],
      intensity: 'quick',
    });
    expect(requirements.filter(({ id }) => only.includes(id))).toMatchObject([
      {
        id: 'VRF-7',
        outcome: 'not-observed',
        required: true,
        reason: expect.stringContaining('promises no tolerance'),
      },
    ]);
  });

  test('says so where nothing else was asked for', { timeout: 60_000 }, async () => {
    const { checks } = await held(undefined, { scheme: timeless, only: ['receiver/signature/too-old'] });
    expect(checks).toMatchObject([
      {
        outcome: 'not-observable',
        reason: 'the contract promises no tolerance of timestamps: there is nothing to test',
      },
    ]);
  });
});
