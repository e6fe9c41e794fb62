import type { ServiceFaults } from '../fault.ts';
import { member } from '../../../service/reply.ts';
import type { CustomHeader, Webhook } from '../../../service/records.ts';
import type { ServicePolicies } from '../../../service/policies.ts';

/** Events of a webhook that are looked at. */
const looked = 20;

/** Milliseconds within which two notifications of a webhook are enough, and how many are kept in mind. */
const burst = { time: 20, most: 2 } as const;

/** What is short or far apart is right, what is long or close together is not (CRW-4, NTF-9, LST-2, DLV-6). */
const subtleListFaults: ServiceFaults = {
  'misses-a-repeated-event-in-a-long-list': {
    summary: 'Looks for repeated events in a list of up to twenty.',
    breaks: ['CRW-4'],
    change: (policies) => ({
      ...policies,
      schemaProblems: (operation, body) => {
        const events = member(body, 'data', 'attributes', 'events');
        const isLong = Array.isArray(events) && events.length > looked;
        return policies.schemaProblems(operation, body).filter(({ rule }) => !isLong || rule !== 'uniqueItems');
      },
    }),
  },
  'lists-one-of-two-notifications-of-one-moment': {
    summary: 'Groups its list by webhook, event and tenth of a second, and shows the latest of each group.',
    breaks: ['NTF-9', 'LST-2'],
    change: (policies) => ({
      ...policies,
      selection: (list) => {
        const selection = policies.selection(list);
        const latest = 'SELECT max(sequence) FROM webhook_notifications GROUP BY webhook_id, event, created_at / 100';
        return list === 'webhook_notifications'
          ? { ...selection, where: `${selection.where} AND sequence IN (${latest})` }
          : selection;
      },
    }),
  },
  'drops-the-third-notification-of-one-moment': {
    summary: 'Has room for two new notifications of a webhook, and drops what happens before these are on their way.',
    breaks: ['DLV-6'],
    change: (policies) => {
      const latest = new Map<string, readonly number[]>();
      return {
        ...policies,
        isSubscribed: (webhook, event) => {
          if (!policies.isSubscribed(webhook, event)) return false;
          const now = performance.now();
          const recent = (latest.get(webhook.id) ?? []).filter((at) => now - at < burst.time);
          latest.set(webhook.id, [...recent, now].slice(0, burst.most));
          return recent.length < burst.most;
        },
      };
    },
  },
};

/** An attempt is judged by itself rightly, and wrongly after certain others (DLV-2, DLV-4). */
const subtleRetryFaults: ServiceFaults = {
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

/** Two webhooks with one url are taken for one in some respect (STA-5, WHK-10, DLV-6, TRG-2). */
const subtleUrlFaults: ServiceFaults = {
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

/** Updates are followed, but for what is under way, or after a few of them (ACT-3, STA-5, SIG-2). */
const subtleUpdateFaults: ServiceFaults = {
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

/** What takes several calls and answers in a certain order to be seen, or an unusual one: a search finds it. */
export const subtleServiceFaults: ServiceFaults = Object.fromEntries(
  Object.entries({
    ...subtleUpdateFaults,
    ...subtleUrlFaults,
    ...subtleRetryFaults,
    ...subtleListFaults,
  }).map(([name, fault]) => [name, { ...fault, subtle: true }]),
);

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
