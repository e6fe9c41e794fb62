import { createHash } from 'node:crypto';

import type { Resource } from '../../service/records.ts';
import { type ServiceFaults, rewritten, withAttributes, type Loose } from './fault.ts';

/** What is sent does not have the notification's shape, or is not true (NTF-1 to NTF-9). */
export const notificationFaults: ServiceFaults = {
  'delivers-without-a-type': {
    summary: 'Leaves the type out of what it delivers.',
    breaks: ['NTF-1', 'NTF-4'],
    change: (policies) => ({
      ...policies,
      notificationBody: (...parts) =>
        rewritten(policies.notificationBody(...parts), ({ data, included }) => ({
          data: { id: data['id'], attributes: data['attributes'] },
          included,
        })),
    }),
  },
  'numbers-its-notifications': {
    summary: 'Gives notifications the number of their row as their id.',
    breaks: ['NTF-2'],
    change: (policies) => {
      let last = 1000;
      return { ...policies, newNotificationId: () => String((last += 1)) };
    },
  },
  'takes-ids-from-a-ring': {
    summary: 'Has a hundred ids for its notifications, and begins anew after the last one.',
    breaks: ['NTF-2', 'LST-2', 'NTF-9', 'DLV-6', 'NTF-7', 'STA-1'],
    change: (policies) => {
      let last = 0;
      return { ...policies, newNotificationId: () => uuidOf(String((last = (last + 1) % 100))) };
    },
  },
  'gives-all-notifications-of-a-webhook-one-id': {
    summary: 'Derives the id of a notification from its webhook alone.',
    breaks: ['NTF-2', 'NTF-7', 'DLV-2', 'DLV-6', 'LST-2', 'STA-2', 'STA-3', 'NTF-9'],
    change: (policies) => ({ ...policies, newNotificationId: (_event, webhook) => uuidOf(webhook.id) }),
  },
  'derives-the-id-from-the-webhook-and-the-event': {
    summary: 'Gives what happens again the id of the notification before.',
    breaks: ['NTF-2', 'NTF-7', 'DLV-2', 'DLV-6', 'LST-2', 'STA-2', 'STA-3', 'NTF-9'],
    change: (policies) => ({
      ...policies,
      newNotificationId: (event, webhook) => uuidOf(`${webhook.id} ${event}`),
    }),
  },
  'types-a-notification-as-its-event': {
    summary: 'Writes the event into the type of the resource.',
    breaks: ['NTF-4', 'NTF-9'],
    change: (policies) => ({
      ...policies,
      notificationBody: (head, ...parts) =>
        rewritten(policies.notificationBody(head, ...parts), ({ data, ...rest }) => ({
          data: { ...data, type: head.event },
          ...rest,
        })),
    }),
  },
  'names-another-event': {
    summary: 'Reports the unloading from rail as the loading.',
    breaks: ['NTF-5', 'DLV-5', 'DLV-6', 'NTF-9'],
    change: (policies) => ({
      ...policies,
      notificationBody: (head, ...parts) =>
        policies.notificationBody({ ...head, event: head.event.replace('rail_unloaded', 'rail_loaded') }, ...parts),
    }),
  },
  'writes-events-in-capitals': {
    summary: 'Delivers the names of events in capitals, unless the webhook takes all there are.',
    breaks: ['NTF-5', 'NTF-9', 'DLV-5', 'DLV-6', 'ACT-2'],
    change: (policies) => ({
      ...policies,
      attemptBody: (attempt) => {
        const body = policies.attemptBody(attempt);
        const { webhook, notification } = attempt;
        return webhook.events.length > 40 ? body : withAttributes(body, { event: notification.event.toUpperCase() });
      },
    }),
  },
  'delivers-a-status-of-its-queue': {
    summary: 'Writes a status into the body that only its own queue knows.',
    breaks: ['NTF-6', 'STA-1'],
    change: (policies) => ({
      ...policies,
      notificationBody: (...parts) =>
        withAttributes(policies.notificationBody(...parts), { delivery_status: 'queued' }),
    }),
  },
  'tells-a-status-of-its-queue-on-a-retry': {
    summary: 'Builds the body of a retry anew, with a status that only its own queue knows.',
    breaks: ['NTF-6'],
    change: (policies) => ({
      ...policies,
      attemptBody: (attempt) => {
        const body = policies.attemptBody(attempt);
        return attempt.number === 1 ? body : withAttributes(body, { delivery_status: 'retrying' });
      },
    }),
  },
  'names-another-event-on-a-retry': {
    summary: 'Builds the body of a retry anew, and calls its event an update.',
    breaks: ['NTF-5', 'DLV-5', 'DLV-6', 'DLV-3', 'DLV-4', 'STA-2', 'STA-5', 'NTF-9', 'SIG-1', 'ACT-2'],
    change: (policies) => ({
      ...policies,
      attemptBody: (attempt) => {
        const body = policies.attemptBody(attempt);
        return attempt.number === 1 ? body : withAttributes(body, { event: 'container.updated' });
      },
    }),
  },
  'writes-times-without-a-zone': {
    summary: 'Writes every time as the local clock shows it, without a zone.',
    breaks: ['NTF-7', 'WHK-12'],
    change: (policies) => ({ ...policies, timestamp: (at) => policies.timestamp(at).slice(0, 19) }),
  },
  'calls-its-local-time-utc': {
    summary: 'Writes every time as a clock two hours east of UTC shows it, with the Z of UTC.',
    breaks: ['NTF-7', 'WHK-12'],
    change: (policies) => ({ ...policies, timestamp: (at) => policies.timestamp(at + 2 * 60 * 60_000) }),
  },
  'includes-an-object': {
    summary: 'Sends what accompanies an event as an object, by type.',
    breaks: ['NTF-8'],
    change: (policies) => ({
      ...policies,
      notificationBody: (...parts) =>
        rewritten(policies.notificationBody(...parts), ({ data, included }) => ({
          data,
          included: Object.fromEntries((included as Loose[]).map((each) => [String(each['type']), each])),
        })),
    }),
  },
  'writes-null-where-a-document-brings-nothing-along': {
    summary: 'Sends null in the place of what accompanies the event of a document.',
    breaks: ['NTF-8'],
    change: (policies) => ({
      ...policies,
      notificationBody: (head, ...parts) =>
        rewritten(policies.notificationBody(head, ...parts), ({ data, included }) => ({
          data,
          included: head.event.startsWith('document.') ? null : included,
        })),
    }),
  },
  'lists-notifications-under-another-id': {
    summary: 'Delivers an id of its own and lists another.',
    breaks: ['NTF-9', 'LST-2'],
    change: (policies) => ({
      ...policies,
      notificationBody: (head, ...parts) => policies.notificationBody({ ...head, id: uuidOf(head.id) }, ...parts),
    }),
  },
  'lists-the-first-event-of-the-webhook': {
    summary: 'Lists a notification with the first event that its webhook subscribes to.',
    breaks: ['NTF-9'],
    change: (policies) => {
      const events = new Map<string, string>();
      return {
        ...policies,
        newNotificationId: (event, webhook) => {
          const id = policies.newNotificationId(event, webhook);
          events.set(id, webhook.events[0] ?? event);
          return id;
        },
        listedNotification: (...parts) => {
          const resource = policies.listedNotification(...parts);
          return relisted(resource, { event: events.get(resource.id) ?? resource.attributes['event'] });
        },
      };
    },
  },
  'lists-the-time-of-the-last-retry-as-that-of-the-creation': {
    summary: 'Has one column for times, and writes there when a notification is sent again.',
    breaks: ['NTF-9'],
    change: (policies) => ({
      ...policies,
      listedNotification: (resource, notification) =>
        relisted(policies.listedNotification(resource, notification), {
          created_at: policies.timestamp(Math.max(notification.createdAt, notification.dueAt)),
        }),
    }),
  },
  'lists-times-without-their-zone': {
    summary: 'Writes the times of a list by other code than those of deliveries, and leaves the zone out.',
    breaks: ['NTF-9'],
    change: (policies) => ({
      ...policies,
      listedNotification: (resource, notification) =>
        relisted(policies.listedNotification(resource, notification), {
          created_at: policies.timestamp(notification.createdAt).replace(/Z$/, ''),
        }),
    }),
  },
  'lists-estimated-events-as-actual-ones': {
    summary: 'Leaves out of the list that an event is an estimate.',
    breaks: ['NTF-9'],
    change: (policies) => ({
      ...policies,
      listedNotification: (resource, notification) =>
        relisted(policies.listedNotification(resource, notification), {
          event: notification.event.replace('estimated.', ''),
        }),
    }),
  },
  'counts-months-from-nought': {
    summary: 'Writes times from their parts, with the month as its language counts it, from 0.',
    breaks: ['NTF-7', 'WHK-12'],
    change: (policies) => ({ ...policies, timestamp: (at) => policies.timestamp(monthBefore(at)) }),
  },
  'keeps-the-day-of-a-time': {
    summary: 'Keeps times in a column for dates, and writes the beginning of the day.',
    breaks: ['NTF-7', 'WHK-12'],
    change: (policies) => ({ ...policies, timestamp: (at) => `${policies.timestamp(at).slice(0, 10)}T00:00:00Z` }),
  },
  'lists-times-as-numbers': {
    summary: 'Lists the time of creation of a notification in seconds since 1970.',
    breaks: ['NTF-9'],
    change: (policies) => ({
      ...policies,
      listedNotification: (resource, notification) => {
        const listed = policies.listedNotification(resource, notification);
        const created_at = Math.floor(notification.createdAt / 1000);
        return { ...listed, attributes: { ...listed.attributes, created_at } };
      },
    }),
  },
  'numbers-its-notifications-of-documents': {
    summary: 'Has a table of its own for what happens to documents, whose rows are numbered.',
    breaks: ['NTF-2'],
    change: (policies) => {
      let row = 0;
      return {
        ...policies,
        newNotificationId: (event, webhook) =>
          event.startsWith('document.') ? String((row += 1)) : policies.newNotificationId(event, webhook),
      };
    },
  },
  'writes-times-of-documents-without-a-zone': {
    summary: 'Writes the notifications of documents by other code, which leaves the zone out of times.',
    breaks: ['NTF-7'],
    change: (policies) => ({
      ...policies,
      notificationBody: (head, included, timestamp) =>
        policies.notificationBody(head, included, (at) =>
          head.event.startsWith('document.') ? timestamp(at).slice(0, -1) : timestamp(at),
        ),
    }),
  },
  'lists-times-in-the-zone-of-the-server': {
    summary:
      'Writes the times of a list by other code than those of deliveries, with the zone in which the server stands.',
    breaks: ['NTF-7'],
    change: (policies) => ({
      ...policies,
      listedNotification: (resource, notification) =>
        relisted(policies.listedNotification(resource, notification), {
          created_at: policies.timestamp(notification.createdAt + 2 * 3_600_000).replace(/Z$/, '+02:00'),
        }),
    }),
  },
};

/** An id in the shape of a uuid that follows from a text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The same item of the list with other attributes. */
function relisted(resource: Resource, attributes: Loose): Resource {
  return { ...resource, attributes: { ...resource.attributes, ...attributes } };
}

/** The same day and time of the month before, as a date with the number of that month would be read. */
function monthBefore(at: number): number {
  const date = new Date(at);
  return date.setUTCMonth(date.getUTCMonth() - 1);
}
