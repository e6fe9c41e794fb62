import { expect, test } from 'vitest';

import { EffectTimes, SettledEffects } from '../../../runner/receiver/effectTimes.ts';

/** Watched for from the moment on at which it was owed, unless said otherwise. */
const owed = (owedSince: number, absentAt = owedSince) => [{ owedSince, absentAt }];

test('an absence is awaited for a second at least, and for five times as long as the slowest effect took', () => {
  const times = new EffectTimes();
  expect(times.settle).toBe(1000);
  times.record(owed(0), 100);
  expect(times.settle).toBe(1000);
  times.record(owed(1000), 4000);
  expect(times.slowest).toBe(3000);
  expect(times.settle).toBe(15_000);
});

test('a minute in a queue is not awaited five times', () => {
  const times = new EffectTimes();
  for (let sent = 0; sent < 600; sent++) times.record(owed(sent), 100 + 100 * sent);
  expect(times.slowest).toBeGreaterThan(59_000);
  expect(times.settle).toBe(10_000);
  expect(times.lastTurn).toBe(60_000 - 2000);
});

test('an effect that comes after those of later deliveries had no turn to wait for', () => {
  const times = new EffectTimes();
  for (let sent = 1; sent < 60; sent++) times.record(owed(100 * sent), 100 * sent + 50);
  times.record(owed(0), 6000);
  expect(times.settle).toBe(30_000);
});

test('what came before anybody looked may have been worked on all the time', () => {
  const times = new EffectTimes();
  times.record(owed(0, 59_900), 60_000);
  expect(times.settle).toBe(10_000);
});

test('of effects that were seen, those count whose ids were not delivered since, and since the target came up', () => {
  const settled = new SettledEffects();
  settled.record(new Map([['before a restart', 1]]), new Map([['before a restart', 1]]), 10);
  const expected = new Map([
    ['as it was', 1],
    ['delivered again', 1],
    ['without effect', 1],
    ['forgotten', 1],
  ]);
  settled.record(expected, new Map([...expected.keys()].slice(0, 2).map((id) => [id, 1])), 30);
  const deliveredAt = new Map(
    Object.entries({ 'before a restart': 5, 'as it was': 25, 'delivered again': 35, 'without effect': 26 }),
  );
  const times = { of: (id: string) => deliveredAt.get(id), upSince: 20 };
  expect([...settled.since(times)].map(([id, { expected: wanted, count }]) => [id, wanted, count])).toEqual([
    ['as it was', 1, 1],
    ['without effect', 1, 0],
  ]);
});
