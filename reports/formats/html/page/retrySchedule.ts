import type { RetriedNotification } from '../../../model/wireFigures.ts';

/** The pause before one attempt, as several notifications show it. Milliseconds. */
export interface ScheduledAttempt {
  /** From 2: the first attempt has no pause before it. */
  readonly number: number;
  readonly median: number;
  readonly shortest: number;
  readonly longest: number;
  /** Notifications that show it. */
  readonly seen: number;
  /** Since the first attempt, if every pause before it is the median one. */
  readonly at: number;
}

/** The schedule that the pauses between attempts show. Attempts of which the one before was not seen tell nothing. */
export function retrySchedule(retried: readonly RetriedNotification[]): readonly ScheduledAttempt[] {
  const pauses = Map.groupBy(retried.flatMap(pausesOf), ({ number }) => number);
  let at = 0;
  return [...pauses]
    .toSorted(([a], [b]) => a - b)
    .map(([number, seen]) => {
      const sorted = seen.map(({ pause }) => pause).toSorted((a, b) => a - b);
      const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
      at += median;
      return { number, median, shortest: sorted[0] ?? 0, longest: sorted.at(-1) ?? 0, seen: sorted.length, at };
    });
}

function pausesOf({ attempts }: RetriedNotification) {
  return attempts.flatMap(({ number, ms }, index) => {
    const before = attempts[index - 1];
    return before !== undefined && before.number === number - 1 ? [{ number, pause: ms - before.ms }] : [];
  });
}
