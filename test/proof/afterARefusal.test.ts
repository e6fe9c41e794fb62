import { expect, test } from 'vitest';

import { receiverFaults } from '../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import type { ReceiverPolicies } from '../../reference/receiver/policies.ts';
import { startReceiver } from '../../reference/receiver/receiver.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';
import type { ReceiverPlanOptions } from '../../runner/receiver/receiverPlan.ts';
import { asFound, secret, testReceiver } from './testReceiver.ts';

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
