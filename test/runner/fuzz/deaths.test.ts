import { expect, test } from 'vitest';

import type { RunEvent } from '../../../reports/events.ts';
import { mortalReceiver } from './mortalReceiver.ts';
import { failuresOf } from './searchReceiver.ts';

function outcomeOf(events: readonly RunEvent[], check: string) {
  return events.find((event) => event.type === 'check.finished' && event.check === check);
}

test('the sequence that a receiver dies of is found among those beside it, and shrunk', async (context) => {
  const mortal = await mortalReceiver(context);
  const events = await mortal.whileHeld({ untilFailure: true });
  expect(failuresOf(events)).toMatchObject([
    {
      check: 'receiver/fuzz/rob-1',
      cause: 'died',
      steps: ['{"do":"poison"}'],
      outcome: 'failed',
    },
  ]);
  const rate = failuresOf(events)[0]?.rate;
  expect(rate?.failed).toBe(rate?.tries);
  expect(outcomeOf(events, 'receiver/fuzz/rob-1')).toMatchObject({ outcome: 'warned' });
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', complete: true });
});

test('a receiver that dies and is not started again ends the search, and what it broke is not known', async (context) => {
  const mortal = await mortalReceiver(context);
  const events = await mortal.whileAlone({ runs: 1000 });
  expect(failuresOf(events)).toEqual([]);
  expect(events.find(({ type }) => type === 'target.lost')).toMatchObject({
    reason: expect.stringContaining('the receiver stopped taking connections') as string,
  });
  expect(outcomeOf(events, 'receiver/fuzz/rob-1')).toMatchObject({
    outcome: 'inconclusive',
    reason: expect.stringContaining('the receiver stopped taking connections') as string,
  });
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', complete: false, interrupted: false });
});
