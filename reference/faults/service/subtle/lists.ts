import { member } from '../../../service/json.ts';
import type { ServiceFaults } from '../fault.ts';

/** Events of a webhook that are looked at. */
const looked = 20;

/** Milliseconds within which two notifications of a webhook are enough, and how many are kept in mind. */
const burst = { time: 20, most: 2 } as const;

/** What is short or far apart is right, what is long or close together is not (CRW-4, NTF-9, LST-2, DLV-6). */
export const subtleListFaults: ServiceFaults = {
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
