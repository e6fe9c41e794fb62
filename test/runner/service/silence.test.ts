import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, expect, test } from 'vitest';

import type { ServiceKit } from '../../../suites/serviceKit.ts';
import { HandService, type Reply, type Traits } from './handService.ts';
import { check, hold } from './testOwnService.ts';

const services: HandService[] = [];

afterEach(async () => {
  await Promise.all(services.splice(0).map(async (service) => service.close()));
});

/** Milliseconds: longer than the kit waits where it knows already that some answers do not come. */
const timeout = 3000;

/** Does with a call what its header says. */
const obedient: Traits = {
  answer: async ({ headers }) => {
    if (headers['x-case'] === 'never') return new Promise<Reply>(() => undefined);
    if (headers['x-case'] === 'late') await sleep(1800);
    return undefined;
  },
};

const lists = (how: string) => async (kit: ServiceKit) => {
  await kit.call('list', { headers: [['X-Case', how]] });
  return undefined;
};

async function held(checks: Parameters<typeof hold>[1], traits = obedient) {
  const service = await HandService.start(traits);
  services.push(service);
  return hold(service, checks, { timeout, time: 100_000 });
}

test('a call that is never answered, of an operation that is answered otherwise, breaks what its check is about', async () => {
  const run = await held([check<number>('never', lists('never')), check<number>('plain', lists('plain'))]);
  expect(run.check('plain').outcome).toBe('passed');
  expect(run.check('never').outcome).toBe('failed');
  // A busy machine waits a little longer.
  expect(run.check('never').counterexample?.actual).toMatch(/^no answer within 3(?:\.\d)? s$/);
  expect(run.check('never').counterexample?.hint).toContain('Other calls of this operation were answered');
});

test('an answer that comes late is awaited, also where others never come', async () => {
  const run = await held([
    ...['one', 'two', 'three'].map((name) => check<number>(name, lists('never'))),
    check<number>('late', lists('late')),
    check<number>('plain', lists('plain')),
  ]);
  expect(run.check('late').outcome).toBe('passed');
  expect(run.check('two').outcome).toBe('failed');
});

test('where an operation is never answered it may be another one: that is left open', async () => {
  const unanswered: Traits = {
    answer: ({ path, method }) =>
      path.startsWith('/webhook_notifications') && method === 'GET' ? new Promise<Reply>(() => undefined) : undefined,
  };
  const listing = check<number>('listing', async (kit) => {
    await kit.call('notifications');
    return undefined;
  });
  const run = await held([listing], unanswered);
  expect(run.check('listing').outcome).toBe('inconclusive');
  expect(run.check('listing').reason).toMatch(/no answer within 3(?:\.\d)? s/);
});
