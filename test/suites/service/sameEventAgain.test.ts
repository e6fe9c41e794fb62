import { expect, test } from 'vitest';

import { sameEventAgain } from '../../../suites/service/delivery/sameEventAgain.ts';
import { HandService, type Traits } from '../../runner/service/handService.ts';
import { hold, inTime } from '../../runner/service/testOwnService.ts';

async function held(traits: Traits) {
  return inTime(async () => {
    const service = await HandService.start(traits);
    return hold(service, [sameEventAgain], { retryWindow: 4000 }).finally(() => service.close());
  });
}

test('webhooks that share the id of a notification are notified of each triggered event', async () => {
  const run = await held({ idFor: (_webhook, _event, occurrence) => occurrence });
  expect(run.check()).toMatchObject({ outcome: 'passed' });
});

test('what nobody is notified of again is open: it may not have happened', async () => {
  const happened = new Map<string, number>();
  const answer: Traits['answer'] = ({ path, body }) => {
    if (path !== '/emit') return undefined;
    const { event } = JSON.parse(body) as { event: string };
    const again = Date.now() - (happened.get(event) ?? 0) < 2500;
    happened.set(event, Date.now());
    return again ? { status: 204 } : undefined;
  };
  const run = await held({ answer });
  expect(run.check()).toMatchObject({ outcome: 'inconclusive' });
  expect(run.check().reason).toMatch(/^nothing came of/);
});
