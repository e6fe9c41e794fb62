import { expect, test } from 'vitest';

import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../reference/receiver/receiver.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { secret, testReceiver } from './testReceiver.ts';

type Policies = Partial<typeof conformingPolicies>;

/** A receiver that acknowledges every notification, remembers its id, and loses those at these places. */
function losing(isLost: (place: number) => boolean): Policies {
  const known = new Set<string>();
  return {
    accept: async (notification, ...rest) => {
      if (known.has(notification.id)) return 'duplicate';
      known.add(notification.id);
      return isLost(known.size) ? 'new' : conformingPolicies.accept(notification, ...rest);
    },
  };
}

async function tested(only: readonly string[], policies = losing((place) => place % 4 === 0)): Promise<RunSummary> {
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
    const summary = await tested([`receiver/${check}`]);
    expect(brokenIn(summary)).toEqual([]);
    // The plain ones that were lost are no proof of RTY-1, but it does not hold either.
    const { outcome, unconfirmed } = summary.checks.find(({ id }) => id === `receiver/${check}`)!;
    expect(outcome === 'passed' ? ['RTY-1'] : unconfirmed).toEqual(['RTY-1']);
  },
);

test('what is lost from the beginning on is not said to be taken for another id', async () => {
  const summary = await tested(['receiver/load/after-many', 'receiver/acceptance/included']);
  expect(brokenIn(summary)).toEqual(['RTY-1']);
  const { counterexample } = summary.checks.find(({ id }) => id === 'receiver/load/after-many')!;
  expect(counterexample?.exchange.difference).toMatch(/; about as many were lost at the beginning of the run$/);
});

test('where most are lost, it is said how many, and what makes many ids the same', async () => {
  const most = losing((place) => place % 4 !== 0);
  const summary = await tested(['receiver/load/after-many', 'receiver/acceptance/included'], most);
  expect(brokenIn(summary)).toEqual(['RTY-1']);
  const { counterexample } = summary.checks.find(({ id }) => id === 'receiver/load/after-many')!;
  expect(counterexample?.exchange.difference).toMatch(/, 7\d of which took no effect; about as many/);
  expect(counterexample?.hint).toMatch(/^Most of them are lost\. .* reads their first digits only\./);
});
