import { afterEach, expect, it } from 'vitest';

import { startService } from '../../../reference/service/service.ts';
import { serviceChecks } from '../../../suites/service/index.ts';
import { check, hold } from './testOwnService.ts';

const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function reference() {
  const service = await startService();
  cleanUps.push(() => service.close());
  return service;
}

const learns = check(
  'learns',
  async (kit) => {
    kit.learn('sample.retries', 'retried', 'a sample that was refused');
    kit.learn('retries.whenInactive', 'made', 'a webhook that was turned off');
    return undefined;
  },
  { needs: [], schedule: { kind: 'beside' } },
);

it('what is seen otherwise than it was assumed is reported with what was assumed', async () => {
  const assume = { 'sample.retries': 'never', 'retries.whenInactive': 'made' };
  const { events } = await hold(await reference(), [learns], { assume });
  expect(events.flatMap((event) => (event.type === 'learned' ? [event.evidence] : []))).toEqual(
    expect.arrayContaining(['a sample that was refused; never was assumed', 'a webhook that was turned off']),
  );
});

it('an update is confirmed by the statuses that are assumed', async () => {
  const updates = serviceChecks.filter(({ id }) => id === 'service/updates/named');
  const service = await reference();
  const confirmed = await hold(service, updates);
  expect(confirmed.check()).toMatchObject({ outcome: 'passed' });
  const otherwise = await hold(service, updates, { assume: { 'update.response': '204' } });
  expect(otherwise.check().outcome).toBe('not-observable');
  expect(otherwise.check().reason).toContain('does not take an update');
});
