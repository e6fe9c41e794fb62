import { afterEach, describe, expect, it, vi } from 'vitest';

import { SentDeliveries } from '../../../runner/receiver/receiverContext.ts';
import type { Answer } from '../../../suites/delivery.ts';

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

describe('a delivery that got no answer', () => {
  const closed = { kind: 'broken', code: 'ECONNRESET', ms: 1 } as const;
  const refused = { kind: 'broken', code: 'ECONNREFUSED', ms: 1 } as const;
  const late = { kind: 'timed-out', ms: 10_000 } as const;
  const answered = { kind: 'answered', status: 500, headers: [], body: '', ms: 1 } as const;
  const after = (...pairs: readonly (readonly [Answer, Answer])[]) => {
    const log = new SentDeliveries();
    log.answered(answered);
    for (const pair of pairs) log.repeated(...pair);
    return log;
  };
  const times = <T>(count: number, one: T): readonly T[] => Array.from({ length: count }, () => one);

  it('is repeated until that has been in vain thirty times, or three times for want of an answer in time', () => {
    expect(after(...times(29, [closed, closed] as const)).repeats(closed, 1)).toBe(true);
    expect(after(...times(30, [closed, closed] as const)).repeats(closed, 1)).toBe(false);
    expect(after(...times(2, [late, late] as const)).repeats(late, 1)).toBe(true);
    expect(after(...times(3, [late, late] as const)).repeats(late, 1)).toBe(false);
  });

  it('is repeated for ever where that helped once, and where nothing takes connections', () => {
    expect(after([closed, answered], ...times(30, [closed, closed] as const)).repeats(closed, 1)).toBe(true);
    expect(after(...times(99, [refused, refused] as const)).repeats(refused, 1)).toBe(true);
    expect(after(...times(30, [closed, closed] as const)).repeats(refused, 1)).toBe(true);
  });

  it('is not repeated for want of an answer in time where nothing was answered yet', () => {
    expect(new SentDeliveries().repeats(late, 1)).toBe(false);
    expect(new SentDeliveries().repeats(closed, 1)).toBe(true);
  });

  it('is not said to have been answered when it was repeated where it had been answered before', () => {
    const log = after([answered, answered], ...times(30, [closed, closed] as const));
    expect(log.repeats(closed, 1)).toBe(false);
  });
});
