import type { Delivery, Wire, WireStep } from '../delivery.ts';

/** A delivery that is written by hand, step by step. */
type OnWire = Delivery & { readonly wire: Wire };

const head = { send: 'head' } as const;

/** Milliseconds between two parts: long enough for a busy receiver to read them one after the other. */
export const betweenParts = 100;

/** All of a request, at once. */
export const whole: readonly WireStep[] = [head, { send: 'body', from: 0, to: 1 }];

/** The head, and the body up to this part of it. @param part - from 0 to 1 */
export function upTo(part: number, ...then: readonly WireStep[]): readonly WireStep[] {
  return [head, { send: 'body', from: 0, to: part }, ...then];
}

/** The whole body, in two parts. @param between - what comes between them */
export function inTwo(part: number, between: WireStep): readonly WireStep[] {
  return upTo(part, between, { send: 'body', from: part, to: 1 });
}

/** The delivery, written in these steps. @param how - what is unlike a request with a content length */
export function onWire(delivery: Delivery, steps: readonly WireStep[], how: Omit<Partial<Wire>, 'steps'> = {}): OnWire {
  return { ...delivery, wire: { framing: 'length', ...how, steps } };
}

/** The delivery over a connection that is opened for it, in place of one that the kit keeps. */
export function overOwnConnection(delivery: Delivery): OnWire {
  return onWire(delivery, whole);
}

/** The delivery, whose body is held when this part of it was sent. @param sent - from 0 to 1 */
export function heldAt(delivery: Delivery, sent: number): Delivery {
  return onWire(delivery, inTwo(sent, { hold: true }));
}

/** The delivery, whose request line is held when this part of its first bytes was sent. @param sent - from 0 to 1 */
export function heldWithinHead(delivery: Delivery, sent: number): Delivery {
  return onWire(delivery, headInTwo(1 + Math.floor(sent * 16), { hold: true }));
}

/** All of a request, whose head comes in two parts. @param place - bytes of it, from its end where negative */
export function headInTwo(place: number, between: WireStep): readonly WireStep[] {
  return [{ send: 'head', to: place }, between, { send: 'head', from: place }, { send: 'body', from: 0, to: 1 }];
}

/** The head, then the body in two parts. @param part - from 0 to 1 @param between - what comes between all of these */
export function headThenBodyInTwo(part: number, between: WireStep): readonly WireStep[] {
  return [head, between, { send: 'body', from: 0, to: part }, between, { send: 'body', from: part, to: 1 }];
}

/** Places at which a connection breaks, from the sender's side. */
export const cuts = [
  'the connection breaks before the body',
  'the connection breaks in the body',
  'the sender closes in the body',
  'the connection breaks before the last byte',
  'the connection breaks after the body',
] as const;

export type Cut = (typeof cuts)[number];

/** The delivery with its connection broken there. What arrives is what a right sender would have sent so far. */
export function cutAt(delivery: Delivery, cut: Cut): Delivery {
  return onWire(delivery, stepsTo(cut, delivery.body.length));
}

function stepsTo(cut: Cut, length: number): readonly WireStep[] {
  switch (cut) {
    case 'the connection breaks before the body':
      return [{ send: 'head' }, { end: 'rst' }];
    case 'the connection breaks in the body':
      return upTo(0.5, { end: 'rst' });
    case 'the sender closes in the body':
      return upTo(0.5, { end: 'fin' });
    case 'the connection breaks before the last byte':
      return upTo((length - 1) / length, { end: 'rst' });
    case 'the connection breaks after the body':
      return upTo(1, { end: 'rst' });
  }
}
