import fc from 'fast-check';

import type { ReceiverKit } from '../../../kit.ts';
import { deliverGenuine } from '../genuine.ts';
import type { Entry } from '../receiverModelState.ts';
import { describeWording, never, sparseRecord, wording, type Writing, written } from '../making.ts';
import { receiverStep } from '../stepKind.ts';
import type { RawForm } from '../../../../generators/spelling/edit.ts';
import { slot, type Slot } from '../slot.ts';

/** What a slot holds is delivered: again, or in full after it was not. Where it holds nothing, a plain new notification is. */
interface Redeliver {
  readonly do: 'redeliver';
  readonly slot: Slot;
  /** Default: once. */
  readonly times?: number;
  /** Milliseconds before each. Default: none. */
  readonly gap?: number;
  /** Waits until the notification has taken effect. */
  readonly afterEffect?: true;
  /** The delivery status that the body carries now. */
  readonly status?: string;
  readonly form?: RawForm;
  readonly mediaType?: string;
  readonly secret?: number;
}

export const redeliver = receiverStep<Redeliver>({
  kind: 'redeliver',
  weight: 5,
  steps: (draw) =>
    sparseRecord(
      { do: fc.constant('redeliver' as const), slot },
      {
        times: [3, fc.integer({ min: 2, max: 5 })],
        gap: [4, fc.integer({ min: 1, max: 150 })],
        afterEffect: [6, fc.constant(true as const)],
        status: draw.statuses.length > 0 ? [8, fc.constantFrom(...draw.statuses)] : never,
        ...wording(draw, 8),
      },
    ),
  possible: () => true,
  play: async (step, kit, modelState) => {
    const entry = modelState.atOrNew(kit, step.slot);
    const { times = 1, gap = 0, afterEffect = false } = step;
    const writing = rewritten(entry, step);
    const delivery = writing === entry.writing ? entry.genuine : written(kit, writing, entry.genuine.id);
    if (afterEffect) await untilEffect(kit, entry);
    for (let time = 0; time < times; time++) {
      if (gap > 0) await kit.pause(gap);
      await deliverGenuine(kit, modelState, entry, { delivery, writing });
    }
  },
  describe: ({ slot: name, times = 1, gap, afterEffect, status, ...worded }) =>
    [
      `deliver ${name}${times === 1 ? '' : ` ${times} times`}`,
      ...(afterEffect ? ['after its effect'] : []),
      ...(gap === undefined ? [] : [`${gap} ms later`]),
      ...(status === undefined ? [] : [`with the status ${status}`]),
      ...describeWording(worded),
    ].join(', '),
});

/** Without anything of its own the bytes are those of the first delivery. */
function rewritten({ writing }: Entry, { status, form, mediaType, secret }: Redeliver): Writing {
  if (status === undefined && !form && mediaType === undefined && secret === undefined) return writing;
  return {
    ...writing,
    ...(status !== undefined && { status }),
    ...(form && { form }),
    ...(mediaType !== undefined && { mediaType }),
    ...(secret !== undefined && { secret }),
  };
}

async function untilEffect(kit: ReceiverKit, { genuine, accepted }: Entry): Promise<void> {
  if (accepted > 0 && kit.probed && kit.isEffective(genuine.event)) await kit.untilEffect([genuine.id]);
}
