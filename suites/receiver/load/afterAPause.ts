import fc from 'fast-check';

import { receiverCheck, Unproven } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import { finding } from '../../finding.ts';
import { acceptedTwin } from '../expectation.ts';

/** How many times as long as an absence is awaited nothing is delivered: a quick run waits as long for the absences before it. */
const times = { quick: 1.05, standard: 2.1, thorough: 2.1 } as const;

/** Milliseconds. */
const longestPause = 5000;

/** Notifications after the pause. The first of them meets whatever grew stale. */
const after = 3;

/** Section 4.4: what comes after a quiet time is accepted and takes effect like any other. */
export const afterAPause = receiverCheck<{ times: number }>({
  id: 'receiver/load/after-a-pause',
  title: 'loses nothing of what it accepts after a time in which nothing came',
  requirements: ['RTY-1'],
  needs: ['probe'],
  schedule: { kind: 'last' },
  // One case: a pause takes the time of the run.
  weight: 0,
  cases: ({ intensity }) => [fc.record({ times: fc.constant(times[intensity]) })],
  run: async (kit, { times }) => {
    const ms = Math.min(longestPause, times * kit.settle);
    await kit.pause(ms, true);
    const sent: Attempt[] = [];
    while (sent.length < after) sent.push(await acceptedTwin(kit, kit.compose(kit.control)));
    const ids = sent.map(({ delivery }) => delivery.id);
    await kit.untilEffect(ids);
    const effects = await kit.effectsSoFar(ids);
    const [first, ...others] = sent;
    if (first === undefined || (effects.get(first.delivery.id) ?? 0) > 0) return undefined;
    const twin = others.find(({ delivery }) => (effects.get(delivery.id) ?? 0) > 0);
    if (twin === undefined) throw new Unproven('the plain deliveries after it took no effect either');
    return finding(
      {
        requirement: 'RTY-1',
        twin,
        difference: `nothing was delivered for ${Math.round(ms / 100) / 10} s before it`,
        concurrent: true,
      },
      {
        attempts: [first],
        expected: 'exactly one effect',
        actual: 'no effect',
        absence: true,
        effects: [{ id: first.delivery.id, expected: 1, actual: 0 }],
      },
    );
  },
  hint:
    'The first work after a pause meets a connection that was closed meanwhile (of a pool, to a database or a queue), or a worker ' +
    'that has ended, and its error is swallowed. Let it be tried again, or answer 503: accept nothing that is not stored.',
});
