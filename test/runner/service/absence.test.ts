import { afterEach, describe, expect, it } from 'vitest';

import { exitCode } from '../../../reports/model/exitCode.ts';
import type { CatchScript } from '../../../suites/exchange.ts';
import { HandService, type Traits } from './handService.ts';
import { check, finding, hold, inTime } from './testOwnService.ts';

const answered = (status: number): CatchScript => [{ do: 'respond', status }];
const services: HandService[] = [];

afterEach(async () => {
  await Promise.all(services.splice(0).map(async (service) => service.close()));
});

async function start(traits: Traits): Promise<HandService> {
  const service = await HandService.start(traits);
  services.push(service);
  return service;
}

/** What is answered with this status is sent again. */
const retried = check<number>(
  'retried',
  async (kit, status) => {
    const webhook = await kit.register({ script: answered(status) });
    const notified = await kit.arrival(webhook, await kit.trigger(kit.scenarioEvents[0]));
    return notified && (await kit.untilAttempt(notified, 2)) ? undefined : finding(kit, `not after ${status}`, true);
  },
  { values: [500, 404] },
);

/** Twelve retries, and no more. */
const exhausted = check('exhausted', async (kit) => {
  const webhook = await kit.register({ script: answered(500) });
  const notified = await kit.arrival(webhook, await kit.trigger(kit.scenarioEvents[0]));
  if (!notified || !(await kit.untilAttempt(notified, 13))) return finding(kit, 'too few', true);
  return (await kit.staysQuiet(notified)) ? undefined : finding(kit, 'a fourteenth attempt came');
});

/** What is accepted is not sent again; the time at which that was judged. */
function quiet(judged: (ms: number) => void) {
  return check('quiet', async (kit) => {
    const webhook = await kit.register();
    const notified = await kit.arrival(webhook, await kit.trigger(kit.scenarioEvents[0]));
    const isQuiet = await kit.staysQuiet(notified!);
    judged(kit.elapsed());
    return isQuiet ? undefined : finding(kit, 'it was sent again');
  });
}

describe('a retry that does not come', () => {
  it('is not judged before a refused notification of the same triggered event had its own', async () => {
    let at = 0;
    const held = await hold(await start({ backoff: [400, 5] }), [quiet((ms) => (at = ms))]);
    const second = held.events.filter((event) => event.type === 'delivery.caught').find(({ number }) => number === 2);
    expect(held.check()).toMatchObject({ outcome: 'passed' });
    expect(at).toBeGreaterThan(second?.ms ?? Infinity);
  });

  it('is found where one status is never retried, and another is', async () => {
    const isAccepted = (status: number): boolean => status === 404 || status < 300;
    const held = await inTime(async () => hold(await start({ isAccepted }), [retried]));
    expect(held.check()).toMatchObject({ outcome: 'failed', counterexample: { actual: 'not after 404' } });
  });

  it('is found in what was accepted, and sent again all the same', async () => {
    const held = await inTime(async () => hold(await start({ isAccepted: () => false }), [quiet(() => {})]));
    expect(held.check()).toMatchObject({ outcome: 'failed', counterexample: { actual: 'it was sent again' } });
  });

  it('is found, and not waited for, once the service lists the notification as failed', async () => {
    const held = await hold(await start({ retries: 3 }), [exhausted], { retryWindow: 60_000 });
    expect(held.check()).toMatchObject({ outcome: 'failed', counterexample: { actual: 'too few' } });
    expect(held.summary.run.durationMs).toBeLessThan(20_000);
  });

  it('is no fault of a schedule that outlasts the retry window', async () => {
    const api = check('api', async (kit) => void (await kit.register()), { needs: [], schedule: { kind: 'beside' } });
    const held = await hold(await start({ backoff: [60_000] }), [retried, exhausted, api], { retryWindow: 400 });
    expect(held.check('retried')).toMatchObject({ outcome: 'inconclusive' });
    expect(held.check('retried').reason).toMatch(/^1 attempt came within the retry window of 0\.4 s.*--retry-window/);
    expect(held.check('exhausted')).toMatchObject({ outcome: 'inconclusive' });
    expect(held.summary.verdict).toBe('inconclusive');
    expect(exitCode(held.summary)).toBe(0);
    expect(held.summary.run.durationMs).toBeLessThan(20_000);
  });
});

describe('one attempt too many', () => {
  it('is found: the fourteenth', async () => {
    const held = await inTime(async () => hold(await start({ retries: 13 }), [exhausted]));
    expect(held.check()).toMatchObject({
      outcome: 'failed',
      counterexample: { actual: 'a fourteenth attempt came' },
    });
  });

  it('is not found where there is none', async () => {
    const held = await hold(await start({}), [exhausted]);
    expect(held.check()).toMatchObject({ outcome: 'passed' });
  });
});

describe('waiting', () => {
  it('lasts as long as --settle says', async () => {
    const settle = 700;
    let waited = 0;
    const notNotified = check('untold', async (kit) => {
      const webhook = await kit.register({ active: false });
      const triggered = await kit.trigger(kit.scenarioEvents[0]);
      const notified = await kit.arrival(webhook, triggered);
      waited = kit.elapsed() - (triggered.monitored[0]?.attempts[0]?.at ?? Infinity);
      return notified && finding(kit, 'it was notified');
    });
    const held = await hold(await start({}), [notNotified], { settle });
    expect(held.check()).toMatchObject({ outcome: 'passed' });
    expect(waited).toBeGreaterThanOrEqual(settle);
    expect(waited).toBeLessThan(10 * settle);
  });

  it('is over soon after the longest series of attempts, whatever is waited for', async () => {
    const held = await hold(await start({ backoff: [250] }), [exhausted, retried, quiet(() => {})]);
    const { events, summary } = held;
    const times = events.filter((event) => event.type === 'delivery.caught').map(({ ms }) => ms);
    const series = Math.max(...times) - Math.min(...times);
    expect(summary.summary).toMatchObject({ passed: 3 });
    expect(series).toBeGreaterThan(2500);
    expect(held.check('exhausted').durationMs).toBeLessThan(1.5 * series);
  });
});
