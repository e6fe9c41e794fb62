import fc from 'fast-check';

import { receiverCheck } from '../../check.ts';
import type { Draw } from '../../draw.ts';
import { revived } from '../aftermath.ts';
import { composed } from '../interruption.ts';
import { acceptedTwin, attempt } from '../expectation.ts';
import { expectKeptAgain } from '../redelivering.ts';
import { content, type Content } from '../schedule.ts';

interface Outage {
  /** How it went down: killed, or asked to end. */
  readonly end: 'killed' | 'stopped';
  /** Attempts of each notification that found nobody, at most as many as a service repeats. */
  readonly missed: number;
  readonly contents: readonly Content[];
}

/** Section 4.4: a service repeats what found nobody, up to its last retry. */
export const refusedConnections = receiverCheck<Outage>({
  id: 'receiver/outage/refused-connections',
  title: 'takes what is redelivered after an outage, even where only the last retry is left',
  requirements: ['RTY-1', 'IDM-5'],
  needs: ['process-control', 'probe'],
  schedule: { kind: 'interrupting', timed: true },
  weight: 0.25,
  cases: (draw) => [
    outage(draw, { missed: fc.constant(1), end: 'killed', most: 1 }),
    outage(draw, { missed: fc.constant(draw.contract.delivery.retries), end: 'killed', most: 3 }),
    outage(draw, { missed: fc.constant(draw.contract.delivery.retries), end: 'stopped', most: 1 }),
    outage(draw, { missed: fc.integer({ min: 1, max: draw.contract.delivery.retries }), end: 'killed', most: 12 }),
  ],
  run: async (kit, { end, missed, contents }) => {
    const before = await acceptedTwin(kit, composed(kit, null));
    const deliveries = contents.map((one) => composed(kit, one));
    await (end === 'killed' ? kit.processControl.kill() : kit.processControl.stop());
    const attempts = await Promise.all(
      deliveries.map(async (delivery) => {
        let answer = await kit.deliver(delivery);
        for (let times = 1; times < missed; times++) answer = await kit.deliver(delivery);
        return attempt(delivery, answer);
      }),
    );
    const difference = `${end}; ${missed} attempts found nobody; started, delivered again`;
    const { twin, refused } = await revived(kit, before, difference);
    return refused ?? expectKeptAgain(kit, attempts, { twin, difference });
  },
  hint:
    'After an outage everything that waited comes at once, and for some of it this is the last attempt: take connections ' +
    'only when you are ready, start without help after a kill (no stale lock or pid file), and answer 503 rather than 500 ' +
    'while you cannot work yet.',
});

function outage(
  draw: Draw,
  { missed, end, most }: { readonly missed: fc.Arbitrary<number>; readonly end: Outage['end']; readonly most: number },
): fc.Arbitrary<Outage> {
  return fc.record({
    end: fc.constant(end),
    missed,
    contents: fc.array(content(draw), { minLength: 1, maxLength: most, size: 'max' }),
  });
}
