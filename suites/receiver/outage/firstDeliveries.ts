import fc from 'fast-check';

import { receiverCheck } from '../../check.ts';
import { revived } from '../aftermath.ts';
import { acceptedTwin, attempt } from '../expectation.ts';
import { composed } from '../interruption.ts';
import { expectKeptAgain } from '../redelivering.ts';
import { content, type Content } from '../schedule.ts';

interface Beginning {
  /** How it had gone down: killed, or asked to end. */
  readonly end: 'killed' | 'stopped';
  /** What is delivered as soon as it takes connections again. */
  readonly contents: readonly Content[];
}

/** Section 4.4: a refusal while it comes up is a failed delivery like any other, and nothing of it may stay. */
export const firstDeliveries = receiverCheck<Beginning>({
  id: 'receiver/outage/first-deliveries',
  title: 'lets what came while it was starting take effect, at the latest when it is redelivered',
  requirements: ['IDM-5', 'RTY-1', 'IDM-1'],
  fatal: 'RTY-1',
  needs: ['process-control', 'probe'],
  schedule: { kind: 'interrupting', timed: true },
  weight: 0.1,
  cases: (draw) =>
    (['killed', 'stopped'] as const).map((end) =>
      fc.record({
        end: fc.constant(end),
        contents: fc.array(content(draw), { minLength: 1, maxLength: 5 }),
      }),
    ),
  run: async (kit, { end, contents }) => {
    const before = await acceptedTwin(kit, composed(kit, null));
    const deliveries = contents.map((one) => composed(kit, one));
    await (end === 'killed' ? kit.processControl.kill() : kit.processControl.stop());
    await kit.processControl.start();
    const attempts = await Promise.all(
      deliveries.map(async (delivery) => attempt(delivery, await kit.deliver(delivery))),
    );
    const difference = `${end} and started; delivered as soon as it took connections, and again later`;
    const { twin, refused } = await revived(kit, before, difference);
    return refused ?? expectKeptAgain(kit, attempts, { twin, difference });
  },
  hint:
    'Where you answer 503 because you are not ready (caches are empty, the database is not connected), answer it before ' +
    'you look at the delivery: an id that is remembered by then makes a duplicate of the redelivery, and its work is lost.',
});
