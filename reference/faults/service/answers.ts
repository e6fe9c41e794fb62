import type { Outcome } from '../../service/records.ts';
import type { ServiceFaults } from './fault.ts';

/** What an answer holds beside its status, which alone counts, decides, or what it asks for is done (DLV-2, DLV-3, SVC-2). */
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
  'sends-again-with-get-after-a-303': {
    summary: 'Keeps the method that a 303 asks for with what waits for its retry.',
    breaks: ['SVC-2', 'DLV-1'],
    change: (policies) => {
      const turned = new Set<string>();
      return {
        ...policies,
        isAccepted: (outcome, attempt) => {
          const { id } = attempt.notification;
          if (outcome.kind === 'answered' && outcome.status === 303) turned.add(id);
          else turned.delete(id);
          return policies.isAccepted(outcome, attempt);
        },
        attemptHead: (head, attempt) => {
          const asked = policies.attemptHead(head, attempt);
          return turned.has(attempt.notification.id) ? { ...asked, method: 'GET' } : asked;
        },
      };
    },
  },
};

/** Whether its body holds what is no UTF-8, or a NUL, which many a column of text does not take. */
function isNoText(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && /[\0\ufffd]/.test(outcome.body);
}
