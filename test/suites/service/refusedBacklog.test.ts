import { expect, test } from 'vitest';

import { refusedHoldsUpNobody } from '../../../suites/service/load/checks.ts';
import { HandService, type HandWebhook, type Traits } from '../../runner/service/handService.ts';
import { hold, inTime } from '../../runner/service/testOwnService.ts';

async function held(traits: Traits) {
  return inTime(async () => {
    const service = await HandService.start(traits);
    return hold(service, [refusedHoldsUpNobody], { retryWindow: 30_000 }).finally(() => service.close());
  });
}

test('a queue that keeps the order of what happened loses nothing', async () => {
  const run = await held({ inOrder: true, backoff: [200] });
  expect(run.check()).toMatchObject({ outcome: 'passed' });
});

test('a webhook that is notified of three notifications at most is found', async () => {
  const reported = new Map<HandWebhook, number>();
  const tells = (webhook: HandWebhook, event: string): boolean => {
    if (!webhook.events.includes(event) || webhook.events.length > 2) return webhook.events.includes(event);
    reported.set(webhook, (reported.get(webhook) ?? 0) + 1);
    return reported.get(webhook)! <= 3;
  };
  const run = await held({ tells, backoff: [100] });
  expect(run.check()).toMatchObject({ outcome: 'failed', counterexample: { requirements: ['DLV-6'] } });
});
