import { expect, test } from 'vitest';

import { newCaught } from '../../../runner/catcher/attempt.ts';
import { DeliveryLog } from '../../../runner/service/deliveryLog.ts';

const endpoint = { url: 'http://127.0.0.1:4000/a' };

/** A delivery of an event that came at this millisecond of the run. */
function came(log: DeliveryLog, key: string, at: number, event = 'order.paid'): void {
  const head = { method: 'POST', path: '/a', headers: [] };
  log.add({ ...newCaught('a', head, { remoteAddress: '127.0.0.1' } as never, at), key, number: 1 }, event);
}

test('what comes after the event has happened again is of the time before where nothing is missing', () => {
  const log = new DeliveryLog([200]);
  const first = log.cause('order.paid', 100);
  const second = log.cause('order.paid', 200);
  log.cause('order.failed', 210);
  came(log, 'one', 250);
  expect(log.broughtBy(second, endpoint)?.id).toBe('one');
  expect(log.broughtBy(first, endpoint)).toBeUndefined();
  came(log, 'other', 255, 'order.failed');
  expect(log.broughtBy(first, endpoint)).toBeUndefined();
  came(log, 'two', 260);
  expect(log.broughtBy(first, endpoint)?.id).toBe('one');
});

test('what comes under another id where the one before was not accepted may be its retry, and is not news', () => {
  const log = new DeliveryLog([200]);
  log.cause('order.paid', 100);
  came(log, 'one', 150);
  came(log, 'renamed', 900);
  expect(log.newestCausedBy(100)).toBe(150);
  log.cause('order.paid', 1000);
  came(log, 'two', 1050);
  expect(log.newestCausedBy(1000)).toBe(1050);
});

test('what came before the event happened is not of it', () => {
  const log = new DeliveryLog([200]);
  log.cause('order.paid', 100);
  came(log, 'one', 150);
  const second = log.cause('order.paid', 200);
  expect(log.broughtBy(second, endpoint)).toBeUndefined();
});
