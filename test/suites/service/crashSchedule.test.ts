import fc from 'fast-check';
import { expect, test } from 'vitest';

import { crashSchedule } from '../../../suites/service/crashes/playedCrashes.ts';

test('a webhook that does what the schedule is about is there in each of them, and others beside it', () => {
  const kind = { how: 'kill', listeners: ['hangs', 'refuses'], webhooks: 3, after: [1, 1] } as const;
  const drawn = fc.sample(crashSchedule(kind), { numRuns: 200, seed: 1 }).map(({ listeners }) => listeners.join(' '));
  expect(new Set(drawn)).toEqual(
    new Set([
      'hangs',
      ...['hangs', 'refuses'].map((second) => `hangs ${second}`),
      ...['hangs hangs', 'hangs refuses', 'refuses hangs', 'refuses refuses'].map((others) => `hangs ${others}`),
    ]),
  );
});
