import fc, { type Arbitrary } from 'fast-check';

import type { Draw } from '../../draw.ts';
import type { Delivery, WireStep } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { inTwo, onWire, whole } from '../../receiver/onWire.ts';
import type { Entry, ReceiverModelState } from './receiverModelState.ts';
import { describeMaking, making, type Making, sparseRecord } from './making.ts';
import { slot, type Slot } from './slot.ts';

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
