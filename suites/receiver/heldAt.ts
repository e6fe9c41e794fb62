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
