import { expect, test } from 'vitest';

import { receiverFaults } from '../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import type { ReceiverPolicies } from '../../reference/receiver/policies.ts';
import { startReceiver } from '../../reference/receiver/receiver.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';
import type { ReceiverPlanOptions } from '../../runner/receiver/receiverPlan.ts';
import { asFound, complaints, secret, testReceiver } from './testReceiver.ts';

/** What this check finds in the reference with these policies. */
async function found(
  check: string,
  policies: Partial<ReceiverPolicies>,
  options: ReceiverPlanOptions = {},
): Promise<Counterexample> {
  const receiver = await startReceiver({ secrets: [secret], policies });
  const { checks } = await testReceiver(receiver, {
    only: [check],
    seed: 42,
    settle: 400,
    intensity: 'quick',
    ...asFound,
    ...options,
  });
  return checks.find(({ id }) => id === check)!.counterexample!;
}

test.concurrent('a genuine delivery that is refused since its id came forged is seen without a probe', async () => {
  const policies = receiverFaults['refuses-an-id-that-came-forged']!.change(conformingPolicies);
  const { actual, exchange, hint } = await found('receiver/signature/forged', policies, { probe: undefined });
  expect(actual).toBe('401 Unauthorized');
  expect(exchange.difference).toMatch(/, then the genuine delivery of the same id, twice$/);
  expect(hint).toMatch(/^A delivery that is refused must leave everything as it was\./);
});

test.concurrent('where the delivery after another method is refused, the body that was left unread is spoken of', async () => {
  let isLeft = false;
  const { actual, hint } = await found('receiver/robustness/other-methods', {
    tune: (server) =>
      server.prependListener('request', ({ method, url }) => (isLeft ||= method === 'PUT' && url === '/hooks')),
    admit: () => {
      const reply = isLeft ? { status: 501, body: '' } : undefined;
      isLeft = false;
      return reply;
    },
  });
  expect(actual).toBe('501 Not Implemented');
  expect(hint).toMatch(/^What was refused before makes the next delivery fail\./);
});

test.concurrent('who is kept out for a moment after some refusals is not said to be served no more', async () => {
  let [refused, bans, bannedUntil] = [0, 0, 0];
  const policies: Partial<ReceiverPolicies> = {
    admit: () => (performance.now() < bannedUntil ? { status: 403 } : undefined),
    answer: (outcome, ...rest) => {
      if (outcome === 'unreadable' && (refused += 1) % 2 === 0) {
        bans += 1;
        bannedUntil = performance.now() + 300;
      }
      return conformingPolicies.answer(outcome, ...rest);
    },
  };
  const receiver = await startReceiver({ secrets: [secret], policies });
  const only = ['receiver/robustness/malformed-json'];
  const summary = await testReceiver(receiver, { only, seed: 42, settle: 100, intensity: 'quick' });
  expect(bans).toBeGreaterThan(0);
  expect(complaints(summary)).toEqual([
    expect.stringContaining('inconclusive: a plain delivery was refused after it, and accepted the next time'),
  ]);
});

test.concurrent('what fails in its plain form as well is not said to fail for its encoding', async () => {
  let plain: string | undefined;
  const policies: Partial<ReceiverPolicies> = {
    admit: ({ headers: { 'content-length': length } }) => ((plain ??= length) === length ? undefined : { status: 500 }),
  };
  const receiver = await startReceiver({ secrets: [secret], policies });
  const only = ['receiver/robustness/unusual-encoding'];
  const { checks } = await testReceiver(receiver, { only, seed: 42, settle: 100, intensity: 'quick' });
  expect(checks[0]!.outcome).toBe('inconclusive');
});
