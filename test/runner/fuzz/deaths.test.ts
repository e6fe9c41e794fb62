import { expect, test } from 'vitest';

import { mortalReceiver } from './mortalReceiver.ts';
import { failuresOf } from './searchReceiver.ts';
import { endOf } from '../endOf.ts';

/** A start of the receiver at each try takes its time on a busy machine. */
const timeout = 180_000;

test.for([
  ['at once', { enough: 2 }],
  ['a moment after it has answered', { enough: 2, after: 20 }],
] as const)(
  'the sequence that a receiver dies of %s is found among those beside it, and shrunk',
  { timeout },
  async ([, mortality], context) => {
    const mortal = await mortalReceiver(context, mortality);
    const events = await mortal.whileHeld({ untilFailure: true });
    const [failure, ...others] = failuresOf(events).filter(({ outcome }) => outcome === 'failed');
    expect(others).toEqual([]);
    expect(failure).toMatchObject({
      check: 'receiver/fuzz/rob-1',
      cause: 'died',
      steps: ['{"do":"poison"}', '{"do":"poison"}'],
    });
    expect(failure?.rate.failed).toBe(failure?.rate.tries);
    expect(endOf(events, 'receiver/fuzz/rob-1')).toMatchObject({ outcome: 'warned' });
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', complete: true });
  },
);

/** A connection that is made while the process ends may be reset in place of being refused. */
const gone = /the receiver (went away|stopped taking connections)/;

test('a receiver that dies and is not started again ends the search, and what it broke is not known', async (context) => {
  const mortal = await mortalReceiver(context);
  const events = await mortal.whileAlone({ runs: 1000 });
  expect(failuresOf(events)).toEqual([]);
  expect(events.find(({ type }) => type === 'target.lost')).toMatchObject({
    reason: expect.stringMatching(gone) as string,
  });
  expect(endOf(events, 'receiver/fuzz/rob-1')).toMatchObject({
    outcome: 'inconclusive',
    reason: expect.stringMatching(gone) as string,
  });
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', complete: false, interrupted: false });
});
