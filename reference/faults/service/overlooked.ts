import { connect } from 'node:net';

import type { ServicePolicies } from '../../service/policies.ts';
import type { Webhook } from '../../service/records.ts';
import { isSendable } from '../../service/webhookInput.ts';
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
    breaks: ['DLV-6', 'ACT-2', 'ACT-3'],
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
    // Of the many webhooks of a run those that are turned active again are seldom among the newest.
    breaks: ['DLV-6', 'ACT-2'],
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
  'takes-a-moment-to-wake-a-webhook': {
    summary: 'Sends nothing to a webhook for a moment after it was turned active.',
    breaks: ['ACT-2'],
    change: (policies) => afterUpdates(policies, (before, after) => after.active && !before.active),
  },
  'takes-a-moment-to-read-other-events': {
    summary: 'Sends nothing to a webhook for a moment after its events were changed.',
    breaks: ['ACT-3'],
    change: (policies) => afterUpdates(policies, (before, after) => before.events.join() !== after.events.join()),
  },
  'takes-a-moment-to-turn-a-webhook-off': {
    summary: 'Goes on for a moment with a webhook as it was before it was turned inactive.',
    breaks: ['WHK-6'],
    change: (policies) => {
      const until = new Map<string, number>();
      return {
        ...policies,
        updated: (webhook, body) => {
          const updated = policies.updated(webhook, body);
          if (webhook.active && !updated.active) until.set(webhook.id, performance.now() + 100);
          return updated;
        },
        isActive: (webhook) => policies.isActive(webhook) || performance.now() < (until.get(webhook.id) ?? 0),
      };
    },
  },
  'keeps-each-webhook-as-an-event-found-it': {
    summary: 'Reads a webhook when an event happens, and again only when that was a second ago.',
    breaks: ['ACT-2', 'WHK-6', 'ACT-3'],
    change: (policies) => {
      const found = new Map<string, { readonly webhook: Webhook; readonly until: number }>();
      const asFound = (webhook: Webhook): Webhook => {
        const kept = found.get(webhook.id);
        if (kept !== undefined && performance.now() < kept.until) return kept.webhook;
        found.set(webhook.id, { webhook, until: performance.now() + 1000 });
        return webhook;
      };
      return {
        ...policies,
        isActive: (webhook) => policies.isActive(asFound(webhook)),
        isSubscribed: (webhook, event) => policies.isSubscribed(asFound(webhook), event),
      };
    },
  },
  'stops-at-a-webhook-that-it-cannot-reach': {
    summary:
      'Notifies one webhook after the other, and throws at the first one whose url took no connection when it was registered.',
    breaks: ['DLV-6', 'DLV-4'],
    change: (policies) => {
      const refusing = new Set<string>();
      let hasThrown = false;
      return {
        ...policies,
        webhookResource: (webhook, ...rest) => {
          const { hostname, port } = new URL(webhook.url);
          const socket = connect(Number(port), hostname, () => socket.destroy());
          socket.on('error', () => refusing.add(webhook.id));
          return policies.webhookResource(webhook, ...rest);
        },
        isSubscribed: (webhook, event) => {
          if (!policies.isSubscribed(webhook, event) || hasThrown) return false;
          hasThrown = refusing.has(webhook.id);
          queueMicrotask(() => (hasThrown = false));
          return !hasThrown;
        },
      };
    },
  },
  'turns-off-the-newest-webhook-when-another-fails': {
    summary: 'Turns a webhook inactive whose notification has failed, and takes the newest one for it.',
    breaks: ['ACT-1', 'DLV-6', 'ACT-2'],
    change: (policies) => {
      const off = new Set<string>();
      const ids: string[] = [];
      const today = (webhook: Webhook): Webhook => (off.has(webhook.id) ? { ...webhook, active: false } : webhook);
      return {
        ...policies,
        newWebhookId: (body) => {
          const id = policies.newWebhookId(body);
          ids.push(id);
          return id;
        },
        webhookResource: (webhook, ...rest) => policies.webhookResource(today(webhook), ...rest),
        isActive: (webhook) => policies.isActive(today(webhook)),
        isAccepted: (outcome, attempt) => {
          const isAccepted = policies.isAccepted(outcome, attempt);
          const newest = ids.findLast((id) => id !== attempt.webhook.id);
          if (!isAccepted && attempt.number > policies.retries && newest !== undefined) off.add(newest);
          return isAccepted;
        },
      };
    },
  },
  'notifies-nobody-beside-a-header-that-it-cannot-send': {
    summary: 'Takes custom headers with line breaks, and throws at them when it prepares what all are to be sent.',
    breaks: ['DLV-6'],
    change: (policies) => ({
      ...policies,
      headerProblems: (header, pointer) =>
        /[\r\n]/.test(header.value) ? [] : policies.headerProblems(header, pointer),
      isSubscribed: (webhook, event) => {
        const isSubscribed = policies.isSubscribed(webhook, event);
        if (isSubscribed && webhook.headers?.every(isSendable) === false) throw new TypeError('invalid header value');
        return isSubscribed;
      },
    }),
  },
  'notifies-each-url-once': {
    summary: 'Groups the webhooks of an event by their urls, and notifies the first of each.',
    breaks: ['DLV-6'],
    change: (policies) => {
      const first = new Map<string, string>();
      return {
        ...policies,
        isSubscribed: (webhook, event) => {
          if (!policies.isSubscribed(webhook, event)) return false;
          const key = `${event} ${webhook.url}`;
          if (!first.has(key)) first.set(key, webhook.id);
          return first.get(key) === webhook.id;
        },
      };
    },
  },
};

/** Overlooks a webhook for a moment after such an update. */
function afterUpdates(
  policies: ServicePolicies,
  isSuch: (before: Webhook, after: Webhook) => boolean,
): ServicePolicies {
  const from = new Map<string, number>();
  return {
    ...policies,
    updated: (webhook, body) => {
      const updated = policies.updated(webhook, body);
      if (isSuch(webhook, updated)) from.set(webhook.id, performance.now() + 100);
      return updated;
    },
    isSubscribed: (webhook, event) =>
      performance.now() > (from.get(webhook.id) ?? 0) && policies.isSubscribed(webhook, event),
  };
}
