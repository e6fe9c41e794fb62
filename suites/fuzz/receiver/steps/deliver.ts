import fc, { type Arbitrary } from 'fast-check';

import type { RawForm } from '../../../../generators/spelling/edit.ts';
import { pairs } from '../../../items.ts';
import type { ReceiverKit } from '../../../kit.ts';
import { deliverGenuine, judgedByFirst } from '../genuine.ts';
import { describeMaking, describeWording, making, never, sparseRecord, wording, written } from '../making.ts';
import type { Making, Writing } from '../making.ts';
import type { Entry, ReceiverModelState } from '../receiverModelState.ts';
import { slot, type Slot } from '../slot.ts';
import { receiverStep } from '../stepKind.ts';
import type { Draw } from '../../../draw.ts';
import type { Delivery, WireStep } from '../../../delivery.ts';
import { inTwo, onWire, whole } from '../../../receiver/onWire.ts';

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

/** One of several deliveries that are under way at the same time: what the slot holds, or something new where it is empty. */
export interface Part {
  readonly slot: Slot;
  /** What is made in place of what the slot holds. Only the first part of a slot makes it. */
  readonly what?: Making;
  /** Default: one. */
  readonly copies?: number;
  /** Milliseconds before it is begun. */
  readonly offset?: number;
  /** So many percent of the body are sent, and the rest so many milliseconds later. */
  readonly held?: { readonly percent: number; readonly ms: number };
}

/** A delivery that a part stands for. */
export interface Parted {
  readonly entry: Entry;
  readonly delivery: Delivery;
}

/** Parts. Shrinks to one copy of what slot `a` holds. */
export function part(draw: Draw): Arbitrary<Part> {
  return sparseRecord<Pick<Part, 'slot'>, Omit<Part, 'slot'>>(
    { slot },
    {
      what: [4, making(draw)],
      copies: [4, fc.integer({ min: 2, max: 6 })],
      offset: [3, fc.integer({ min: 1, max: 30 })],
      held: [
        5,
        fc.record({ percent: fc.nat({ max: 99 }), ms: fc.integer({ min: 1, max: 60 }) }, { noNullPrototype: true }),
      ],
    },
  );
}

/** The deliveries of the parts, in their order. What a slot is given in the first part of it, its other parts copy. */
export function parted(kit: ReceiverKit, modelState: ReceiverModelState, parts: readonly Part[]): readonly Parted[] {
  const made = new Set<Slot>();
  const all = parts.flatMap((one): readonly Parted[] => {
    const isNew = one.what !== undefined && !made.has(one.slot);
    const entry = isNew ? modelState.make(kit, one.slot, one.what) : modelState.atOrNew(kit, one.slot);
    made.add(one.slot);
    const delivery = timed(entry.genuine, one);
    return Array.from({ length: one.copies ?? 1 }, () => ({ entry, delivery }));
  });
  const times = Map.groupBy(all, ({ entry }) => entry);
  for (const [entry, copies] of times) {
    if (copies.length < 2) continue;
    entry.concurrent = true;
    entry.concurrentAfter = modelState.played.length;
  }
  return all;
}

function timed(delivery: Delivery, { offset, held }: Part): Delivery {
  if (offset === undefined && held === undefined) return delivery;
  const steps: readonly WireStep[] = [
    ...(offset === undefined ? [] : [{ pause: offset }]),
    ...(held ? inTwo(held.percent / 100, { pause: held.ms }) : whole),
  ];
  return onWire(delivery, steps);
}

/** In a few words: `3 copies of a after 5 ms`. */
export function describePart({ slot: name, what, copies = 1, offset, held }: Part): string {
  return [
    `${copies === 1 ? '' : `${copies} copies of `}${name}`,
    ...(what ? [['new', ...describeMaking(what)].join(', ')] : []),
    ...(offset === undefined ? [] : [`after ${offset} ms`]),
    ...(held ? [`the body from ${held.percent}% on ${held.ms} ms later`] : []),
  ].join(', ');
}
