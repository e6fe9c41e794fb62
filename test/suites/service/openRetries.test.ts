import { describe, expect, test } from 'vitest';

import type { Notified } from '../../../suites/serviceKit.ts';
import { openRetries, openSince } from '../../../suites/service/redelivery.ts';

describe('why retries were not seen to their end', () => {
  const came = (...attempts: readonly number[]) =>
    attempts.map(
      (count, id) => ({ id: String(id), event: 'a', attempts: Array(count).fill({}) }) as unknown as Notified,
    );

  test('a longer wait helps where attempts of one notification are still to come', () => {
    expect(openRetries(came(4), { attempts: 13 })).toBe(
      '4 of 13 attempts came within the retry window: give a longer --retry-window',
    );
    expect(openRetries(came(1, 1), { notifications: 2, attempts: 26 })).toContain('give a longer --retry-window');
  });

  test('it does not where each came under an id of its own', () => {
    const words = openRetries(came(1, 1, 1, 1), { attempts: 13 });
    expect(words).toContain('each under an id of its own');
    expect(words).not.toContain('give a longer');
  });

  test('the same event may happen again, for other cases: each time is a notification of its own', () => {
    const notified = (event: string, at: number) => ({ id: `${event}${at}`, event, attempts: [{ at }] }) as never;
    const contract = { delivery: { retries: 12 } } as never;
    const kit = {
      contract,
      monitored: () => [notified('a', 5), notified('a', 20), notified('a', 40), notified('b', 30)],
    };
    const came = [notified('a', 21), notified('a', 41)];
    expect(openSince(kit, came, { since: 30, least: 1 })).toContain('each under an id of its own');
    expect(openSince(kit, came, { since: 19, least: 1 })).toBe(
      '2 of 26 attempts came within the retry window: give a longer --retry-window',
    );
  });
});
