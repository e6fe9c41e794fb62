import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { member, type ArrivedDelivery, type Notification } from '../../receiver/records.ts';
import type { ReceiverPolicies } from '../../receiver/policies.ts';
import type { ReceiverFaults } from './fault.ts';

/** Keeps notifications apart by another key than their id. */
function keyedBy(
  policies: ReceiverPolicies,
  key: (notification: Notification, delivery: ArrivedDelivery) => string,
): ReceiverPolicies {
  return {
    ...policies,
    accept: (notification, store, delivery) => store.accept({ ...notification, key: key(notification, delivery) }),
  };
}

/** Remembers the latest ids only. */
function remembering(policies: ReceiverPolicies, limit: number): ReceiverPolicies {
  const known = new Map<string, string>();
  return keyedBy(policies, ({ id }) => {
    const key = known.get(id) ?? randomUUID();
    known.set(id, key);
    if (known.size > limit) known.delete(known.keys().next().value!);
    return key;
  });
}

/** Remembers an id for so many milliseconds. */
function forgettingAfter(policies: ReceiverPolicies, ms: number): ReceiverPolicies {
  const since = new Map<string, number>();
  return keyedBy(policies, ({ id }) => {
    const now = performance.now();
    if (now - (since.get(id) ?? -Infinity) > ms) since.set(id, now);
    return `${id} ${since.get(id)}`;
  });
}

function digest(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

/** All that a notification says but its id. */
function content({ value }: Notification): string {
  return JSON.stringify([member(member(value, 'data'), 'attributes'), member(value, 'included')]);
}

/** Answers a redelivery in another way. */
function answeringDuplicates(policies: ReceiverPolicies, status: number, from = 1): ReceiverPolicies {
  const redeliveries = new Map<string, number>();
  return {
    ...policies,
    answer: (outcome, delivery, notification) => {
      if (outcome !== 'duplicate') return policies.answer(outcome, delivery, notification);
      const count = (redeliveries.get(notification!.id) ?? 0) + 1;
      redeliveries.set(notification!.id, count);
      return count < from ? policies.answer(outcome, delivery, notification) : { status, body: 'seen before' };
    },
  };
}

/** A notification takes effect too often, or is taken for another one (IDM-1 to IDM-4). */
export const deduplicationFaults: ReceiverFaults = {
  'deduplicates-nothing': {
    summary: 'Lets every delivery take effect.',
    breaks: ['IDM-2', 'IDM-3'],
    change: (policies) => keyedBy(policies, () => randomUUID()),
  },
  'checks-then-acts': {
    summary: 'Looks whether it knows the id, and remembers it only when the work is done.',
    breaks: ['IDM-3'],
    change: (policies) => {
      const done = new Set<string>();
      return {
        ...policies,
        accept: async (notification, store) => {
          if (done.has(notification.id)) return 'duplicate';
          await delay(15);
          done.add(notification.id);
          return store.accept({ ...notification, key: randomUUID() });
        },
      };
    },
  },
  'lets-concurrent-copies-cancel-each-other': {
    summary: 'Each of several copies that arrive together leaves the work to the others.',
    breaks: ['IDM-3', 'IDM-5', 'RTY-1'],
    change: (policies) => {
      const inFlight = new Map<string, { copies: number }>();
      return {
        ...policies,
        accept: async (notification, ...rest) => {
          const group = inFlight.get(notification.id) ?? { copies: 0 };
          inFlight.set(notification.id, group);
          group.copies += 1;
          await delay(10);
          inFlight.delete(notification.id);
          return group.copies > 1 ? 'duplicate' : policies.accept(notification, ...rest);
        },
      };
    },
  },
  'forgets-ids-after-100-ms': {
    summary: 'Remembers an id for 100 ms.',
    breaks: ['IDM-2', 'IDM-3'],
    change: (policies) => forgettingAfter(policies, 100),
  },
  'forgets-ids-after-one-second': {
    summary: 'Keeps ids in a cache whose entries expire after a second.',
    breaks: ['IDM-2', 'IDM-3'],
    change: (policies) => forgettingAfter(policies, 1000),
  },
  'forgets-ids-after-five-others': {
    summary: 'Remembers the latest five ids.',
    breaks: ['IDM-2', 'IDM-3'],
    change: (policies) => remembering(policies, 5),
  },
  'remembers-the-latest-id-only': {
    summary: 'Compares an id with that of the delivery before.',
    breaks: ['IDM-2', 'IDM-3'],
    change: (policies) => remembering(policies, 1),
  },
  'takes-effect-again-now-and-then': {
    summary: 'Stands behind a proxy that sends one request in nine to a worker that knows none of the ids.',
    breaks: ['IDM-2', 'IDM-3'],
    change: (policies) => {
      let deliveries = 0;
      return keyedBy(policies, ({ id }) => (++deliveries % 9 === 0 ? randomUUID() : id));
    },
  },
  'takes-effect-again-at-the-third-redelivery': {
    summary: 'Gives up remembering an id once it has come three times.',
    breaks: ['IDM-2', 'IDM-3'],
    change: (policies) => {
      const deliveries = new Map<string, number>();
      return keyedBy(policies, ({ id }) => {
        const before = deliveries.get(id) ?? 0;
        deliveries.set(id, before + 1);
        return before < 3 ? id : `${id} again`;
      });
    },
  },
  'deduplicates-by-body-hash': {
    summary: 'Knows a redelivery by the hash of its bytes.',
    breaks: ['IDM-2', 'IDM-3'],
    change: (policies) => keyedBy(policies, ({ body }) => digest(body)),
  },
  'deduplicates-by-the-signature': {
    summary: 'Knows a redelivery by the text of its signature.',
    breaks: ['IDM-2'],
    change: (policies) => keyedBy(policies, ({ id }, { signature = id }) => signature),
  },
  'counts-another-spelling-of-the-signature-as-new': {
    summary: 'Takes a signature in capital letters, and keeps its first letter with the id.',
    breaks: ['IDM-2'],
    change: (policies) => ({
      ...keyedBy(policies, ({ id }, { signature = '' }) => `${id} ${/[A-F]/.test(signature)}`),
      verify: (delivery) => policies.verify({ ...delivery, signature: delivery.signature?.toLowerCase() }),
    }),
  },
  'deduplicates-by-a-request-id': {
    summary: 'Knows a redelivery by the id of its request, where a header names one.',
    breaks: ['IDM-2', 'IDM-4'],
    change: (policies) => keyedBy(policies, ({ id }, { head }) => String(head.headers['x-request-id'] ?? id)),
  },
  'finds-the-id-in-the-raw-text': {
    summary: 'Finds the id by a regular expression in the body, as it is spelt there.',
    breaks: ['IDM-2'],
    change: (policies) => keyedBy(policies, ({ id, body }) => (body.includes(`"id":"${id}"`) ? id : digest(body))),
  },
  'deduplicates-by-content': {
    summary: 'Drops a notification that says the same as another one.',
    breaks: ['IDM-4', 'IDM-2'],
    change: (policies) => keyedBy(policies, (notification) => digest(content(notification))),
  },
  'deduplicates-by-event-and-time': {
    summary: 'Drops a notification of the same event and time as another one.',
    breaks: ['IDM-4'],
    change: (policies) =>
      keyedBy(policies, ({ value, event }) => {
        const attributes = member(member(value, 'data'), 'attributes');
        return JSON.stringify([event, member(attributes, 'created_at')]);
      }),
  },
  'deduplicates-by-half-an-id': {
    summary: 'Compares the first half of an id.',
    breaks: ['IDM-4'],
    change: (policies) => keyedBy(policies, ({ id }) => id.slice(0, Math.ceil(id.length / 2))),
  },
  'compares-ids-by-a-short-hash': {
    summary: 'Remembers sixteen bits of a hash of each id.',
    breaks: ['IDM-4', 'RTY-1', 'ROB-1'],
    change: (policies) => keyedBy(policies, ({ id }) => digest(id).slice(0, 4)),
  },
  'drops-what-is-older-than-the-latest': {
    summary: 'Drops a notification that was created before the latest one of its event.',
    breaks: ['IDM-4', 'RCV-2'],
    change: (policies) => {
      const latest = new Map<string | undefined, string>();
      return {
        ...policies,
        accept: async (notification, ...rest) => {
          const { value, event } = notification;
          const at = String(member(member(member(value, 'data'), 'attributes'), 'created_at'));
          if (at < (latest.get(event) ?? '')) return 'duplicate';
          latest.set(event, at);
          return policies.accept(notification, ...rest);
        },
      };
    },
  },
  'answers-409-to-a-redelivery': {
    summary: 'Reports a conflict for an id that it has already.',
    breaks: ['IDM-1'],
    change: (policies) => answeringDuplicates(policies, 409),
  },
  'answers-500-to-a-redelivery': {
    summary: 'Fails on the uniqueness of its own key.',
    breaks: ['IDM-1'],
    change: (policies) => answeringDuplicates(policies, 500),
  },
  'refuses-the-third-redelivery': {
    summary: 'Takes two redeliveries of a notification, and answers 429 from the third on.',
    breaks: ['IDM-1'],
    change: (policies) => answeringDuplicates(policies, 429, 3),
  },
  'takes-each-event-once': {
    summary: 'Takes a notification for a duplicate where one of its event came before.',
    breaks: ['IDM-4', 'RTY-1'],
    change: (policies) => keyedBy(policies, ({ event = '' }) => event),
  },
  'takes-one-for-each-webhook': {
    summary: 'Takes a notification for a duplicate where one of its webhook came before.',
    breaks: ['IDM-4', 'RTY-1'],
    change: (policies) => keyedBy(policies, () => 'the webhook'),
  },
  'merges-what-follows-within-300-ms': {
    summary: 'Takes one notification of container.updated for another that came up to 300 ms before it.',
    breaks: ['IDM-4', 'RTY-1', 'IDM-2', 'IDM-3', 'IDM-5', 'RCV-3'],
    change: (policies) => {
      let last = -Infinity;
      return {
        ...policies,
        accept: (notification, ...rest) => {
          const before = last;
          if (notification.event !== 'container.updated') return policies.accept(notification, ...rest);
          last = performance.now();
          return last - before < 300 ? Promise.resolve('duplicate') : policies.accept(notification, ...rest);
        },
      };
    },
  },
  'forgets-ids-a-day-after-their-creation': {
    summary: 'Removes ids a moment after the work, where the notification was created more than a day ago.',
    breaks: ['IDM-2', 'IDM-3'],
    change: (policies) => {
      const since = new Map<string, number>();
      return keyedBy(policies, ({ id, value }) => {
        const now = Date.now();
        const attributes = member(member(value, 'data'), 'attributes');
        const isOld = now - Date.parse(String(member(attributes, 'created_at'))) > 24 * 60 * 60 * 1000;
        if (!since.has(id) || (isOld && now - since.get(id)! > 220)) since.set(id, now);
        return `${id} ${since.get(id)}`;
      });
    },
  },
};
