import { describe, expect, it } from 'vitest';

import { DurationError, inDuration, parseDuration, parseSize, SizeError, usualDuration } from '../../spec/units.ts';

describe('a duration', () => {
  it.each([
    ['250ms', 250],
    ['10s', 10_000],
    ['1.5m', 90_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['750', 750],
    ['0', 0],
    [' 3 s ', 3000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', 's', '-1s', '1d', '1e3', '10 seconds', 'Infinity', '1s5s', '.5s'])('refuses "%s"', (text) => {
    expect(() => parseDuration(text)).toThrow(DurationError);
    expect(() => parseDuration(text)).toThrow(`"${text}" is no duration`);
  });
});

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

describe('a size', () => {
  it.each([
    ['64KiB', 65_536],
    ['1MiB', 1_048_576],
    ['100kB', 100_000],
    ['1MB', 1_000_000],
    ['512', 512],
    ['12 B', 12],
    ['0.5KiB', 512],
  ])('%s is %d bytes', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each(['', 'MiB', '-1', '1GB', '64kib', '1,5MB'])('refuses "%s"', (text) => {
    expect(() => parseSize(text)).toThrow(SizeError);
  });
});
