import { afterEach, describe, expect, it } from 'vitest';

import { loadChecks } from '../../../suites/service/load/checks.ts';
import { HandService, type HandWebhook, type Traits } from '../../runner/service/handService.ts';
import { hold, inTime } from '../../runner/service/testOwnService.ts';

const hundreds = loadChecks.filter(({ id }) => id === 'service/load/hundreds-of-webhooks');
const services = new Set<HandService>();

afterEach(() => Promise.all([...services].map((service) => service.close())));

/** Milliseconds; far more than anything takes here. */
const retryWindow = 30_000;

async function held(traits: Traits) {
  const from = performance.now();
  const run = await inTime(async () => {
    const service = await HandService.start(traits);
    services.add(service);
    return hold(service, hundreds, { retryWindow });
  });
  return { ...run.check(), isWaitedOut: performance.now() - from > retryWindow };
}

describe('webhooks of one event', () => {
  it('are not waited for to the end of the retry window where nothing more comes to any of them', async () => {
    const all: HandWebhook[] = [];
    const tells = (webhook: HandWebhook, event: string): boolean => {
      if (!all.includes(webhook)) all.push(webhook);
      return webhook.events.includes(event) && all.indexOf(webhook) % 2 === 0;
    };
    const seen = await held({ tells });
    expect(seen).toMatchObject({ outcome: 'failed', isWaitedOut: false });
    expect(seen.counterexample).toMatchObject({ requirements: ['DLV-6'] });
  });
});
