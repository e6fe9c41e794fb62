import { expect, test } from 'vitest';

import { receiverFaults } from '../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../reference/receiver/receiver.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { signedContract } from './signedContract.ts';
import { asFound, complaints, secret, testReceiver } from './testReceiver.ts';
import { brokenIn } from '../brokenIn.ts';

const signature = { headers: { 'X-SVC-Webhook-Signature': '{digest}' } };
const contract = signedContract(signature, { redeliveryHeaders: { 'X-Retry-Number': '1' } });
const only = [
  'receiver/idempotency/first-delivery-failed',
  'receiver/retries/broken-connection',
  'receiver/signature/every-setting',
];

async function held(fault?: string): Promise<RunSummary> {
  const policies = fault === undefined ? {} : receiverFaults[fault]!.change(conformingPolicies);
  const receiver = await startReceiver({ secrets: [secret], policies });
  return testReceiver(receiver, { contract, only, seed: 7, settle: 300, ...asFound });
}

test.concurrent('the reference takes a redelivery, however it is marked', { timeout: 60_000 }, async () => {
  const summary = await held();
  expect(complaints(summary)).toEqual([]);
  expect(summary.checks.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'passed']);
});

test.concurrent(
  'takes-a-marked-redelivery-for-done is found, and the header is named',
  { timeout: 60_000 },
  async () => {
    const { checks, requirements } = await held('takes-a-marked-redelivery-for-done');
    const broken = brokenIn({ requirements });
    expect(broken.toSorted()).toEqual(['IDM-5', 'RTY-1']);
    for (const { counterexample } of checks.filter(({ outcome }) => outcome === 'failed')) {
      expect(counterexample?.hint).toMatch(
        /^What comes with X-Retry-Number is dropped, also where nothing came before it/,
      );
      const headers = counterexample?.exchange.attempts.at(-1)?.request.headers;
      expect(headers).toContainEqual(['X-Retry-Number', '1']);
    }
  },
);

test.concurrent(
  'takes-a-marked-redelivery-unverified is found, and the header is named',
  { timeout: 60_000 },
  async () => {
    const { checks, requirements } = await held('takes-a-marked-redelivery-unverified');
    expect(brokenIn({ requirements })).toEqual(['VRF-2']);
    const found = checks.find(({ outcome }) => outcome === 'failed');
    expect(found?.counterexample?.summary).toContain('with X-Retry-Number: 1');
  },
);
