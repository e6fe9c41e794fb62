import { afterEach, describe, expect, it } from 'vitest';

import type { ServiceFinding } from '../../../suites/check.ts';
import type { Caught } from '../../../suites/exchange.ts';
import type { Registration, ServiceKit } from '../../../suites/serviceKit.ts';
import type { ServiceDraw } from '../../../suites/draw.ts';
import { exhaustion } from '../../../suites/service/retries/checks.ts';
import { HandService } from './handService.ts';
import { check, finding, hold } from './testOwnService.ts';
import { beLate } from '../../beLate.ts';

let service: HandService | undefined;

afterEach(async () => {
  await service?.close();
});

type Found = (kit: ServiceKit, caught: Caught) => ServiceFinding;

/** What becomes of a finding about a delivery in a case during which the kit was late. */
async function heldLate(found: Found, timeout?: string, how: Registration = {}) {
  service = await HandService.start(how.script === undefined ? {} : { patience: 1200 });
  const late = check('late', async (kit) => {
    const webhook = await kit.register(how);
    const notified = await kit.arrival(webhook, await kit.trigger(kit.scenarioEvents[0]));
    if (how.script !== undefined) await kit.untilAttempt(notified!, 2);
    beLate(250);
    return found(kit, notified!.attempts[0]!);
  });
  const assume = timeout === undefined ? {} : { 'delivery.timeout': timeout };
  const { outcome, reason } = (await hold(service, [late], { assume })).check();
  return { outcome, reason };
}

const about = (kit: ServiceKit, exchange: Caught, rest: Partial<ServiceFinding> = {}): ServiceFinding => ({
  ...finding(kit, 'seen'),
  exchanges: [exchange],
  ...rest,
});
const inDoubt = {
  outcome: 'inconclusive',
  reason: expect.stringMatching(/^the kit itself was \d+ ms late, so this shows nothing: seen$/) as string,
};

describe('where the kit itself was late', () => {
  it('what a delivery says is as wrong as ever', async () => {
    expect(await heldLate((kit, caught) => about(kit, caught))).toMatchObject({ outcome: 'failed' });
  });

  it.each<readonly [string, Found]>([
    ['an absence', (kit, caught) => about(kit, caught, { absence: true })],
    ['a finding that hangs on time', (kit, caught) => about(kit, caught, { hangsOnTime: true })],
    [
      'what had to recur, and hangs on time',
      (kit) => ({ ...finding(kit, 'seen'), exchanges: [], absence: true, hangsOnTime: true }),
    ],
    ['a delivery that broke off', (kit, caught) => about(kit, { ...caught, bytes: -1 })],
  ])('%s is left in doubt', async (_, found) => {
    expect(await heldLate(found)).toEqual(inDoubt);
  });

  it('a finding that hangs on time counts where the service is known to wait for much longer', async () => {
    const found: Found = (kit, caught) => about(kit, caught, { hangsOnTime: true });
    expect(await heldLate(found, '1m')).toMatchObject({ outcome: 'failed' });
    expect(await heldLate(found, '300ms')).toEqual(inDoubt);
  });

  it('where the service was seen to wait for so long, the same counts', async () => {
    const seen: Found = (kit, caught) => about(kit, caught, { hangsOnTime: true });
    expect(await heldLate(seen, undefined, { script: [{ do: 'hang' }] })).toMatchObject({ outcome: 'failed' });
  });

  it('an absence beside nothing that was caught counts, for it is awaited five times as long as the kit was late meanwhile', async () => {
    service = await HandService.start();
    const times: number[] = [];
    const late = check('late', async (kit) => {
      const webhook = await kit.register({ active: false });
      const triggered = await kit.trigger(kit.scenarioEvents[0]);
      const from = kit.elapsed();
      const arrival = kit.arrival(webhook, triggered);
      beLate(250);
      const notified = await arrival;
      times.push(kit.elapsed() - from);
      return notified ? undefined : finding(kit, 'it did not come', true);
    });
    expect((await hold(service, [late])).check()).toMatchObject({ outcome: 'failed' });
    expect(Math.min(...times)).toBeGreaterThanOrEqual(5 * 240);
  });

  it('what comes that late is no absence', async () => {
    service = await HandService.start();
    const late = check('late', async (kit) => {
      const from = kit.elapsed();
      const came = kit.soon(() => (kit.elapsed() - from > 900 ? true : undefined), 100);
      beLate(250);
      return (await came) ? undefined : finding(kit, 'it did not come', true);
    });
    expect((await hold(service, [late])).check()).toMatchObject({ outcome: 'passed' });
  });

  it('an absence that does not recur is none', async () => {
    service = await HandService.start();
    let tries = 0;
    const late = check('late', async (kit) => {
      tries += 1;
      if (tries > 1) return undefined;
      beLate(250);
      return finding(kit, 'it did not come', true);
    });
    expect((await hold(service, [late])).check()).toMatchObject({ outcome: 'passed' });
  });

  it('one attempt too many is left in doubt', async () => {
    let answers = 0;
    const isAccepted = (status: number): boolean => {
      answers += 1;
      if (answers % 5 === 0) beLate(150);
      return status < 300;
    };
    service = await HandService.start({ retries: 13, isAccepted });
    const once = { ...exhaustion, cases: (draw: ServiceDraw) => exhaustion.cases(draw).slice(0, 1) };
    const { outcome, reason } = (await hold(service, [once])).check();
    expect(reason).toMatch(/^the kit itself was \d+ ms late, so this shows nothing: attempt 14 came/);
    expect(outcome).toBe('inconclusive');
  });

  it('a time that was seen then is an observation, and no assumption', async () => {
    service = await HandService.start();
    const values = [{ time: '1ms', late: 250 }];
    const seen = async (kit: ServiceKit, { time, late: ms }: (typeof values)[number]) => {
      await kit.register();
      beLate(ms);
      kit.learn('delivery.timeout', time, 'a delivery that was not answered');
      kit.learn('sample.retries', 'never', 'a sample that was refused');
      return undefined;
    };
    const { summary } = await hold(service, [check('late', seen, { values })]);
    const keys = summary.learned.map(({ key }) => key);
    expect([keys.includes('sample.retries'), keys.includes('delivery.timeout')]).toEqual([true, false]);
    expect(summary.observations.map(({ value, evidence }) => [value, evidence])).toContainEqual([
      '1ms',
      'a delivery that was not answered; the kit itself was late then, so nothing is assumed of it',
    ]);
    const better = [...values, { time: '1.5s', late: 0 }];
    const both = await hold(service, [check('late', seen, { values: better, schedule: { kind: 'singly' } })]);
    expect(both.summary.learned.find(({ key }) => key === 'delivery.timeout')).toMatchObject({ value: '1.5s' });
    expect(both.summary.observations.map(({ value }) => value)).not.toContain('1ms');
  });
});
