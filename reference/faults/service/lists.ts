import type { Resource } from '../../service/records.ts';
import { listing, type ServiceFaults } from './fault.ts';

/** Some notifications are never listed, or not yet, or no longer (NTF-9, LST-2), or no page is read (ROB-2). */
export const listFaults: ServiceFaults = {
  'lists-no-notification-that-failed': {
    summary: 'Moves a notification that failed out of the table that is listed.',
    breaks: ['NTF-9', 'LST-2', 'STA-2'],
    change: (policies) => listing(policies, 'webhook_notifications', "status <> 'failed'"),
  },
  'lists-no-notification-that-is-done': {
    summary: 'Deletes a notification as soon as it was accepted.',
    breaks: ['NTF-9', 'LST-2'],
    change: (policies) => listing(policies, 'webhook_notifications', "status <> 'succeeded'"),
  },
  'lists-no-notification-that-is-pending': {
    summary: 'Lists a notification when its delivery has ended, and not before.',
    breaks: ['NTF-9', 'LST-2', 'STA-1'],
    change: (policies) => listing(policies, 'webhook_notifications', "status <> 'pending'"),
  },
  'counts-pages-in-the-size-that-was-asked-for': {
    summary:
      'Makes a page of the usual size where more than 200 are asked for, and counts the pages as if it held all of that.',
    breaks: ['LST-2'],
    change: (policies) => ({
      ...policies,
      pageSize: { usual: 2, most: Infinity },
      window: (page, list) => ({ ...policies.window(page, list), ...(page.size > 200 && { limit: 2 }) }),
    }),
  },
  'lists-notifications-of-active-webhooks-only': {
    summary: 'Joins the webhooks that are active, and so lists nothing of those that were turned off.',
    breaks: ['NTF-9', 'LST-2'],
    change: (policies) =>
      listing(
        policies,
        'webhook_notifications',
        "webhook_id IN (SELECT id FROM webhooks WHERE json_extract(attributes, '$.active'))",
      ),
  },
  'leaves-the-order-of-a-second-to-chance': {
    summary: 'Orders notifications by the second of their creation and by nothing else.',
    breaks: ['LST-2', 'NTF-9'],
    change: (policies) => ({
      ...policies,
      selection: (list) => ({
        ...policies.selection(list),
        ...(list === 'webhook_notifications' && { orderBy: 'created_at / 1000 DESC, random()' }),
      }),
    }),
  },
  'links-to-no-page-of-one': {
    summary: 'Asks whether more than one item follows, where it should ask whether any does.',
    breaks: ['LST-2'],
    change: (policies) => ({
      ...policies,
      nextPage: (page, pages, total) =>
        page.number * page.size < total - 1 ? policies.nextPage(page, pages, total) : undefined,
    }),
  },
  'links-from-no-page-of-one': {
    summary: 'Takes a page of one item for the last, and gives it no link to the next.',
    breaks: ['LST-2'],
    change: (policies) => ({
      ...policies,
      nextPage: (page, pages, total) => (page.size === 1 ? undefined : policies.nextPage(page, pages, total)),
    }),
  },
  'links-to-a-page-of-the-usual-size': {
    summary: 'Leaves the size of the page out of the link to the next, which goes on from where usual pages would.',
    breaks: ['LST-2', 'LST-1', 'NTF-9'],
    change: (policies) => ({
      ...policies,
      nextPage: (page, ...counts) => {
        const next = policies.nextPage(page, ...counts);
        return next && { ...next, size: policies.pageSize.usual };
      },
    }),
  },
  'links-from-each-page-to-the-second': {
    summary: 'Links each page to the second one, as the first page does.',
    breaks: ['LST-2', 'LST-1'],
    change: (policies) => ({
      ...policies,
      nextPage: (page, ...counts) => {
        const next = policies.nextPage(page, ...counts);
        return next && { ...next, number: Math.min(next.number, 2) };
      },
    }),
  },
  'begins-a-page-of-webhooks-with-the-last-one-before': {
    summary: 'Begins each page of the list of webhooks with the last one of the page before.',
    breaks: ['LST-1'],
    change: (policies) => ({
      ...policies,
      window: (page, list) => {
        const { offset, limit } = policies.window(page, list);
        return { offset: list === 'webhooks' ? Math.max(0, offset - 1) : offset, limit };
      },
    }),
  },
  'lists-webhooks-as-active-as-they-were-created': {
    summary: 'Reads the list of webhooks from a copy that no update reaches with a new active.',
    breaks: ['LST-1'],
    change: (policies) => {
      const asCreated = new Map<string, Resource>();
      return {
        ...policies,
        webhookResource: (webhook, showing, timestamp) => {
          const resource = policies.webhookResource(webhook, showing, timestamp);
          if (showing === 'created') asCreated.set(webhook.id, resource);
          const { active } = (asCreated.get(webhook.id) ?? resource).attributes;
          return showing === 'listed' ? { ...resource, attributes: { ...resource.attributes, active } } : resource;
        },
      };
    },
  },
  'counts-its-rows-in-32-bits': {
    summary: 'Computes where a page begins in an integer of 32 bits, and fails where that is too small.',
    breaks: ['ROB-2'],
    change: (policies) => ({
      ...policies,
      window: (page, list) => {
        const window = policies.window(page, list);
        if (window.offset > 0x7fffffff) throw new RangeError('the offset must not be negative');
        return window;
      },
    }),
  },
  'keeps-a-status-as-it-was-first-listed': {
    summary: 'Keeps the status of each notification in a cache once it is listed, and never looks again.',
    breaks: ['STA-4', 'STA-2'],
    change: (policies) => {
      const known = new Map<string, ReturnType<typeof policies.shownStatus>>();
      return {
        ...policies,
        shownStatus: (notification) => {
          const status = known.get(notification.id) ?? policies.shownStatus(notification);
          known.set(notification.id, status);
          return status;
        },
      };
    },
  },
};
