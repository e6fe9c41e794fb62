import { describe, expect, it } from 'vitest';

import type { Call } from '../../../suites/exchange.ts';
import { misreadTime, resolution, utcTime } from '../../../suites/service/utcTime.ts';

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

describe('a time that was read or written wrongly', () => {
  const sent = Date.UTC(2026, 0, 31, 8);
  const kit = { base: 'http://127.0.0.1:4000/v2', now: () => sent + 5000, elapsed: () => 6000 };
  const answered = (...headers: readonly (readonly [string, string])[]) =>
    ({ kind: 'call', at: 1000, answer: { kind: 'answered', status: 201, headers, ms: 1 } }) as unknown as Call;
  const local = '2026-01-31T03:00:01Z';

  it('is far from the Date of the answer', () => {
    const call = answered(['Date', 'Sat, 31 Jan 2026 08:00:00 GMT']);
    expect(misreadTime(kit, local, call)).toBe(
      '5 hours before the Date of the answer to the creation of the webhook (Sat, 31 Jan 2026 08:00:00 GMT)',
    );
    expect(misreadTime({ ...kit, now: () => 0 }, '2026-01-31T08:00:00Z', call)).toBeUndefined();
  });

  it.each([
    ['2025-12-31T08:00:01Z', '31 days before'],
    ['2027-01-31T08:00:00Z', '365 days after'],
    ['1970-01-21T11:37:26.400Z', '20464 days before'],
  ])('is that of another day at this hour, or of 1970: %s', (text, distance) => {
    const call = answered(['Date', 'Sat, 31 Jan 2026 08:00:00 GMT']);
    expect(misreadTime(kit, text, call)).toBe(
      `${distance} the Date of the answer to the creation of the webhook (Sat, 31 Jan 2026 08:00:00 GMT)`,
    );
  });

  it('is not one that is old for another reason', () => {
    const call = answered(['Date', 'Sat, 31 Jan 2026 08:00:00 GMT']);
    for (const text of ['2026-01-30T08:05:00Z', '2024-05-01T12:00:00Z', '1970-01-01T00:00:00Z'])
      expect(misreadTime(kit, text, call)).toBeUndefined();
  });

  it('is far from the clock of this machine, where the service runs there and sends no Date', () => {
    expect(misreadTime(kit, local, answered())).toBe(
      '5 hours before the creation of the webhook by the clock of this machine (2026-01-31T08:00:00.000Z)',
    );
    expect(misreadTime(kit, '2026-01-31T08:00:01Z', answered())).toBeUndefined();
    expect(misreadTime({ ...kit, base: 'http://10.1.2.3/v2' }, local, answered())).toBeUndefined();
    for (const host of ['localhost', '[::1]'])
      expect(misreadTime({ ...kit, base: `http://${host}:4000/v2` }, local, answered())).toMatch(/^5 hours before/);
  });
});
