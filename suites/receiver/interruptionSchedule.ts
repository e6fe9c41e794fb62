import fc, { type Arbitrary } from 'fast-check';

import { largeNat, wholeList } from '../../generators/arbitraries.ts';
import type { Notification } from '../../generators/notification/notification.ts';
import type { Draw } from '../draw.ts';

/** What is sent: a notification, or the plain one of any event where it is null. What it says matters little here. */
export type Content = Notification | null;

/** A notification that is sent, and when. */
export interface Sending {
  /** Milliseconds from the start of the schedule. */
  readonly offset: number;
  /** The part of its body that goes out at first, 0 to 1. Below 1 the rest follows a moment later. */
  readonly part: number;
  /** True where its body is indented, with line ends between its members. */
  readonly indented?: true;
  readonly content: Content;
}

/**
 * What is sent to a receiver, and when an interruption hits it: a kill, a stop, a pause. It shrinks to one plain notification,
 * sent whole, with nothing beside it and no delay.
 */
export interface InterruptionSchedule {
  /** How many plain deliveries are under way beside those that are listed, all begun at once. */
  readonly load: number;
  /** How many copies of each that is listed are sent at the same moment. Default 1. */
  readonly copies?: number;
  /** The interruption waits for so many acknowledgements; for none where it is 0. */
  readonly acknowledgements: number;
  /** Milliseconds from then until the interruption. */
  readonly delay: number;
  /** True where delay and offsets are for a receiver that is done with a delivery within 10 ms: one that takes longer gets as many times as much. */
  readonly paced?: true;
  /** How often the same interruption hits it again, so long after it has come up again. */
  readonly repeats: number;
  /** At least one. */
  readonly deliveries: readonly Sending[];
}

/** Milliseconds after which the rest of a body follows that is sent in part: longer than any interruption waits. */
export const untilTheRest = 150;

/** Milliseconds within which an interruption may follow. */
const longestDelay = 50;
/** Milliseconds within which a paced one does, and in which a receiver is done that gets no more. */
export const briefWork = 10;
/** Milliseconds within which several deliveries begin. */
const longestOffset = 20;
/** Deliveries of a schedule that are not load. */
const mostDeliveries = 8;
/** Those of a paced one: a receiver that is busier than usual takes longer. */
const fewDeliveries = 4;

/** Any content; it shrinks to the plain one at once, since each smaller case costs an interruption. */
export function content(draw: Draw): Arbitrary<Content> {
  return fc.option(draw.notification(), { nil: null });
}

/** The interruption comes right after an acknowledgement, or up to 50 ms later; alone, under load, and more than once. */
export function afterAcknowledgement(draw: Draw): readonly (readonly Arbitrary<InterruptionSchedule>[])[] {
  const [none, soon, later] = [fc.constant(0), fc.nat({ max: 5 }), fc.nat({ max: longestDelay })];
  const [first, any] = [fc.constant(1), fc.integer({ min: 1, max: mostDeliveries })];
  const load = largeNat(4 * draw.concurrency);
  return [
    [schedule({ acknowledgements: first, delay: none, deliveries: one(draw) })],
    [schedule({ acknowledgements: fc.constant(2), delay: none, deliveries: indentedAndLarge(draw) })],
    [
      schedule({ acknowledgements: any, delay: soon, deliveries: one(draw), load }),
      schedule({ acknowledgements: any, delay: later, deliveries: several(draw), load }),
    ],
    [
      schedule({ acknowledgements: any, delay: later, deliveries: several(draw) }),
      schedule({ acknowledgements: first, delay: later, deliveries: one(draw) }),
    ],
    [
      schedule({
        acknowledgements: any,
        delay: soon,
        deliveries: one(draw),
        load,
        repeats: fc.integer({ min: 1, max: 2 }),
      }),
    ],
    [schedule({ acknowledgements: first, delay: none, deliveries: one(draw), copies: fc.constant(2) })],
  ];
}

/** The interruption comes while the receiver works on one delivery, or within 50 ms after several, whatever was answered by then. */
export function afterSending(draw: Draw): readonly (readonly Arbitrary<InterruptionSchedule>[])[] {
  const acknowledgements = fc.constant(0);
  const [done, late] = [fc.constant(briefWork), largeNat(longestDelay)];
  const load = largeNat(4 * draw.concurrency);
  return [
    [schedule({ acknowledgements, delay: done, paced: fc.constant(true), deliveries: atEveryStage(draw) })],
    [
      schedule({ acknowledgements, delay: late, deliveries: one(draw), load }),
      schedule({ acknowledgements, delay: late, deliveries: several(draw) }),
    ],
  ];
}

/** The interruption comes while bodies are on their way: each connection has been taken by then, and the rest follows later. */
export function withinTheBody(draw: Draw): readonly (readonly Arbitrary<InterruptionSchedule>[])[] {
  const acknowledgements = fc.constant(0);
  const part = fc.double({ min: 0, max: 0.99, noNaN: true });
  const delay = fc.integer({ min: 2 * longestOffset, max: untilTheRest - longestDelay });
  return [
    [
      schedule({ acknowledgements, delay, deliveries: one(draw, part) }),
      schedule({ acknowledgements, delay, deliveries: several(draw, part) }),
    ],
  ];
}

type Parts = { readonly [name in keyof InterruptionSchedule]-?: Arbitrary<InterruptionSchedule[name] & {}> };

function schedule(
  parts: Omit<Parts, 'load' | 'repeats' | 'paced' | 'copies'> & Partial<Parts>,
): Arbitrary<InterruptionSchedule> {
  const { load = fc.constant(0), repeats = fc.constant(0), acknowledgements, delay, paced, copies, deliveries } = parts;
  const others = { ...(paced && { paced }), ...(copies && { copies }) };
  return fc.record({ load, repeats, deliveries, acknowledgements, delay, ...others });
}

function one(draw: Draw, part: Arbitrary<number> = fc.constant(1)): Arbitrary<readonly Sending[]> {
  return fc.tuple(fc.record({ offset: fc.constant(0), part, content: content(draw) }));
}

/**
 * What is kept for the next start may be read otherwise than it was written: line by line, or up to a size. It shrinks to two
 * ordinary ones.
 */
function indentedAndLarge(draw: Draw): Arbitrary<readonly Sending[]> {
  const large = draw.notification({ included: { bytes: draw.judgedSize, of: 'a' } });
  const whole = { offset: 0, part: 1 } as const;
  return fc.tuple(largeNat(1), draw.notification(), large).chain(([odd, small, content]) =>
    wholeList<Sending>([
      { ...whole, ...(odd === 1 && { indented: true }), content: small },
      { ...whole, content: odd === 1 ? content : small },
    ]),
  );
}

/** A few deliveries, begun while one of them takes: what comes then hits each at another stage of the work. */
function atEveryStage(draw: Draw): Arbitrary<readonly Sending[]> {
  const offset = fc.nat({ max: briefWork - 1 });
  const sending = fc.record({ offset, part: fc.constant(1), content: content(draw) });
  return fc.noBias(fc.array(sending, { minLength: 1, maxLength: fewDeliveries, size: 'max' }));
}

function several(draw: Draw, part: Arbitrary<number> = fc.constant(1)): Arbitrary<readonly Sending[]> {
  const sending = fc.record({ offset: fc.nat({ max: longestOffset }), part, content: content(draw) });
  return fc.array(sending, { minLength: 1, maxLength: mostDeliveries, size: 'max' });
}
