import { afterEach, describe, expect, it } from 'vitest';

import type { CatchScript } from '../../../suites/exchange.ts';
import { HandService, type HandWebhook, resourceOf, type Traits } from './handService.ts';
import { check, finding, hold } from './testOwnService.ts';

const refuse: CatchScript = [{ do: 'respond', status: 500 }];
let service: HandService | undefined;

afterEach(async () => {
  await service?.close();
});

async function start(traits: Traits = {}): Promise<HandService> {
  return (service = await HandService.start(traits));
}

/** Refuses the calls with these methods, as an API does that does not have them. */
function without(...methods: readonly string[]): Traits {
  return { answer: ({ method }) => (methods.includes(method) ? { status: 405 } : undefined) };
}

const registers = check('registers', async (kit) => void (await kit.registerMany(3, () => ({}))), {
  needs: [],
  schedule: { kind: 'beside' },
});

/** Waits for a retry that takes a minute. */
const lasting = check('lasting', async (kit) => {
  const webhook = await kit.register({ script: refuse });
  const notified = await kit.arrival(webhook, await kit.trigger(kit.scenarioEvents[0]));
  return (await kit.untilAttempt(notified!, 2)) ? undefined : finding(kit, 'it came to an end');
});

describe('a webhook that was deleted', () => {
  /** The first case leaves its webhook at once, and in the second the same happens again and again. */
  const again = check<number>(
    'again',
    async (kit, times): Promise<undefined> => {
      await kit.register();
      for (let time = 0; time < times; time += 1) await kit.trigger(kit.scenarioEvents[0]);
    },
    { schedule: { kind: 'singly' }, values: [0, 4] },
  );
  const deleted = {
    type: 'observed',
    gap: 'GAP-13',
    value: 'a webhook that was deleted is notified of what happens later',
  };

  it('is observed where it is notified of what happens later', async () => {
    const target = await start({ answer: ({ method }) => (method === 'DELETE' ? { status: 204 } : undefined) });
    const { events } = await hold(target, [again], { intensity: 'thorough' });
    expect(events.filter(({ type }) => type === 'observed')).toContainEqual(expect.objectContaining(deleted));
  });

  it('is not where it is not, also where it is turned inactive instead', async () => {
    for (const traits of [{}, without('DELETE')]) {
      const { events } = await hold(await start(traits), [again], { intensity: 'thorough' });
      expect(events).not.toContainEqual(expect.objectContaining(deleted));
      await service?.close();
    }
  });
});

describe('after a run', () => {
  it('webhooks are deleted, those of the kit itself too', async () => {
    const target = await start();
    const { summary } = await hold(target, [registers]);
    expect(target.callsOf('POST', /^\/webhooks$/).length).toBeGreaterThan(3);
    expect([...target.webhooks.keys()]).toEqual([]);
    expect(summary.leftOver).toEqual([]);
  });

  it('a webhook is deleted whose creation was answered when its case was over, while others run', async () => {
    const later = Promise.withResolvers<undefined>();
    const target = await start({
      answer: ({ method, path, body }) => {
        if (method !== 'POST' || path !== '/webhooks') return undefined;
        return body.includes('X-Refused') ? { status: 422 } : body.includes('X-Late') ? later.promise : undefined;
      },
    });
    const named = (name: string) => ({ headers: [{ name, value: 'kit' }] });
    const both = check(
      'both',
      async (kit) => void (await Promise.all(['X-Late', 'X-Refused'].map((name) => kit.register(named(name))))),
      { needs: [], schedule: { kind: 'singly' } },
    );
    const left = () => [...target.webhooks.values()].filter(({ headers }) => headers?.[0]?.name === 'X-Late').length;
    const afterwards = check(
      'afterwards',
      async (kit) => {
        const deletions = () => target.callsOf('DELETE', /./).length;
        const before = deletions();
        later.resolve(undefined);
        await kit.until(async () => deletions() > before || undefined);
        return left() === 0 ? undefined : finding(kit, 'it is still there');
      },
      { needs: [], schedule: { kind: 'singly' } },
    );
    const held = await hold(target, [both, afterwards]);
    expect(held.check('afterwards')).toMatchObject({ outcome: 'passed' });
  });

  it('webhooks are not named that were deleted, and that the list still shows', async () => {
    const made = new Map<string, HandWebhook>();
    const target = await start({
      answer: ({ method, path }, { webhooks }) => {
        for (const [id, webhook] of webhooks) made.set(id, webhook);
        if (method !== 'GET' || path !== '/webhooks') return undefined;
        return { status: 200, body: { data: [...made.values()].map(resourceOf) } };
      },
    });
    const { summary } = await hold(target, [registers]);
    expect([...target.webhooks.keys()]).toEqual([]);
    expect(summary.leftOver).toEqual([]);
  });

  it('webhooks that cannot be deleted are made inactive', async () => {
    const target = await start(without('DELETE'));
    const { summary } = await hold(target, [registers]);
    expect(target.webhooks.size).toBeGreaterThan(3);
    expect(target.activeIds).toEqual([]);
    expect(summary.leftOver).toEqual([]);
  });

  it('webhooks that can be neither are named', async () => {
    const target = await start(without('DELETE', 'PATCH'));
    const { summary } = await hold(target, [registers]);
    expect(summary.leftOver.length).toBeGreaterThan(3);
    expect(summary.leftOver.toSorted()).toEqual([...target.webhooks.keys()].map((id) => `webhook ${id}`).toSorted());
  });

  it('webhooks are removed that the service made although it refused to, and those of others stay', async () => {
    let refusing = false;
    const target = await start({
      answer: ({ method, path, body }, own) => {
        if (!refusing || method !== 'POST' || path !== '/webhooks') return undefined;
        own.webhooks.set('in-spite', { ...JSON.parse(body).data.attributes, id: 'in-spite', secret: 'x' });
        return { status: 422 };
      },
    });
    target.webhooks.set('foreign', {
      id: 'foreign',
      url: 'http://localhost:1/x',
      events: [],
      secret: 'x',
      active: true,
    });
    const refused = check(
      'refused',
      async (kit) => {
        refusing = true;
        await kit.call('create', { body: kit.creation(kit.plainAttributes(kit.endpoint().url)) });
        return target.webhooks.has('in-spite') ? undefined : finding(kit, 'the test is wrong');
      },
      { needs: [], schedule: { kind: 'beside' } },
    );
    const { summary } = await hold(target, [refused]);
    expect(summary.summary).toMatchObject({ passed: 1 });
    expect([...target.webhooks.keys()]).toEqual(['foreign']);
  });

  it('webhooks that are gone already are not named', async () => {
    const target = await start();
    const loses = check('loses', async (kit) => {
      const { id } = await kit.register();
      target.webhooks.delete(id);
      return undefined;
    });
    const { summary } = await hold(target, [loses]);
    expect(summary.leftOver).toEqual([]);
  });
});

describe('after a run that ends early', () => {
  it('webhooks are deleted where it was interrupted', async () => {
    const target = await start({ backoff: [60_000] });
    const stop = new AbortController();
    const { summary } = await hold(target, [lasting], { signal: stop.signal }, ({ type }) => {
      if (type === 'delivery.caught' && target.raised.length === 2) stop.abort();
    });
    expect(summary).toMatchObject({ interrupted: true, leftOver: [], run: { complete: false } });
    expect(summary.run.durationMs).toBeLessThan(20_000);
    expect([...target.webhooks.keys()]).toEqual([]);
  });

  it('webhooks are deleted whose creation was under way when it was interrupted', async () => {
    const stop = new AbortController();
    let created = 0;
    const target = await start({
      answer: ({ method, path }) => {
        if (method === 'POST' && path === '/webhooks' && ++created === 3) stop.abort();
        return undefined;
      },
    });
    const { summary } = await hold(target, [registers], { signal: stop.signal });
    expect(summary).toMatchObject({ interrupted: true, leftOver: [] });
    expect(created).toBeGreaterThanOrEqual(3);
    expect([...target.webhooks.keys()]).toEqual([]);
  });

  it('webhooks are deleted after --bail, and what waits does not keep the run', async () => {
    const target = await start({ backoff: [60_000] });
    const fails = check('fails', async (kit) => {
      const webhook = await kit.register();
      await kit.arrival(webhook, await kit.trigger(kit.scenarioEvents[0]));
      return finding(kit, 'it fails');
    });
    const held = await hold(target, [fails, lasting], { bail: true });
    expect(held.check('fails').outcome).toBe('failed');
    expect(held.check('lasting')).toMatchObject({
      outcome: 'inconclusive',
      reason: 'the run stopped at the first failure (--bail)',
    });
    expect(held.summary.run).toMatchObject({ complete: false });
    expect(held.summary.run.durationMs).toBeLessThan(20_000);
    expect([...target.webhooks.keys()]).toEqual([]);
  });

  it('webhooks are named where the service is gone', async () => {
    const target = await start({ backoff: [60_000] });
    const leaves = check('leaves', async (kit) => {
      const webhook = await kit.register();
      await kit.arrival(webhook, await kit.trigger(kit.scenarioEvents[0]));
      await target.close();
      await kit.call('list');
      return undefined;
    });
    const { summary } = await hold(target, [leaves, lasting]);
    expect(summary.lost?.reason).toContain('went away');
    expect(summary.leftOver).toHaveLength(target.webhooks.size);
    expect(summary.run.durationMs).toBeLessThan(20_000);
  });

  it('webhooks are named where the service does not answer any more, after a few seconds', async () => {
    const stop = new AbortController();
    const target = await start({
      backoff: [60_000],
      answer: () => (stop.signal.aborted ? new Promise(() => {}) : undefined),
    });
    const { summary } = await hold(target, [lasting], { signal: stop.signal }, ({ type }) => {
      if (type === 'delivery.caught' && target.raised.length === 2) stop.abort();
    });
    expect(summary.leftOver).toHaveLength(target.webhooks.size);
    expect(summary.errors).toEqual([]);
    expect(summary.run.durationMs).toBeLessThan(20_000);
  });
});
