import { expect, it } from 'vitest';

import { retryAfter, retryPauseAfter, retryPauses } from '../../../runner/http/retryAfter.ts';
import type { Answer } from '../../../suites/delivery.ts';

function asking(value: string): Answer {
  return { kind: 'answered', status: 503, headers: [['retry-after', value]], body: '', ms: 1 };
}

it('reads whole seconds and dates, and nothing else', () => {
  expect(retryAfter(asking('2'))).toBe(2000);
  expect(retryAfter(asking(new Date(Date.now() + 60_000).toUTCString()))).toBeGreaterThan(50_000);
  expect(retryAfter(asking('soon'))).toBeUndefined();
  expect(retryAfter(asking('-1'))).toBeUndefined();
  expect(retryAfter({ kind: 'timed-out', ms: 1 })).toBeUndefined();
});

it('a receiver may name a date, too', () => {
  const inAMinute = asking(new Date(Date.now() + 60_000).toUTCString());
  expect(retryPauseAfter(inAMinute, 1)).toBe(retryPauses.longest);
  expect(retryPauseAfter(asking('0'), 1)).toBe(retryPauses.first);
});
