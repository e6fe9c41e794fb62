import type { ServiceFaults } from '../fault.ts';

/** An attempt is judged by itself rightly, and wrongly after certain others (DLV-2, DLV-4). */
export const subtleRetryFaults: ServiceFaults = {
  'gives-up-on-a-time-out-after-two-refusals': {
    summary: 'Retries a time-out as one of the first two attempts, and takes a later one for the end of the receiver.',
    breaks: ['DLV-4', 'STA-5'],
    change: (policies) => ({
      ...policies,
      isRetried: (outcome, attempt) =>
        !(outcome.kind === 'timed-out' && attempt.number > 2) && policies.isRetried(outcome, attempt),
    }),
  },
  'delivers-again-what-was-accepted-after-a-reset': {
    summary:
      'Opens a second connection when one was reset, and counts the acceptance of the next attempt for the first only.',
    breaks: ['DLV-2'],
    change: (policies) => {
      const reset = new Set<number>();
      return {
        ...policies,
        isAccepted: (outcome, attempt) => {
          const { sequence } = attempt.notification;
          if (outcome.kind === 'broken' && attempt.number > 1) reset.add(sequence);
          const isAccepted = policies.isAccepted(outcome, attempt);
          return isAccepted && !reset.delete(sequence);
        },
      };
    },
  },
};
