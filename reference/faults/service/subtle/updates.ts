import type { ServicePolicies } from '../../../service/policies.ts';
import type { Webhook } from '../../../service/records.ts';
import type { ServiceFaults } from '../fault.ts';

/** Hears of each update that was accepted. */
function watchingUpdates(
  policies: ServicePolicies,
  onUpdate: (webhook: Webhook, body: unknown) => void,
): ServicePolicies {
  return {
    ...policies,
    updated: (webhook, body) => {
      onUpdate(webhook, body);
      return policies.updated(webhook, body);
    },
  };
}

/** Updates are followed, but for what is under way, or after a few of them (ACT-3, STA-5, SIG-2). */
export const subtleUpdateFaults: ServiceFaults = {
  'keeps-the-old-url-for-what-it-retries': {
    summary:
      'Puts the url into the queue with the notification, so that retries after an update go where the first attempt went.',
    breaks: ['ACT-3'],
    change: (policies) => {
      const urls = new Map<number, string>();
      return {
        ...policies,
        destination: (attempt) => {
          const { sequence } = attempt.notification;
          const url = urls.get(sequence) ?? policies.destination(attempt);
          urls.set(sequence, url);
          return url;
        },
      };
    },
  },
  'signs-with-another-secret-after-two-updates': {
    summary: 'Issues a new secret to a webhook at its second update, and does not show it.',
    breaks: ['SIG-2', 'WHK-9'],
    change: (policies) => {
      const updates = new Map<string, number>();
      return {
        ...watchingUpdates(policies, ({ id }) => updates.set(id, (updates.get(id) ?? 0) + 1)),
        secretFor: (attempt) => {
          const secret = policies.secretFor(attempt);
          return (updates.get(attempt.webhook.id) ?? 0) < 2 ? secret : `${secret}-2`;
        },
      };
    },
  },
  'gives-up-one-retry-too-early-after-an-update': {
    summary: 'Counts an update of the webhook as an attempt of each notification that is being retried.',
    breaks: ['STA-5'],
    change: (policies) => {
      const updated = new Map<string, number>();
      const begun = new Map<number, number>();
      return {
        ...watchingUpdates(policies, ({ id }) => updated.set(id, performance.now())),
        isRetried: (outcome, attempt) => {
          const { notification, webhook, number } = attempt;
          if (number === 1) begun.set(notification.sequence, performance.now());
          const isLate = (updated.get(webhook.id) ?? 0) > (begun.get(notification.sequence) ?? Infinity);
          return !(isLate && number === policies.retries) && policies.isRetried(outcome, attempt);
        },
      };
    },
  },
};
