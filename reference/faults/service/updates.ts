import { member } from '../../service/reply.ts';
import type { ServicePolicies } from '../../service/policies.ts';
import type { CustomHeader, Webhook } from '../../service/records.ts';
import type { ServiceFaults } from './fault.ts';

/** An update does not do what it says, or does more than that (ACT-3). */
export const updateFaults: ServiceFaults = {
  'keeps-sending-to-the-old-url': {
    summary: 'Sends to the url that a webhook was created with, after an update too.',
    breaks: ['ACT-3'],
    change: (policies) => {
      const urls = new Map<string, string>();
      return {
        ...policies,
        newWebhookId: (body) => {
          const id = policies.newWebhookId(body);
          urls.set(id, String(member(body, 'data', 'attributes', 'url')));
          return id;
        },
        destination: (attempt) => urls.get(attempt.webhook.id) ?? policies.destination(attempt),
      };
    },
  },
  'saves-the-whole-webhook-as-it-was-read': {
    summary:
      'Reads a webhook, changes it and saves all of it, a moment later: what another update saved meanwhile is undone.',
    breaks: ['ACT-3'],
    change: (policies) => {
      const reading = new Map<string, { readonly until: number; readonly webhook: Webhook }>();
      return {
        ...policies,
        updated: (webhook, body) => {
          const earlier = reading.get(webhook.id);
          const isMeanwhile = earlier !== undefined && performance.now() < earlier.until;
          if (!isMeanwhile) reading.set(webhook.id, { until: performance.now() + 20, webhook });
          return policies.updated(isMeanwhile ? earlier.webhook : webhook, body);
        },
      };
    },
  },
  'forgets-what-an-update-does-not-name': {
    summary: 'Replaces a webhook by an update: headers that it does not name are gone.',
    breaks: ['ACT-3'],
    change: (policies) => ({
      ...policies,
      updated: (webhook, body) => policies.updated({ ...webhook, headers: null }, body),
    }),
  },
  'shares-its-default-events': {
    summary: 'Gives all webhooks that name no events one list, which an update of any of them changes for all.',
    breaks: ['ACT-3', 'DLV-6', 'DLV-5', 'WHK-7'],
    change: (policies) => {
      const sharing = new Set<string>();
      let events: Webhook['events'] | undefined;
      const shared = (webhook: Webhook): Webhook =>
        events !== undefined && sharing.has(webhook.id) ? { ...webhook, events } : webhook;
      return {
        ...policies,
        newWebhookId: (body) => {
          const id = policies.newWebhookId(body);
          if (member(body, 'data', 'attributes', 'events') === undefined) sharing.add(id);
          return id;
        },
        updated: (webhook, body) => {
          const updated = policies.updated(shared(webhook), body);
          if (sharing.has(webhook.id)) events = updated.events;
          return updated;
        },
        webhookResource: (webhook, as, timestamp) => policies.webhookResource(shared(webhook), as, timestamp),
        isSubscribed: (webhook, event) => policies.isSubscribed(shared(webhook), event),
      };
    },
  },
  'validates-no-update': {
    summary: 'Checks a creation against the schema, and takes whatever an update names.',
    breaks: ['WHK-7', 'WHK-5', 'WHK-4'],
    change: (policies) => ({
      ...policies,
      schemaProblems: (operation, body) =>
        operation.operationId === 'updateWebhook' ? [] : policies.schemaProblems(operation, body),
    }),
  },
  'updates-every-webhook-of-the-same-url': {
    summary: 'Finds what an update is about by its url, which several webhooks may have.',
    breaks: ['ACT-3'],
    change: (policies) => {
      const changed = new Map<string, { readonly at: number; readonly webhook: Webhook }>();
      const today = (webhook: Webhook): Webhook => {
        const update = changed.get(webhook.url);
        if (update === undefined || webhook.createdAt > update.at) return webhook;
        const { active, events, headers } = update.webhook;
        return { ...webhook, active, events, headers };
      };
      return {
        ...policies,
        updated: (webhook, body) => {
          const updated = policies.updated(today(webhook), body);
          changed.set(webhook.url, { at: Date.now(), webhook: updated });
          return updated;
        },
        webhookResource: (webhook, ...rest) => policies.webhookResource(today(webhook), ...rest),
        isActive: (webhook) => policies.isActive(today(webhook)),
        isSubscribed: (webhook, event) => policies.isSubscribed(today(webhook), event),
      };
    },
  },
  'keeps-the-old-headers-for-what-it-retries': {
    summary:
      'Puts the headers into the queue with the notification, so that retries after an update carry those of before.',
    breaks: ['ACT-3'],
    change: (policies) => {
      const headers = new Map<number, readonly CustomHeader[]>();
      return {
        ...policies,
        customHeaders: (attempt) => {
          const { sequence } = attempt.notification;
          const first = headers.get(sequence) ?? policies.customHeaders(attempt);
          headers.set(sequence, first);
          return first;
        },
      };
    },
  },
  'turns-off-every-webhook-of-the-same-url': {
    summary: 'Finds what is to be turned off by its url, which several webhooks may have.',
    breaks: ['ACT-3', 'DLV-6'],
    change: (policies) =>
      offByUrl(policies, (turnOff) => ({
        updated: (webhook, body) => {
          const updated = policies.updated(webhook, body);
          if (!updated.active) turnOff(webhook);
          return updated;
        },
      })),
  },
  'turns-off-the-url-of-what-failed': {
    summary: 'Takes the url out of service once a notification failed, with every webhook that has it.',
    breaks: ['ACT-1', 'DLV-6'],
    change: (policies) =>
      offByUrl(policies, (turnOff) => ({
        isAccepted: (outcome, attempt) => {
          const isAccepted = policies.isAccepted(outcome, attempt);
          if (!isAccepted && attempt.number > policies.retries) turnOff(attempt.webhook);
          return isAccepted;
        },
      })),
  },
  'deletes-every-webhook-of-the-same-url': {
    summary: 'Finds what is to be deleted by its url, which several webhooks may have.',
    breaks: ['LST-1', 'DLV-6'],
    change: (policies) => ({
      ...policies,
      deletedWith: ({ url }, all) => all().filter((webhook) => webhook.url === url),
    }),
  },
  'validates-no-update-of-several-members': {
    summary: 'Looks at what an update names where it names one member, and takes a longer one as it is.',
    breaks: ['WHK-7', 'WHK-5', 'WHK-4'],
    change: (policies) => ({
      ...policies,
      schemaProblems: (operation, body) => {
        const isLong = Object.keys((member(body, 'data', 'attributes') ?? {}) as object).length > 1;
        return operation.operationId === 'updateWebhook' && isLong ? [] : policies.schemaProblems(operation, body);
      },
    }),
  },
  'drops-what-is-pending-once-its-webhook-is-updated': {
    summary: 'Queues retries for a version of the webhook, and does not find it any more once it was updated.',
    breaks: ['DLV-3', 'STA-5'],
    change: (policies) => {
      const updatedAt = new Map<string, number>();
      return {
        ...policies,
        updated: (webhook, body) => {
          updatedAt.set(webhook.id, Date.now());
          return policies.updated(webhook, body);
        },
        isRetried: (outcome, attempt) => {
          const { notification, webhook } = attempt;
          return notification.createdAt >= (updatedAt.get(webhook.id) ?? 0) && policies.isRetried(outcome, attempt);
        },
      };
    },
  },
  'keeps-headers-that-an-update-takes-away': {
    summary: 'Asks of each member of an update whether it holds anything, which an empty list does not.',
    breaks: ['ACT-3'],
    change: (policies) => ({
      ...policies,
      updated: (webhook, body) => {
        const headers = member(body, 'data', 'attributes', 'headers');
        const updated = policies.updated(webhook, body);
        return Array.isArray(headers) && headers.length === 0 ? { ...updated, headers: webhook.headers } : updated;
      },
    }),
  },
  'answers-an-update-with-what-was-before': {
    summary: 'Answers an update with the webhook as its database returns it: as it was before.',
    breaks: ['ACT-3'],
    change: (policies) => {
      const before = new Map<string, Webhook>();
      return {
        ...policies,
        updated: (webhook, body) => {
          before.set(webhook.id, webhook);
          return policies.updated(webhook, body);
        },
        webhookResource: (webhook, showing, timestamp) => {
          const shown = (showing === 'updated' && before.get(webhook.id)) || webhook;
          return policies.webhookResource(shown, showing, timestamp);
        },
      };
    },
  },
  'stores-what-is-right-of-a-refused-update': {
    summary: 'Stores the members of an update one after the other, up to the one that it refuses.',
    breaks: ['ACT-3'],
    change: (policies) => ({
      ...policies,
      afterRefusal: async (operationId, body, store) => {
        const url = member(body, 'data', 'attributes', 'url');
        if (operationId !== 'updateWebhook' || typeof url !== 'string' || !URL.canParse(url)) return;
        await store({ data: { attributes: { url } } });
      },
    }),
  },
  'drops-what-is-pending-once-another-webhook-is-deleted': {
    summary: 'Ends all that waits for a retry when a webhook is deleted, and not only what waits for that one.',
    breaks: ['DLV-3', 'STA-5'],
    change: (policies) => {
      let deletedAt = 0;
      return {
        ...policies,
        deletedWith: (webhook, all) => {
          deletedAt = Date.now();
          return policies.deletedWith(webhook, all);
        },
        isRetried: (outcome, attempt) =>
          attempt.notification.createdAt >= deletedAt && policies.isRetried(outcome, attempt),
      };
    },
  },
  'drops-a-false-that-an-update-names': {
    summary: 'Leaves out of an update what is empty, as which a false counts, and so turns no webhook off.',
    breaks: ['WHK-6'],
    change: (policies) => ({
      ...policies,
      updated: (webhook, body) => {
        const updated = policies.updated(webhook, body);
        return updated.active ? updated : { ...updated, active: webhook.active };
      },
    }),
  },
  'undoes-what-was-changed-while-inactive': {
    summary: 'Puts a webhook that is turned active again back as it was when it was turned inactive.',
    breaks: ['ACT-3'],
    change: (policies) => {
      const asleep = new Map<string, Webhook>();
      return {
        ...policies,
        updated: (webhook, body) => {
          const after = policies.updated(webhook, body);
          if (webhook.active && !after.active) asleep.set(webhook.id, webhook);
          return !webhook.active && after.active ? (asleep.get(webhook.id) ?? after) : after;
        },
      };
    },
  },
  'turns-off-what-an-update-does-not-call-active': {
    summary:
      'Reads an update into a structure, whose flag is false where the update does not name it, and stores that.',
    breaks: ['ACT-3'],
    change: (policies) => ({
      ...policies,
      updated: (webhook, body) => policies.updated({ ...webhook, active: false }, body),
    }),
  },
};

/** With a way to turn a webhook's neighbours off: those of its url that were there before. */
function offByUrl(
  policies: ServicePolicies,
  change: (turnOff: (webhook: Webhook) => void) => Partial<ServicePolicies>,
): ServicePolicies {
  const off = new Map<string, { readonly id: string; readonly at: number }>();
  const today = (webhook: Webhook): Webhook => {
    const turned = off.get(webhook.url);
    const isOff = turned !== undefined && turned.id !== webhook.id && webhook.createdAt <= turned.at;
    return isOff ? { ...webhook, active: false } : webhook;
  };
  return {
    ...policies,
    webhookResource: (webhook, ...rest) => policies.webhookResource(today(webhook), ...rest),
    isActive: (webhook) => policies.isActive(today(webhook)),
    ...change(({ id, url }) => off.set(url, { id, at: Date.now() })),
  };
}
