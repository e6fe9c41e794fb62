import type { Outcome } from '../../service/records.ts';
import type { ServiceFaults } from './fault.ts';

/** What an answer holds beside its status, which alone counts, decides (DLV-2, DLV-3). */
export const answerFaults: ServiceFaults = {
  'takes-an-answer-that-is-no-text-for-none': {
    summary: 'Reads each answer as text in UTF-8, and takes one that is none for a failed attempt.',
    breaks: ['DLV-2', 'STA-4'],
    change: (policies) => ({
      ...policies,
      isAccepted: (outcome, attempt) => !isNoText(outcome) && policies.isAccepted(outcome, attempt),
    }),
  },
  'cannot-store-a-refusal-that-is-no-text': {
    summary: 'Stores what each refusal says before it plans a retry, and fails where that is no text for its database.',
    breaks: ['DLV-3', 'STA-5'],
    change: (policies) => ({
      ...policies,
      isRetried: (outcome, attempt) => !isNoText(outcome) && policies.isRetried(outcome, attempt),
    }),
  },
};

/** Whether its body holds what is no UTF-8, or a NUL, which many a column of text does not take. */
function isNoText(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && /[\0\ufffd]/.test(outcome.body);
}
