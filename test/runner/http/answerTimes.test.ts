import { describe, expect, it } from 'vitest';

import { AnswerTimes } from '../../../runner/http/answerTimes.ts';
import type { Answer } from '../../../suites/delivery.ts';

describe('how long an answer is worth to be awaited', () => {
  const missing = { kind: 'timed-out', ms: 10_000 } as const;
  const after = (ms: number) => ({ kind: 'answered', status: 200, headers: [], body: '', ms }) as const;
  const patience = (...answers: readonly Answer[]) => {
    const times = new AnswerTimes();
    for (const answer of answers) times.note(answer);
    return times.patience(10_000);
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
    const times = new AnswerTimes();
    for (const answer of [after(5), missing, missing]) times.note(answer);
    times.mayHurry = false;
    expect(times.patience(10_000)).toBeUndefined();
  });

  it('is ten seconds at most once twenty answers are known, where it may be longer', () => {
    const times = new AnswerTimes();
    for (let count = 0; count < 19; count++) times.note(after(5));
    expect(times.patience(30_000)).toBeUndefined();
    times.note(after(5));
    expect([times.patience(30_000), times.patience(10_000)]).toEqual([10_000, undefined]);
    times.note(after(2000));
    expect([times.patience(30_000), times.patience(15_000)]).toEqual([20_000, undefined]);
  });
});
