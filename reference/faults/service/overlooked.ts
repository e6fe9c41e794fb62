import type { ServiceFaults } from './fault.ts';

/** Webhooks that are overlooked when something happens, though they subscribe to it (DLV-6). */
export const overlookedFaults: ServiceFaults = {
  'notifies-no-webhook-with-an-empty-list-of-headers': {
    summary: 'Fails on the first of no headers when it prepares a notification, and swallows the error.',
    breaks: ['DLV-6'],
    change: (policies) => ({
      ...policies,
      isSubscribed: (webhook, event) => webhook.headers?.length !== 0 && policies.isSubscribed(webhook, event),
    }),
  },
  'keeps-its-webhooks-in-a-cache': {
    summary: 'Reads its webhooks once a second, and does not know those that were created since.',
    breaks: ['DLV-6', 'ACT-2'],
    change: (policies) => {
      const known = new Set<string>();
      let readAt = 0;
      return {
        ...policies,
        isSubscribed: (webhook, event) => {
          const now = Date.now();
          if (now - readAt > 1000) {
            readAt = now;
            known.clear();
          }
          if (now - readAt < 20) known.add(webhook.id);
          return known.has(webhook.id) && policies.isSubscribed(webhook, event);
        },
      };
    },
  },
  'notifies-the-newest-twenty-webhooks': {
    summary: 'Reads the first page of its webhooks, the newest first, when something happens.',
    breaks: ['DLV-6'],
    change: (policies) => {
      const ids: string[] = [];
      return {
        ...policies,
        newWebhookId: (body) => {
          const id = policies.newWebhookId(body);
          ids.push(id);
          return id;
        },
        deletedWith: (webhook, all) => {
          const gone = policies.deletedWith(webhook, all);
          for (const { id } of gone) if (ids.includes(id)) ids.splice(ids.indexOf(id), 1);
          return gone;
        },
        isSubscribed: (webhook, event) => ids.slice(-20).includes(webhook.id) && policies.isSubscribed(webhook, event),
      };
    },
  },
};
