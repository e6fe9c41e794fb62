import type { CustomHeader } from '../../../service/records.ts';
import type { ServiceFaults } from '../fault.ts';

/** Two webhooks with one url are taken for one in some respect (STA-5, WHK-10, DLV-6, TRG-2). */
export const subtleUrlFaults: ServiceFaults = {
  'counts-attempts-by-url': {
    summary: 'Counts the attempts of an event by the url that they go to, whichever webhook they are for.',
    breaks: ['STA-5', 'DLV-3', 'DLV-4'],
    change: (policies) => {
      const attempts = new Map<string, number>();
      return {
        ...policies,
        isRetried: (outcome, attempt) => {
          const key = `${attempt.notification.event} ${attempt.webhook.url}`;
          const count = (attempts.get(key) ?? 0) + 1;
          attempts.set(key, count);
          return count <= policies.retries && policies.isRetried(outcome, attempt);
        },
      };
    },
  },
  'sends-the-headers-of-the-first-webhook-at-a-url': {
    summary: 'Remembers custom headers by the url, from the first delivery there.',
    breaks: ['WHK-10'],
    change: (policies) => {
      const first = new Map<string, { readonly webhookId: string; readonly headers: readonly CustomHeader[] }>();
      return {
        ...policies,
        customHeaders: (attempt) => {
          const { id, url } = attempt.webhook;
          const known = first.get(url) ?? { webhookId: id, headers: policies.customHeaders(attempt) };
          first.set(url, known);
          return known.webhookId === id ? policies.customHeaders(attempt) : known.headers;
        },
      };
    },
  },
  'drops-what-happens-while-a-neighbour-is-retried': {
    summary:
      'Takes a url for one that is down while it retries there, and raises nothing for the other webhooks with that url.',
    breaks: ['DLV-6'],
    change: (policies) => {
      const retried = new Map<string, Map<number, string>>();
      return {
        ...policies,
        isSubscribed: (webhook, event) => {
          const others = [...(retried.get(webhook.url)?.values() ?? [])].some((id) => id !== webhook.id);
          return !others && policies.isSubscribed(webhook, event);
        },
        isRetried: (outcome, attempt) => {
          const { notification, webhook, number } = attempt;
          const own = retried.get(webhook.url) ?? new Map<number, string>();
          if (number < policies.retries) own.set(notification.sequence, webhook.id);
          else own.delete(notification.sequence);
          retried.set(webhook.url, own);
          return policies.isRetried(outcome, attempt);
        },
        isAccepted: (outcome, attempt) => {
          const isAccepted = policies.isAccepted(outcome, attempt);
          if (isAccepted) retried.get(attempt.webhook.url)?.delete(attempt.notification.sequence);
          return isAccepted;
        },
      };
    },
  },
  'signs-samples-with-the-secret-of-a-webhook': {
    summary: 'Signs a sample for the url of a registered webhook with that one’s secret instead of the given one.',
    breaks: ['TRG-2'],
    change: (policies) => {
      let secret: string | undefined;
      return {
        ...policies,
        sampleBody: (...parts) => {
          secret = undefined;
          return policies.sampleBody(...parts);
        },
        keepsSample: (order, webhook) => {
          if (order.url === webhook.url) secret = webhook.secret;
          return policies.keepsSample(order, webhook);
        },
        sampleSignature: (order, body, sign) =>
          policies.sampleSignature(
            order.secret !== undefined && secret !== undefined ? { ...order, secret } : order,
            body,
            sign,
          ),
      };
    },
  },
};
