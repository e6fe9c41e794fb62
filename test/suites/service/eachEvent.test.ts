import { afterEach, describe, expect, it } from 'vitest';

import { eachEvent } from '../../../suites/service/samples/deliveredSamples.ts';
import { bodyOf, HandService } from '../../runner/service/handService.ts';
import { hold, inTime } from '../../runner/service/testOwnService.ts';

/** Milliseconds that the kit waits for a sample; far longer than a busy machine is late. */
const settle = 500;
let service: HandService | undefined;
const timers = new Set<NodeJS.Timeout>();

afterEach(async () => {
  timers.forEach(clearTimeout);
  await service?.close();
});

/** Sends samples so many milliseconds after they were asked for, those of one event never. */
async function held(delay: number, never?: string) {
  return inTime(async () => {
    await service?.close();
    service = await HandService.start({
      answer: ({ path, body: order }) => {
        if (path !== '/webhooks/trigger') return undefined;
        const { url, event } = JSON.parse(order) as { url: string; event: string };
        const body = bodyOf({ id: crypto.randomUUID(), event, createdAt: new Date().toISOString(), status: 'pending' });
        const headers = { 'Content-Type': 'application/json' };
        const send = (): void => void fetch(url, { method: 'POST', headers, body }).catch(() => {});
        if (event !== never) timers.add(setTimeout(send, delay));
        return { status: 202 };
      },
    });
    return hold(service, [eachEvent], { settle });
  });
}

describe('samples that come later than the kit waits', () => {
  it('are not missed where others are as late', async () => {
    expect((await held(settle + 50)).check()).toMatchObject({ outcome: 'passed' });
  });

  it('are missed where others come', async () => {
    const { outcome, counterexample } = (await held(20, 'container.created')).check();
    expect([outcome, counterexample?.hint]).toEqual(['failed', expect.stringMatching(/^Build the sample by /)]);
  });

  it('may be on their way to an address that is not the one of the kit, where nothing comes at all', async () => {
    service = await HandService.start({
      answer: ({ path }) => (path === '/webhooks/trigger' ? { status: 202 } : undefined),
    });
    const { url, token } = service;
    const { outcome, counterexample } = (await hold({ url, token }, [eachEvent], { settle })).check();
    expect([outcome, counterexample?.hint]).toEqual(['failed', expect.stringContaining('--catcher')]);
  });
});
