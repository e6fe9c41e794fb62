import fc from 'fast-check';

import { deliverGenuine, judgedByFirst } from '../genuine.ts';
import { describeMaking, making, type Making, sparseRecord } from '../making.ts';
import { receiverStep } from '../stepKind.ts';
import { slot, type Slot } from '../slot.ts';
import { describePart, part, parted, type Part } from '../part.ts';
import { pairs } from '../../../items.ts';

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

/** Several deliveries at the same time, of one notification or of several. */
interface Together {
  readonly do: 'together';
  readonly parts: readonly Part[];
}

export const together = receiverStep<Together>({
  kind: 'together',
  weight: 3,
  steps: (draw) =>
    fc.record(
      {
        do: fc.constant('together' as const),
        parts: fc.array(part(draw), { minLength: 1, maxLength: 5, size: 'max' }),
      },
      { noNullPrototype: true },
    ),
  possible: ({ parts }) => parts.length > 0,
  play: async ({ parts }, kit, modelState) => {
    const all = parted(kit, modelState, parts);
    const fresh = new Set(all.map((one) => one.entry).filter(({ accepted }) => accepted === 0));
    const answers = await kit.together(all.map(({ delivery }) => delivery));
    for (const [{ entry, delivery }, answer] of pairs(all, answers)) modelState.heard(kit, entry, { delivery, answer });
    // A copy may be refused while another one is under way, and so may anything for a moment: what counts is a redelivery.
    for (const entry of new Set(all.map((one) => one.entry))) {
      if (entry.accepted > 0 && fresh.has(entry)) judgedByFirst(modelState, entry);
      if (entry.accepted > 0) continue;
      await deliverGenuine(kit, modelState, entry, { delivery: entry.genuine, writing: entry.writing });
    }
  },
  describe: ({ parts }) => {
    const isOne = parts.length === 1 && (parts[0]?.copies ?? 1) === 1;
    return `deliver ${isOne ? '' : 'at the same time: '}${parts.map(describePart).join('; ')}`;
  },
});

/** Nothing is sent for so many milliseconds. */
interface Wait {
  readonly do: 'wait';
  readonly ms: number;
}

export const wait = receiverStep<Wait>({
  kind: 'wait',
  weight: 1,
  steps: () =>
    fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 150 }) }, { noNullPrototype: true }),
  possible: () => true,
  play: ({ ms }, kit) => kit.pause(ms),
  describe: ({ ms }) => `wait ${ms} ms`,
});
