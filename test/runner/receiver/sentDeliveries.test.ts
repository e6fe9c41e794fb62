import { afterEach, expect, it, vi } from 'vitest';

import { SentDeliveries } from '../../../runner/receiver/receiverContext.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('knows what came so shortly before an end that it may have been in memory alone', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const log = new SentDeliveries();
  log.record('early', 'a');
  vi.advanceTimersByTime(9_000);
  log.record('late', 'a');
  vi.advanceTimersByTime(2_000);
  expect([...log.unstored]).toEqual([]);
  log.ended();
  expect([...log.unstored]).toEqual(['late']);
});
