import { afterEach, expect, test } from 'vitest';

import { exitCode } from '../../../reports/model/exitCode.ts';
import { serviceChecks } from '../../../suites/service/index.ts';
import { HandService, type Reply, type Traits } from './handService.ts';
import { check, hold } from './testOwnService.ts';

const services: HandService[] = [];

/** The tenth that a run may take longer, and what a machine takes that has ten times as much to do. */
const onBusyMachine = 1.6;

afterEach(async () => {
  await Promise.all(services.splice(0).map(async (service) => service.close()));
});

async function start(traits: Traits = {}): Promise<HandService> {
  const service = await HandService.start(traits);
  services.push(service);
  return service;
}

/** Answers so many calls as it should, and none after them. */
function hangingAfter(calls: number): Traits {
  return {
    answer: (_, { asked }) => (asked.length > calls ? new Promise<Reply>(() => {}) : undefined),
  };
}

const checksOf = (pattern: RegExp) => serviceChecks.filter(({ id }) => pattern.test(id));

/** Registers webhooks and lists them, over and over. */
const calling = check<number>(
  'calling',
  async (kit) => {
    for (let round = 0; round < 5; round++) {
      await kit.register();
      await kit.list('list');
    }
    return undefined;
  },
  { values: Array.from({ length: 20 }, (_, place) => place), needs: [], schedule: { kind: 'beside' } },
);

test('a service that hangs for ever is noticed, and the report says what it answered last', async () => {
  const { summary } = await hold(await start(hangingAfter(100)), [calling], { timeout: 800, time: 60_000 });
  expect(summary.lost?.reason).toBe('the service hangs: it takes requests, and answers none');
  expect(summary.lost?.advice).toMatch(/The last that were answered: [A-Z]+ \/\S* \(\S+\): 2\d\d/);
  expect(summary.run.outOfTime).toBeUndefined();
  expect(summary.checks[0]?.counterexample?.actual).toMatch(/^it hung while several cases were at work/);
  expect(exitCode(summary)).toBe(1);
});

test('the run ends within its time and a tenth where nothing is answered any more, cleaning up included', async () => {
  const { summary } = await hold(await start(hangingAfter(60)), [calling], { time: 3000 });
  expect(summary.run.durationMs).toBeLessThan(3000 * onBusyMachine);
  expect(summary.run).toMatchObject({ outOfTime: true, complete: true });
  expect(summary.leftOver.length).toBeGreaterThan(0);
});

test('a service whose retries are over before a port is opened is not waited for until the retry window ends', async () => {
  const checks = checksOf(/connections\/refused$/);
  const { summary } = await hold(await start({ backoff: [1] }), checks, { retryWindow: 60_000 });
  expect(summary.checks.map(({ outcome }) => outcome)).not.toContain('failed');
  expect(summary.run.durationMs).toBeLessThan(20_000);
});

test('a service that does not retry at all is not waited for once for each try', async () => {
  const checks = checksOf(/connections\/refused$|retries\/same-notification$/);
  const { summary } = await hold(await start({ retries: 0 }), checks, { retryWindow: 3000 });
  expect(summary.checks.map(({ outcome }) => outcome)).toEqual(['inconclusive', 'inconclusive']);
  expect(summary.run.durationMs).toBeLessThan(20_000);
});
