import type { Attempt, Outcome, Webhook } from '../../service/records.ts';
import type { ServiceFaults } from './fault.ts';

/**
 * What waits for a retry while its webhook is updated, or is sent by a process that has not heard of the update, or is dropped
 * because its webhook was turned off after one failure, or is listed as over while it is sent (DLV-3, ACT-3, STA-1).
 */
export const queuedFaults: ServiceFaults = {
  'drops-what-waits-for-a-retry-when-its-webhook-is-updated': {
    summary: 'Empties the queue of a webhook at an update. An attempt that is under way then goes on, and is retried.',
    breaks: ['DLV-3', 'STA-5'],
    change: (policies) => {
      const waiting = new Map<string, string>();
      const dropped = new Set<string>();
      return {
        ...policies,
        updated: (webhook, body) => {
          for (const [id, webhookId] of waiting) if (webhookId === webhook.id) dropped.add(id);
          return policies.updated(webhook, body);
        },
        retryDelay: (...asked) => Math.max(200, policies.retryDelay(...asked)),
        destination: (attempt) => {
          waiting.delete(attempt.notification.id);
          return dropped.has(attempt.notification.id) ? 'http://127.0.0.1:1/' : policies.destination(attempt);
        },
        isRetried: (outcome, attempt) => {
          const { notification, webhook } = attempt;
          if (dropped.has(notification.id) || !policies.isRetried(outcome, attempt)) return false;
          waiting.set(notification.id, webhook.id);
          return true;
        },
      };
    },
  },
  'keeps-each-webhook-in-one-of-three-processes': {
    summary: 'Sends from three processes in turn. One of them keeps each webhook as it read it first.',
    breaks: ['ACT-3'],
    change: (policies) => {
      const kept = new Map<string, Webhook>();
      const asKnown = (attempt: Attempt): Attempt => {
        if (attempt.number % 3 !== 1) return attempt;
        const webhook = kept.get(attempt.webhook.id) ?? attempt.webhook;
        kept.set(webhook.id, webhook);
        return { ...attempt, webhook };
      };
      return {
        ...policies,
        destination: (attempt) => policies.destination(asKnown(attempt)),
        customHeaders: (attempt) => policies.customHeaders(asKnown(attempt)),
      };
    },
  },
  'drops-what-waits-for-the-url-of-a-webhook-that-is-deleted': {
    summary: 'Finds what a deleted webhook leaves in the queue by its url, which several webhooks may have.',
    breaks: ['DLV-3', 'STA-5'],
    change: (policies) => {
      const deletedAt = new Map<string, number>();
      return {
        ...policies,
        deletedWith: (webhook, all) => {
          deletedAt.set(webhook.url, Date.now());
          return policies.deletedWith(webhook, all);
        },
        isRetried: (outcome, attempt) =>
          attempt.notification.createdAt >= (deletedAt.get(attempt.webhook.url) ?? 0) &&
          policies.isRetried(outcome, attempt),
      };
    },
  },
  'turns-off-what-is-gone-and-drops-its-queue': {
    summary: 'Takes 410 (Gone) for the end of the webhook: it is switched off at once, and nothing is retried.',
    breaks: ['DLV-3', 'STA-5', 'ACT-1'],
    change: (policies) => ({
      ...policies,
      turnsInactive: (outcome) => isGone(outcome),
      isRetried: (outcome, attempt) => !isGone(outcome) && policies.isRetried(outcome, attempt),
    }),
  },
  'lists-what-is-under-way-as-succeeded': {
    summary: 'Writes that a notification succeeded when it is sent, and that it is pending again where it was refused.',
    breaks: ['STA-1'],
    change: (policies) => {
      const underWay = new Set<string>();
      return {
        ...policies,
        secretFor: (attempt) => {
          underWay.add(attempt.notification.id);
          return policies.secretFor(attempt);
        },
        isAccepted: (outcome, attempt) => {
          underWay.delete(attempt.notification.id);
          return policies.isAccepted(outcome, attempt);
        },
        shownStatus: (notification) =>
          underWay.has(notification.id) ? 'succeeded' : policies.shownStatus(notification),
      };
    },
  },
  'has-a-hundred-places-for-retries': {
    summary:
      'Keeps what waits for its first retry in a list of a hundred places for each event, and drops what finds none.',
    breaks: ['DLV-3', 'STA-5', 'DLV-4'],
    change: (policies) => {
      const waiting = new Map<string, Set<number>>();
      return {
        ...policies,
        isRetried: (outcome, attempt) => {
          const { event, sequence } = attempt.notification;
          const places = waiting.get(event) ?? new Set();
          waiting.set(event, places);
          if (attempt.number === 1 && places.size >= 100) return false;
          places.add(sequence);
          setTimeout(() => places.delete(sequence), 2000).unref();
          return policies.isRetried(outcome, attempt);
        },
      };
    },
  },
  'retries-no-news-of-documents': {
    summary: 'Sends the events of documents where they happen, past the queue that tries again.',
    breaks: ['DLV-3', 'DLV-4', 'STA-5'],
    change: (policies) => ({
      ...policies,
      isRetried: (outcome, attempt) =>
        !attempt.notification.event.startsWith('document.') && policies.isRetried(outcome, attempt),
    }),
  },
};

function isGone(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.status === 410;
}
