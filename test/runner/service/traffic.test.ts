import { expect, test } from 'vitest';

import { newCaught } from '../../../runner/catcher/attempt.ts';
import { Traffic } from '../../../runner/service/runState.ts';
import type { Caught } from '../../../suites/exchange.ts';

const head = { method: 'POST', path: '/a', headers: [] };

function arrived(traffic: Traffic, at: number): Caught {
  const caught = newCaught('a', head, { remoteAddress: '127.0.0.1' } as never, at);
  traffic.note(caught);
  return caught;
}

function ended(traffic: Traffic, caught: Caught, at: number): void {
  traffic.note(Object.assign(caught, { end: { kind: 'answered', status: 200, at } }));
}

test('a service that makes one attempt at a time may have no room for another while one is under way', () => {
  const traffic = new Traffic();
  ended(traffic, arrived(traffic, 100), 110);
  expect(traffic.fullAt(5000)).toBe(110);
  const held = arrived(traffic, 200);
  expect(traffic.fullAt(5000)).toBe(5000);
  ended(traffic, held, 6000);
  expect(traffic.fullAt(9000)).toBe(6000);
  expect(traffic.latest).toBe(200);
});

test('one that made several at once has room again as soon as one of them has ended', () => {
  const traffic = new Traffic();
  const held = [100, 120, 130].map((at) => arrived(traffic, at));
  expect(traffic.fullAt(1000)).toBe(1000);
  ended(traffic, held[1]!, 1200);
  expect(traffic.fullAt(5000)).toBe(1200);
  ended(traffic, arrived(traffic, 1300), 1310);
  expect(traffic.fullAt(5000)).toBe(1310);
  ended(traffic, held[0]!, 2000);
  ended(traffic, arrived(traffic, 2100), 2110);
  expect(traffic.fullAt(5000)).toBe(1310);
});
