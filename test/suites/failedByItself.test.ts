import { expect, test } from 'vitest';

import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import type { ReceiverPolicies } from '../../reference/receiver/policies.ts';
import { startReceiver } from '../../reference/receiver/receiver.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { brokenIn } from '../brokenIn.ts';
import { conclusively } from '../proof/conclusively.ts';
import { secret, testReceiver } from '../proof/testReceiver.ts';

type Accept = ReceiverPolicies['accept'];

/** One of so many notifications waits in vain for a lock in the database. */
const every = 12;

async function tested(isMarkedFirst: boolean): Promise<RunSummary> {
  const marked = new Set<string>();
  let count = 0;
  const accept: Accept = async (notification, store, delivery) => {
    if (marked.has(notification.id)) return 'duplicate';
    count += 1;
    if (count % every !== 0) return conformingPolicies.accept(notification, store, delivery);
    if (isMarkedFirst) marked.add(notification.id);
    throw new Error('the database is locked');
  };
  const receiver = await startReceiver({ secrets: [secret], policies: { ...conformingPolicies, accept } });
  const only = [
    'receiver/acceptance/every-event',
    'receiver/acceptance/text',
    'receiver/signature/forged',
    'receiver/load/after-many',
  ];
  return testReceiver(receiver, { only, seed: 5, intensity: 'quick' });
}

test.concurrent('what was marked as known before it failed is lost, although it was accepted when it came again', async () => {
  const summary = await conclusively(() => tested(true));
  expect(brokenIn(summary)).toEqual(['RTY-1']);
  const found = summary.checks.find(({ id }) => id === 'receiver/load/after-many')?.counterexample;
  expect(found?.actual).toBe('it was accepted, and took no effect; a new one of the same content did');
});

test.concurrent('what is done when it comes again is not', async () => {
  const summary = await tested(false);
  expect(brokenIn(summary)).toEqual([]);
});

test.concurrent('an event that takes long from the beginning is not said to take longer at the end', async () => {
  const accept: Accept = async (notification, store, delivery) => {
    const isSlow = notification.event === 'container.transport.vessel_arrived';
    if (isSlow && !store.has(notification.id)) await new Promise((resolve) => setTimeout(resolve, 700));
    return conformingPolicies.accept(notification, store, delivery);
  };
  const receiver = await startReceiver({ secrets: [secret], policies: { ...conformingPolicies, accept } });
  const summary = await testReceiver(receiver, { only: ['receiver/load/after-many'], seed: 5, intensity: 'quick' });
  expect(summary.checks.find(({ id }) => id === 'receiver/load/after-many')?.outcome).toBe('passed');
});
