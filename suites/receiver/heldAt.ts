import type { Delivery } from '../delivery.ts';

/** The delivery, whose body is held when this part of it was sent. @param sent - from 0 to 1 */
export function heldAt(delivery: Delivery, sent: number): Delivery {
  const steps = [
    { send: 'head' },
    { send: 'body', from: 0, to: sent },
    { hold: true },
    { send: 'body', from: sent, to: 1 },
  ] as const;
  return { ...delivery, wire: { framing: 'length', steps } };
}

/** The delivery, whose request line is held when this part of its first bytes was sent. @param sent - from 0 to 1 */
export function heldWithinHead(delivery: Delivery, sent: number): Delivery {
  const place = 1 + Math.floor(sent * 16);
  const steps = [
    { send: 'head', to: place },
    { hold: true },
    { send: 'head', from: place },
    { send: 'body', from: 0, to: 1 },
  ] as const;
  return { ...delivery, wire: { framing: 'length', steps } };
}
