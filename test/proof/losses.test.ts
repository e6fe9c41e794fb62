import { expect, test } from 'vitest';

import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../reference/receiver/receiver.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { secret, testReceiver } from './testReceiver.ts';

/** A receiver that acknowledges every fourth notification, remembers its id, and loses it. */
async function tested(only: readonly string[]): Promise<RunSummary> {
  const known = new Set<string>();
  const policies: Partial<typeof conformingPolicies> = {
    accept: async (notification, ...rest) => {
      if (known.has(notification.id)) return 'duplicate';
      known.add(notification.id);
      return known.size % 4 === 0 ? 'new' : conformingPolicies.accept(notification, ...rest);
    },
  };
  const receiver = await startReceiver({ secrets: [secret], policies });
  return testReceiver(receiver, { only, seed: 42, settle: 100, shrinkTime: 0, intensity: 'quick' });
}

function brokenIn({ requirements }: RunSummary): readonly string[] {
  return requirements.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id);
}

test('a receiver that loses some of what it accepts is said to lose it', async () => {
  expect(brokenIn(await tested(['receiver/load/long-queue']))).toEqual(['RTY-1']);
});

test.concurrent.each(['acceptance/unknown-members', 'idempotency/concurrent-copies'])(
  'no case of %s is said to be the cause of what is lost without it as well',
  async (check) => {
    expect(brokenIn(await tested([`receiver/${check}`]))).toEqual([]);
  },
);

test('what is lost from the beginning on is not said to be taken for another id', async () => {
  const summary = await tested(['receiver/load/after-many', 'receiver/acceptance/included']);
  expect(brokenIn(summary)).toEqual(['RTY-1']);
  const { counterexample } = summary.checks.find(({ id }) => id === 'receiver/load/after-many')!;
  expect(counterexample?.exchange.difference).toMatch(/; about as many were lost at the beginning of the run$/);
});
