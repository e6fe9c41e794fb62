import { expect, test } from 'vitest';

import { receiverFaults } from '../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../reference/receiver/receiver.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { complaints, secret, testReceiver } from './testReceiver.ts';

const checks = receiverChecks.filter(({ id }) => id === 'receiver/idempotency/repeated-names');

async function tested(fault: string) {
  const policies = receiverFaults[fault]!.change(conformingPolicies);
  return testReceiver(await startReceiver({ secrets: [secret], policies }), { checks, seed: 42, settle: 100 });
}

test('a receiver that takes every redelivery for a new one is not said to read two ids of one body', async () => {
  expect(complaints(await tested('deduplicates-nothing'))).toEqual([]);
});

test('the body with two ids is shown behind the delivery whose id it repeats', async () => {
  const { checks: all } = await tested('reads-one-of-two-ids-and-works-with-the-other');
  expect(all[0]?.counterexample?.exchange.attempts).toHaveLength(2);
});
