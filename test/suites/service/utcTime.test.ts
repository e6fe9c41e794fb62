import { describe, expect, it } from 'vitest';

import { resolution, utcTime } from '../../../suites/service/utcTime.ts';

describe('timestamps in UTC', () => {
  it.each([
    '2026-01-31T08:00:00Z',
    '2026-01-31T08:00:00.000Z',
    '2026-01-31T08:00Z',
    '2026-01-31T08:00:00,000000+00:00',
    '2026-01-31t08:00:00z',
    '2026-01-31T08:00:00-0000',
  ])('reads %s', (text) => {
    expect(utcTime(text)).toBe(Date.UTC(2026, 0, 31, 8));
  });

  it.each([
    '2026-01-31 08:00:00',
    '2026-01-31T08:00:00',
    '2026-01-31T08:00:00+02:00',
    '2026-13-31T08:00:00Z',
    '',
    7,
    null,
  ])('reads nothing from %s', (value) => {
    expect(utcTime(value)).toBeUndefined();
  });

  it('knows what the last digit stands for', () => {
    const texts = [
      '2026-01-31T08:00:00Z',
      '2026-01-31T08:00:00.5Z',
      '2026-01-31T08:00:00.123Z',
      '2026-01-31T08:00:00.123456Z',
    ];
    expect(texts.map(resolution)).toEqual([1000, 100, 1, 1]);
  });
});
