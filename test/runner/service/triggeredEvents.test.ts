import { afterEach, describe, expect, it } from 'vitest';

import type { CatchScript } from '../../../suites/exchange.ts';
import type { Notified } from '../../../suites/serviceKit.ts';
import { catalogue } from './catalogue.ts';
import { bodyOf, HandService, type HandNotification, type Traits } from './handService.ts';
import { check, finding, hold } from './testOwnService.ts';

const refuse: CatchScript = [{ do: 'respond', status: 500 }];
let service: HandService | undefined;

afterEach(async () => {
  await service?.close();
});

async function start(traits: Traits = {}): Promise<HandService> {
  return (service = await HandService.start(traits));
}

describe('what happens', () => {
  it('happens once for all cases that ask for the same event', async () => {
    const target = await start();
    const shared = check(
      'shared',
      async (kit) => {
        const webhook = await kit.register();
        return (await kit.arrival(webhook, await kit.trigger(kit.scenarioEvents[0])))
          ? undefined
          : finding(kit, 'nothing');
      },
      { values: [1, 2, 3, 4, 5, 6] },
    );
    const held = await hold(target, [shared]);
    expect(held.check()).toMatchObject({ outcome: 'passed', cases: 6 });
    expect(target.raised.filter((event) => event === target.raised.at(-1))).toHaveLength(1);
    expect(target.raised).toHaveLength(2);
  });

  it('happens stage by stage for scenarios of several', async () => {
    const target = await start();
    const staged = check(
      'staged',
      async (kit) => {
        const webhook = await kit.register({ events: [kit.scenarioEvents[0], kit.scenarioEvents[1]] });
        for (const carrier of [kit.scenarioEvents[0], kit.scenarioEvents[1]]) {
          const arrived = await kit.arrival(webhook, await kit.trigger(carrier));
          if (arrived?.event !== carrier) return finding(kit, `${arrived?.event} came`);
        }
        return undefined;
      },
      { values: ['one', 'two', 'three'] },
    );
    const held = await hold(target, [staged]);
    const [, first, ...second] = target.raised;
    expect(held.check()).toMatchObject({ outcome: 'passed', cases: 3 });
    expect(second.length).toBeGreaterThan(0);
    expect(new Set(second).size).toBe(1);
    expect(second).not.toContain(first);
  });

  it('is refused once each time, however long the retries of what happened before take', async () => {
    const target = await start({ backoff: [5000] });
    const again = check('again', async (kit) => {
      const [event] = kit.scenarioEvents;
      const webhook = await kit.register();
      for (let time = 0; time < 3; time++) await kit.arrival(webhook, await kit.trigger(event));
      const refused = () => target.notifications.filter((each) => each.event === event && each.status === 'pending');
      await kit.soon(() => refused().length === 3 || undefined, 10_000);
      return refused().length === 3 ? undefined : finding(kit, `${refused().length} wait for a retry`);
    });
    const held = await hold(target, [again]);
    expect(held.check()).toMatchObject({ outcome: 'passed' });
  });

  it('happens for a late case while others wait for retries', async () => {
    const target = await start({ backoff: [60] });
    const order: string[] = [];
    let begun: Notified | undefined;
    const waiting = check('waiting', async (kit) => {
      const webhook = await kit.register({ script: refuse });
      begun = await kit.arrival(webhook, await kit.trigger(kit.scenarioEvents[0]));
      await kit.untilAttempt(begun!, 13);
      order.push('exhausted');
      return undefined;
    });
    const late = check('late', async (kit) => {
      const webhook = await kit.register({ events: [kit.scenarioEvents[1]] });
      await kit.until(async () => begun);
      await kit.arrival(webhook, await kit.trigger(kit.scenarioEvents[1]));
      order.push('served');
      return undefined;
    });
    const held = await hold(target, [waiting, late]);
    expect(held.summary.summary).toMatchObject({ passed: 2 });
    expect(order).toEqual(['served', 'exhausted']);
  });
});

/** Two triggered events at one webhook, each with a notification of its own. */
const twice = check('twice', async (kit) => {
  const events = [kit.scenarioEvents[0], kit.scenarioEvents[1]];
  const webhook = await kit.register({ events });
  for (const event of events) {
    if ((await kit.arrival(webhook, await kit.trigger(event))) === undefined) return finding(kit, 'nothing came');
  }
  return undefined;
});

describe('a service of which nothing can be reported', () => {
  it('is inconclusive where it sends nothing at all', async () => {
    const target = await start({ tells: () => false });
    const held = await hold(target, [twice], { retryWindow: 200 });
    expect(held.check()).toMatchObject({ outcome: 'inconclusive' });
    expect(held.check().reason).toContain('came, not even to a webhook that accepts everything');
    expect(held.summary.errors).toEqual([]);
  });

  it('is inconclusive where it sends one delivery at a time, and that hangs: the reason says so', async () => {
    const target = await start({ inOrder: 'of all' });
    const held = await hold(
      target,
      [
        check('behind', async (kit) => {
          const [first, second] = kit.scenarioEvents;
          const hanging = await kit.register({ events: [first], script: [{ do: 'hang' }] });
          await kit.arrival(hanging, await kit.trigger(first));
          const webhook = await kit.register({ events: [second] });
          return (await kit.arrival(webhook, await kit.trigger(second))) ? undefined : finding(kit, 'nothing came');
        }),
      ],
      { retryWindow: 400 },
    );
    expect(held.check().reason).toMatch(/had more than 1 delivery under way at once, so this one may have waited/);
  });

  it('is shown broken where one webhook alone hears nothing', async () => {
    const deaf = (url: string) => [...service!.webhooks.values()].findIndex((each) => each.url === url) > 1;
    const target = await start({ tells: ({ url, events }, event) => events.includes(event) && !deaf(url) });
    const reported = check('reported', async (kit) => {
      const webhook = await kit.register();
      const triggered = await kit.trigger(kit.scenarioEvents[0]);
      return (await kit.arrival(webhook, triggered)) ? undefined : finding(kit, 'nothing came', true);
    });
    const held = await hold(target, [reported]);
    expect(held.check()).toMatchObject({ outcome: 'failed', counterexample: { actual: 'nothing came' } });
  });
});

describe('a service with ways of its own', () => {
  it('may raise other events meanwhile', async () => {
    const emit: Traits['answer'] = ({ path }, own) => {
      if (path === '/emit') own.raise(catalogue.found);
      return undefined;
    };
    const held = await hold(await start({ answer: emit }), [
      check('meanwhile', async (kit) => {
        const webhook = await kit.register({ events: [kit.scenarioEvents[0], catalogue.found] });
        const triggered = await kit.trigger(kit.scenarioEvents[0]);
        const all = await kit.arrivals(webhook, triggered);
        const own = await kit.arrival(webhook, triggered);
        const names = all.map(({ event }) => event);
        return own?.event === kit.scenarioEvents[0] && names.includes(catalogue.found)
          ? undefined
          : finding(kit, names.join());
      }),
    ]);
    expect(held.check()).toMatchObject({ outcome: 'passed' });
  });

  it('may give all webhooks the same notification id', async () => {
    const target = await start({ idFor: (_webhook, _event, occurrence) => occurrence });
    const held = await hold(target, [
      check('same-id', async (kit) => {
        const [accepted, refused] = [await kit.register(), await kit.register({ script: refuse })];
        const triggered = await kit.trigger(kit.scenarioEvents[0]);
        const one = (await kit.arrival(accepted, triggered))!;
        const other = (await kit.arrival(refused, triggered))!;
        const retried = await kit.untilAttempt(other, 13);
        const quiet = await kit.staysQuiet(one);
        return one.id === other.id && retried && quiet ? undefined : finding(kit, 'mixed up');
      }),
    ]);
    expect(held.check()).toMatchObject({ outcome: 'passed' });
  });

  it.each<readonly [string, Traits]>([
    ['one id for everything', { idFor: () => '9e0b6d5c-7b1f-4a3e-8d2c-5f6a7b8c9d0e' }],
    ['no ids', { bodyOf: (notification) => bodyOf({ ...notification, id: undefined } as unknown as HandNotification) }],
    ['no JSON', { bodyOf: ({ event }) => `event=${event}` }],
  ])('is still seen sending where its notifications have %s', async (_, traits) => {
    const held = await hold(await start(traits), [twice]);
    expect(held.check()).toMatchObject({ outcome: 'passed' });
  });
});
