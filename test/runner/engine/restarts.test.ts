import { expect, test } from 'vitest';

import { economyOfRestarts } from '../../../runner/engine/side.ts';

const interrupting = { schedule: { kind: 'interrupting' } } as const;

test.each([
  ['standard', 250, { share: 1 }],
  ['standard', 1000, { share: 0.25, least: 'kinds' }],
  ['quick', 250, { share: 1 }],
  ['quick', 1000, { share: 0.25, kinds: 12 }],
  ['quick', 2500, { share: 0.1, kinds: 4 }],
  ['quick', 10_000, { share: 0.025, kinds: 1 }],
  ['thorough', 1000, { share: 0.25 }],
] as const)('at %s, a start of %i ms leaves %j of the cases', (intensity, slowestStart, economy) => {
  expect(economyOfRestarts(interrupting, intensity, slowestStart)).toEqual(economy);
  expect(economyOfRestarts({}, intensity, slowestStart)).toBeUndefined();
  const pausing = { schedule: { ...interrupting.schedule, restarts: false } };
  expect(economyOfRestarts(pausing, intensity, slowestStart)).toBeUndefined();
});
