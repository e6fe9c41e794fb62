import { describe, expect, it } from 'vitest';

import { inDuration, parseDuration, usualDuration } from '../../../spec/units.ts';

describe('durations that are learned', () => {
  it.each([
    [0.2, '1ms'],
    [46.4, '46ms'],
    [994, '990ms'],
    [1520, '1.5s'],
    [10_040, '10s'],
    [600_000, '10m'],
  ])('writes %d ms as %s', (ms, expected) => {
    expect(inDuration(ms)).toBe(expected);
    expect(parseDuration(expected)).toBeGreaterThan(0);
  });

  it.each([
    [459, '500ms'],
    [380, '400ms'],
    [9_980, '10s'],
    [10_020, '10s'],
    [29_900, '30s'],
  ])('takes %d ms for %s', (ms, expected) => {
    expect(usualDuration(ms)).toBe(expected);
  });
});
