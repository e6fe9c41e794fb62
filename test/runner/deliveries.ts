import { createDeliverer, type Deliverer } from '../../runner/http/deliverer.ts';
import type { DelivererOptions } from '../../runner/http/delivererOptions.ts';
import type { Answer, Delivery, Wire, WireStep } from '../../suites/delivery.ts';

/** A delivery whose content does not matter. */
export function delivery(change: Partial<Delivery> = {}): Delivery {
  return {
    id: '1',
    event: 'a.b',
    method: 'POST',
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from('{"a":1}'),
    ...change,
  };
}

export function byHand(steps: readonly WireStep[], change: Partial<Delivery> & Partial<Wire> = {}): Delivery {
  const { framing = 'length', requestLine, ...rest } = change;
  return delivery({ ...rest, wire: { framing, steps, ...(requestLine === undefined ? {} : { requestLine }) } });
}

export const head: WireStep = { send: 'head' };
export const body: WireStep = { send: 'body', from: 0, to: 1 };

export function delivererTo(url: URL, change: Partial<DelivererOptions> = {}): Deliverer {
  return createDeliverer({ url, timeout: 5000, concurrency: 4, headers: [], insecure: false, ...change });
}

/** What counts of an answer: its status, what broke it, or that it timed out. */
export function outcome(answer: Answer): number | string {
  return answer.kind === 'answered' ? answer.status : answer.kind === 'broken' ? answer.code : answer.kind;
}
