import { expect, test } from 'vitest';

import type { Caught } from '../../../suites/exchange.ts';
import { newCaught } from '../../../runner/catcher/attempt.ts';
import { DeliveryLog } from '../../../runner/service/deliveryLog.ts';
import type { RunState } from '../../../runner/service/runState.ts';
import { overdue } from '../../../runner/service/settlingTime.ts';

const log = new DeliveryLog([200]);

/** What the time limit of a retry is read from; nothing was late. */
const context = {
  deliveryLog: log,
  plan: { contract: { delivery: { retries: 12 } }, assumptions: [], settle: 1000 },
  lateness: { extended: (_from: number, until: number) => until },
} as unknown as RunState;

function came(endpoint: string, key: string, [at, end]: readonly [number, number?], number = 1) {
  const head = { method: 'POST', path: `/${endpoint}`, headers: [] };
  const step = { do: 'respond', status: 500 } as const;
  const caught = { ...newCaught(endpoint, head, { remoteAddress: '127.0.0.1' } as never, at), step, key, number };
  const ended: Caught = end === undefined ? caught : { ...caught, end: { kind: 'answered', status: 500, at: end } };
  return log.add(ended, 'order.paid');
}

test('a retry may wait for what hangs at the same endpoint, and for nothing else', () => {
  log.cause('order.paid', 0);
  came('elsewhere', 'first', [10, 20]);
  came('elsewhere', 'first', [60, 70], 2);
  const waiting = came('endpoint', 'one', [10, 1000]);
  expect(overdue(context, waiting)).toBe(2000);
  came('elsewhere', 'second', [1001]);
  expect(overdue(context, waiting)).toBe(2000);
  const other = came('endpoint', 'two', [1001]);
  expect(overdue(context, waiting)).toBeUndefined();
  Object.assign(other.attempts[0], { end: { kind: 'abandoned', at: 2001 } });
  expect(overdue(context, waiting)).toBe(3001);
});
