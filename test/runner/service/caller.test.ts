import { afterEach, describe, expect, it } from 'vitest';

import type { CatchScript } from '../../../suites/exchange.ts';
import { HandService, type Reply, type Traits } from './handService.ts';
import { check, finding, hold } from './testOwnService.ts';

let service: HandService | undefined;

afterEach(async () => {
  await service?.close();
});

async function start(traits: Traits = {}): Promise<HandService> {
  return (service = await HandService.start(traits));
}

const lists = check('lists', async (kit) => void (await kit.call('records')), {
  needs: [],
  schedule: { kind: 'beside' },
});

/** Answers with 429 so many times, then with a list. */
function limited(times: number, reply: Reply): Traits {
  let left = times;
  return {
    backoff: [30],
    answer: ({ path }) => {
      if (path !== '/shipments') return undefined;
      return left-- > 0 ? reply : { status: 200, body: { data: [] } };
    },
  };
}

describe('a call that comes too often', () => {
  it('waits as long as the service asks, also while deliveries come in', async () => {
    const target = await start(limited(1, { status: 429, headers: { 'Retry-After': '1' } }));
    const busy = check('busy', async (kit) => {
      const script: CatchScript = [{ do: 'respond', status: 500 }];
      const webhook = await kit.register({ script });
      const notified = await kit.arrival(webhook, await kit.trigger(kit.scenarioEvents[0]));
      return (await kit.untilAttempt(notified!, 13)) ? undefined : finding(kit, 'not retried');
    });
    const held = await hold(target, [lists, busy]);
    const calls = held.events.filter((event) => event.type === 'call.finished');
    const [first, second, ...others] = calls.filter(({ operationId }) => operationId === 'listShipments');
    expect(held.summary.summary).toMatchObject({ passed: 2 });
    expect(second!.ms - first!.ms).toBeGreaterThanOrEqual(950);
    expect(others).toEqual([]);
  });

  it('is tried again soon where the service asks for nothing', async () => {
    const held = await hold(await start(limited(2, { status: 429 })), [lists]);
    expect(held.check()).toMatchObject({ outcome: 'passed' });
    expect(held.summary.run.durationMs).toBeLessThan(20_000);
  });

  it('shows nothing where it stays too often', async () => {
    const target = await start(limited(Infinity, { status: 429, headers: { 'Retry-After': '60' } }));
    const judged = check(
      'judged',
      async (kit) => (kit.refused(await kit.call('records')) ? finding(kit, 'it was refused') : undefined),
      { needs: [], schedule: { kind: 'beside' } },
    );
    const held = await hold(target, [judged], { assume: { 'rateLimit.patience': '200ms' } });
    expect(held.check().outcome).toBe('inconclusive');
    expect(held.check().reason).toMatch(/^GET \/shipments was answered with 429 for 200ms: give a lower --rate/);
  });
});

describe('a path that the contract does not show', () => {
  it('is the one that the assumption says', async () => {
    const target = await start({
      answer: ({ method, path }) => (method === 'PUT' && path.startsWith('/hooks/') ? { status: 202 } : undefined),
    });
    const updates = check(
      'updates',
      async (kit) => {
        const call = await kit.update(await kit.register(), { active: true });
        return kit.succeeded(call) ? undefined : finding(kit, 'it was refused');
      },
      { needs: [], schedule: { kind: 'beside' } },
    );
    const held = await hold(target, [updates], { assume: { update: 'PUT /hooks/{id}' } });
    expect(held.check()).toMatchObject({ outcome: 'passed' });
    expect(target.callsOf('PUT', /^\/hooks\/[\da-f-]{36}$/)).toHaveLength(1);
  });

  it('cannot be observed where the service does not have it', async () => {
    const target = await start({ answer: ({ method }) => (method === 'PATCH' ? { status: 404 } : undefined) });
    const updates = check('updates', async (kit) => void (await kit.update(await kit.register(), {})), { needs: [] });
    const held = await hold(target, [updates]);
    expect(held.check().outcome).toBe('not-observable');
    expect(held.check().reason).toContain("--assume 'update=<METHOD> <path>'");
  });
});

describe('what a service says of itself', () => {
  const read = (id: string) =>
    check('read', async (kit) => void (await kit.call('read', { parameters: { id } })), {
      needs: [],
      schedule: { kind: 'beside' },
    });

  it('is asked for as a URL writes it, also where an id holds half of a character', async () => {
    const target = await start();
    const held = await hold(target, [read('a\ud800')]);
    expect(held.check()).toMatchObject({ outcome: 'passed' });
    expect(target.callsOf('GET', /\/a%EF%BF%BD$/)).toHaveLength(1);
  });

  it('is cut off in what is observed', async () => {
    const body = { ['a'.repeat(100_000)]: 1 };
    const target = await start({ answer: ({ path }) => (path.endsWith('/b') ? { status: 404, body } : undefined) });
    const { summary } = await hold(target, [read('b')]);
    expect(summary.observations).toContainEqual(
      expect.objectContaining({ gap: 'GAP-15', value: expect.stringMatching(/^.{300}… \(100\d{3} characters\)$/) }),
    );
  });
});

describe('an error that a creation is answered with', () => {
  const registers = check('registers', async (kit) => void (await kit.register()), { needs: [], values: [1, 2, 3, 4] });
  const answered = async (isError: (count: number) => boolean, status = 500) => {
    let count = 0;
    const target = await start({
      answer: ({ method, path }) =>
        method === 'POST' && path === '/webhooks' && isError((count += 1)) ? { status } : undefined,
    });
    const { summary } = await hold(target, [registers]);
    return summary.observations.filter(({ gap }) => gap === 'CRW-1');
  };

  it('now and then is observed, whatever the checks show that register once more', async () => {
    expect(await answered((count) => count % 3 === 0)).toEqual([
      expect.objectContaining({
        value: 'creations that the contract allows are answered with 500 now and then',
        evidence: expect.stringMatching(/^\d of \d+ were\. The log of the service should say why\./),
      }),
    ]);
  });

  it.each([
    ['says that the service is not ready', (count: number) => count % 3 === 0, 503],
    ['never comes', () => false, 500],
  ])('is nothing where it %s', async (_, isError, status) => {
    expect(await answered(isError, status)).toEqual([]);
  });
});

describe('the API key', () => {
  it('stands in no event, whole or nearly whole, in plain text or encoded', async () => {
    const target = await start();
    const { token } = target;
    const basic = Buffer.from(`${token}:`).toString('base64');
    const wrong = [
      `Token ${token}`,
      `Bearer ${token}`,
      token,
      `Basic ${basic}`,
      `Token ${token.slice(0, -1)}`,
      `Token ${token.toUpperCase()}`,
    ];
    const leaks = check<string>(
      'leaks',
      async (kit, authorization) => {
        const call = await kit.call('list', { authorization });
        await kit.call('records', { query: { key: token } });
        kit.observe('GAP-15', `a key such as ${token}`, token);
        return { ...finding(kit, `it answered to ${authorization.includes(token) ? token : 'it'}`), exchanges: [call] };
      },
      { values: wrong, needs: [], schedule: { kind: 'beside' } },
    );
    const { events, summary } = await hold(target, [leaks]);
    const reported = JSON.stringify(events);
    expect(summary.summary).toMatchObject({ failed: 1 });
    expect(reported).toContain('$SEAWORTHY_TOKEN');
    for (const key of [token, basic]) expect(reported).not.toContain(key);
  });

  it.each([
    ['cut off', (key: string) => `Token ${key.slice(0, -1)}`],
    ['in other letters', (key: string) => `Token ${key.toUpperCase()}`],
    ['changed', (key: string) => `Token ${key.slice(0, 9)}_${key.slice(10)}`],
    ['encoded', (key: string) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
  ])('cannot be distinguished from one that was %s', async (_, spoil) => {
    const target = await start({ answer: () => ({ status: 201, body: { data: { id: 'x' } } }) });
    const authorization = spoil(target.token);
    const accepted = check(
      'accepted',
      async (kit) => ({ ...finding(kit, ''), exchanges: [await kit.call('list', { authorization })] }),
      { needs: [], schedule: { kind: 'beside' } },
    );
    const held = await hold({ url: target.url, token: target.token }, [accepted]);
    const { counterexample } = held.check();
    const [attempt] = counterexample!.exchange.attempts;
    expect(attempt?.request.headers.find(([name]) => name === 'Authorization')?.[1]).toMatch(/^(Token|Basic) […_]+$/);
    expect(counterexample?.curl).toBe(`seaworthy service ${target.url} --seed 1 --only service/own/accepted`);
  });
});
