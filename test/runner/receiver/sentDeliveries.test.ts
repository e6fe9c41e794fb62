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

  it('is not said to have been answered when it was repeated where it had been answered before', () => {
    const log = after([answered, answered], ...times(30, [closed, closed] as const));
    expect(log.repeats(closed, 1)).toBe(false);
  });
});

describe('how long an answer is worth to be awaited', () => {
  const missing = { kind: 'timed-out', ms: 10_000 } as const;
  const after = (ms: number) => ({ kind: 'answered', status: 200, headers: [], body: '', ms }) as const;
  const patience = (...answers: readonly Answer[]) => {
    const log = new SentDeliveries();
    for (const answer of answers) log.answered(answer);
    return log.patience(10_000);
  };

  it('is all of its time until two did not come, and where none has come or the slowest took a tenth of it', () => {
    expect(patience(after(5), missing)).toBeUndefined();
    expect(patience(missing, missing)).toBeUndefined();
    expect(patience(after(5), missing, missing, after(1000))).toBeUndefined();
  });

  it('is a second from then on, or ten times as long as the slowest took', () => {
    expect(patience(after(5), missing, missing)).toBe(1000);
    expect(patience(after(300), missing, after(20), missing)).toBe(3000);
  });

  it('is not shortened by an answer that begins and does not end, nor where nothing is tried twice', () => {
    expect(patience(after(5), missing, { ...missing, status: 200 })).toBeUndefined();
    const log = new SentDeliveries();
    for (const answer of [after(5), missing, missing]) log.answered(answer);
    log.hurries = false;
    expect(log.patience(10_000)).toBeUndefined();
  });
});
