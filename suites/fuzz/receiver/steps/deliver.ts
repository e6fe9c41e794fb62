import fc from 'fast-check';

import { deliverGenuine } from '../genuine.ts';
import { describeMaking, making, type Making, sparseRecord } from '../making.ts';
import { receiverStep } from '../stepKind.ts';
import { slot, type Slot } from '../slot.ts';

/** A new notification is delivered. */
interface Deliver {
  readonly do: 'deliver';
  readonly slot: Slot;
  readonly what?: Making;
}

export const deliver = receiverStep<Deliver>({
  kind: 'deliver',
  weight: 5,
  steps: (draw) => sparseRecord({ do: fc.constant('deliver' as const), slot }, { what: [2, making(draw)] }),
  possible: () => true,
  play: async ({ slot: name, what }, kit, modelState) => {
    const entry = modelState.make(kit, name, what);
    await deliverGenuine(kit, modelState, entry, { delivery: entry.genuine, writing: entry.writing });
  },
  describe: ({ slot: name, what = {} }) => [`deliver ${name}, new`, ...describeMaking(what)].join(', '),
});
