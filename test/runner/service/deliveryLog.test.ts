import { expect, test } from 'vitest';

import { newCaught } from '../../../runner/catcher/attempt.ts';
import { DeliveryLog } from '../../../runner/service/deliveryLog.ts';

const endpoint = { url: 'http://127.0.0.1:4000/a' };

/** A delivery of an event that came at this millisecond of the run, and was accepted where it says so. */
function came(log: DeliveryLog, key: string, at: number, event = 'order.paid', { to = 'a', accepted = false } = {}) {
  const head = { method: 'POST', path: `/${to}`, headers: [] };
  const end = accepted ? { end: { kind: 'answered', status: 200, at } as never } : {};
  log.add({ ...newCaught(to, head, { remoteAddress: '127.0.0.1' } as never, at), key, number: 1, ...end }, event);
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
  log.subscribers.set('a', 0);
  log.cause('order.paid', 100);
  came(log, 'one', 150);
  came(log, 'renamed', 900);
  expect(log.spreadBy(100)).toBe(150);
  log.cause('order.paid', 1000);
  came(log, 'two', 1050);
  expect(log.spreadBy(1000)).toBe(1050);
});

test('an event spreads while those hear of it who were there, each for the first time', () => {
  const log = new DeliveryLog([200]);
  log.subscribers.set('a', 0).set('b', 0).set('late', 5000);
  log.cause('order.paid', 100);
  came(log, 'one', 150, 'order.paid', { accepted: true });
  came(log, 'two', 900, 'order.paid', { to: 'b', accepted: true });
  expect(log.spreadBy(100)).toBe(900);
  came(log, 'three', 6000, 'order.paid', { to: 'late', accepted: true });
  came(log, 'four', 7000, 'order.paid', { accepted: true });
  came(log, 'five', 7000, 'order.paid', { to: 'asleep', accepted: true });
  expect(log.spreadBy(100)).toBe(900);
  expect(log.newest).toBe(7000);
});

test('what came before the event happened is not of it', () => {
  const log = new DeliveryLog([200]);
  log.cause('order.paid', 100);
  came(log, 'one', 150);
  const second = log.cause('order.paid', 200);
  expect(log.broughtBy(second, endpoint)).toBeUndefined();
});

test('what is being answered, or was a moment ago, is not asked about as given up', () => {
  const log = new DeliveryLog([200]);
  const cause = log.cause('order.paid', 100);
  const step = { do: 'respond', status: 500 } as const;
  const refused = (key: string, end?: number) => {
    const head = { method: 'POST', path: `/${key}`, headers: [] };
    const caught = newCaught(key, head, { remoteAddress: '127.0.0.1' } as never, 150);
    const ended = end !== undefined && { end: { kind: 'answered', status: 500, at: end } as never };
    log.add({ ...caught, key, number: 1, step, ...ended }, 'order.paid');
  };
  refused('own', 160);
  const own = log.broughtBy(cause, { url: 'http://127.0.0.1:4000/own' })!;
  refused('quiet', 170);
  refused('just now', 900);
  refused('under way');
  expect(log.refusedTwins(own, 500).map(({ id }) => id)).toEqual(['own', 'quiet']);
});
