import type { Delivery, WireStep } from '../delivery.ts';
import { onWire, upTo } from './onWire.ts';

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
