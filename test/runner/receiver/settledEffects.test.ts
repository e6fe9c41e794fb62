import { expect, test } from 'vitest';

import { SettledEffects } from '../../../runner/receiver/settledEffects.ts';

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
