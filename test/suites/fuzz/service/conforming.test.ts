import { describe, expect, test } from 'vitest';

import { conformingPolicies } from '../../../../reference/service/conformingPolicies.ts';
import type { ServicePolicies } from '../../../../reference/service/policies.ts';
import { startService } from '../../../../reference/service/service.ts';
import { serviceModel } from '../../../../suites/fuzz/service/index.ts';
import type { CreateStep } from '../../../../suites/fuzz/service/steps.ts';
import { pace } from '../../../proof/testService.ts';
import { conformingServices } from '../../../proof/services/index.ts';
import type { StartService } from '../../../proof/services/start.ts';
import { drawnSequences } from './drawnSequences.ts';
import { playSequences } from './playSequences.ts';
import { create, emit, notifications, wait } from './sequences.ts';

const services: Readonly<Record<string, StartService>> = {
  reference: startService,
  ...conformingServices,
};

/** Plays drawn sequences side by side; what may have been chance has to come again alone, as in a search. */
test.concurrent.each(Object.entries(services))(
  'no sequence finds fault with %s',
  { timeout: 300_000 },
  async (_name, start) => {
    const service = await start(pace);
    try {
      const sequences = drawnSequences(11, 1000);
      const results = await playSequences(service, sequences);
      const suspects = sequences.filter((_, index) => results[index]?.finding);
      for (const steps of suspects) {
        const [again] = await playSequences(service, [steps]);
        expect({ finding: again?.finding, steps: steps.map((step) => serviceModel.describe(step)) }).toMatchObject({
          finding: undefined,
        });
      }
      const judged = new Set(results.flatMap((result) => result?.judged ?? []));
      expect([...judged]).toEqual(expect.arrayContaining(['DLV-6', 'DLV-3', 'DLV-2', 'SIG-2', 'ACT-3', 'WHK-10']));
    } finally {
      await service.close();
    }
  },
);

test('what is retried while the kit is slow to read the list was not given up', { timeout: 300_000 }, async () => {
  const service = await startService({ ...pace });
  const refusals = [{ times: 13, by: { do: 'respond', status: 302 } }];
  const webhook = { do: 'create', slot: 'a', events: null, active: true, headers: [], at: null, refusals, status: 200 };
  const steps = [webhook, { do: 'emit', events: ['container.created'] }];
  const [result] = await playSequences(service, [steps], { rate: 1 }).finally(() => service.close());
  expect(result?.finding).toBeUndefined();
  expect(result?.judged).toContain('STA-5');
});

test('what waits behind attempts that hang is not overdue', async () => {
  const service = await startService({ ...pace });
  const events = ['container.created'];
  const refusals = [{ times: 13, by: { do: 'hang' } }];
  const webhook = { do: 'create', slot: 'a', events, active: true, headers: [], at: null, refusals, status: 200 };
  const many = Array.from({ length: 30 }, () => ({ do: 'emit', events }));
  const steps = [webhook, ...many];
  const [result] = await playSequences(service, [steps], { retryWindow: 3000 }).finally(() => service.close());
  expect(result?.finding).toBeUndefined();
  expect(result?.judged).toContain('DLV-2');
});

describe('an accepting answer that breaks off within its body', () => {
  const refusals = [{ times: 3, by: { do: 'reset', when: 'after' } }];
  const steps = [create({ refusals } as Partial<CreateStep>), emit, wait(2), notifications];
  const later = create({
    refusals: [{ times: 1, by: { do: 'respond', status: 503 } }, ...refusals],
  } as Partial<CreateStep>);
  const sequences = [steps, [later, emit, wait(3), notifications]];

  test.concurrent.each<readonly [string, Partial<ServicePolicies>]>([
    ['may be taken for an acceptance, by its status', { answerLimit: 0 }],
    ['may be taken for a failure', {}],
    ['may be taken for a failure that nothing fixes', { isRetried: ({ kind }) => kind !== 'broken' }],
    [
      'may be taken for an acceptance at first, and then for a failure',
      { shownStatus: ({ attempts, status }) => (status === 'pending' && attempts > 0 ? 'succeeded' : status) },
    ],
  ])('%s', async (_how, change) => {
    const service = await startService({ ...pace, policies: { ...conformingPolicies, ...change } });
    const results = await playSequences(service, sequences).finally(() => service.close());
    expect(results.map((result) => result?.finding)).toEqual([undefined, undefined]);
  });

  test('shows nothing of retries', async () => {
    const service = await startService({ ...pace });
    const [result] = await playSequences(service, [steps]).finally(() => service.close());
    expect(result?.judged).toContain('DLV-6');
    expect(['DLV-3', 'DLV-4', 'STA-5'].filter((id) => result?.judged.includes(id))).toEqual([]);
  });
});
