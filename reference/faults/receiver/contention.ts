import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

import { catalogue } from '../catalogue.ts';
import type { ReceiverPolicies } from '../../receiver/policies.ts';
import { member, type Notification } from '../../receiver/records.ts';
import type { ReceiverFaults } from './fault.ts';

/** Mistakes that show by how many notifications come, and when, or by chance (section 6, rule 3). */
export const contentionFaults: ReceiverFaults = {
  'swallows-that-its-store-is-busy': {
    summary: 'Acknowledges a notification that it cannot store because another one is being stored, and drops it.',
    breaks: ['RTY-1', 'IDM-3', 'RCV-3'],
    change: (policies) => {
      let busy = false;
      return {
        ...policies,
        accept: async (notification, ...rest) => {
          if (busy) return 'new';
          busy = true;
          try {
            await turn();
            return await policies.accept(notification, ...rest);
          } finally {
            busy = false;
          }
        },
      };
    },
  },
  'remembers-what-fails-now-and-then': {
    summary:
      'Remembers an id before it stores the notification, and fails with one in sixteen: the redelivery is taken for known.',
    breaks: ['IDM-5'],
    change: (policies) => {
      const known = new Set<string>();
      return {
        ...policies,
        accept: async (notification, ...rest) => {
          if (known.has(notification.id)) return 'duplicate';
          known.add(notification.id);
          if (notification.id.startsWith('0')) throw new Error('deadlock detected');
          return policies.accept(notification, ...rest);
        },
      };
    },
  },
  'writes-effects-thirty-at-a-time': {
    summary: 'Writes the first effect at once, and each later one when thirty have gathered.',
    breaks: ['RTY-1'],
    change: (policies) => {
      let gathered = 0;
      let isFirst = true;
      return {
        ...policies,
        accept: async (...delivery) => {
          gathered += 1;
          const acceptance = await policies.accept(...delivery);
          if (acceptance === 'duplicate') gathered -= 1;
          return acceptance;
        },
        work: (store, limit) => {
          if (!isFirst && gathered < 30) return 0;
          const done = policies.work(store, limit);
          gathered -= done;
          isFirst &&= done === 0;
          return done;
        },
      };
    },
  },
  'loses-a-batch-with-an-event-that-it-does-not-know': {
    summary: 'Works on all that waits in one transaction, which an event that nobody handles ends.',
    breaks: ['RCV-6', 'RTY-1'],
    change: (policies) => losingItsBatch(policies, ({ event }) => !catalogue.has(event ?? '')),
  },
  'locks-eight-ids-at-a-time': {
    summary: 'Knows eight ids that are in work, and forgets the oldest of them for a ninth.',
    breaks: ['IDM-3'],
    change: (policies) => {
      const done = new Set<string>();
      const inWork = new Set<string>();
      return {
        ...policies,
        accept: async (notification, ...rest) => {
          const { id } = notification;
          if (done.has(id) || inWork.has(id)) return 'duplicate';
          for (const oldest of inWork.size < 8 ? [] : [...inWork].slice(0, 1)) inWork.delete(oldest);
          inWork.add(id);
          await delay(15);
          inWork.delete(id);
          if (done.has(id)) rest[0].takeEffect(id);
          done.add(id);
          return policies.accept(notification, ...rest);
        },
      };
    },
  },
  'works-on-what-came-last': {
    summary:
      'Keeps the notification that it works on in a variable that all requests share: an effect goes to the last one.',
    breaks: ['RTY-1', 'IDM-2', 'IDM-3', 'IDM-5', 'RCV-3'],
    change: (policies) => {
      let current = '';
      return {
        ...policies,
        accept: async (notification, store) => {
          const { id } = notification;
          if (store.has(id)) return 'duplicate';
          store.remember({ ...notification, key: id });
          current = id;
          await delay(3);
          store.takeEffect(current);
          return 'new';
        },
      };
    },
  },
  'forgets-what-does-not-fit-in-its-queue': {
    summary: 'Works on one notification after the other, keeps forty waiting, and acknowledges and forgets one more.',
    breaks: ['RTY-1', 'RCV-3', 'IDM-3', 'IDM-4'],
    change: (policies) => {
      let waiting = 0;
      let turn: Promise<unknown> = Promise.resolve();
      return {
        ...policies,
        accept: async (notification, store, delivery) => {
          if (store.has(notification.id)) return 'duplicate';
          if (waiting >= 40) return 'new';
          waiting += 1;
          // The store may be closed by then.
          const work = () => policies.accept(notification, store, delivery).catch(() => {});
          turn = turn
            .then(() => delay(4))
            .then(work)
            .finally(() => (waiting -= 1));
          return 'new';
        },
      };
    },
  },
  'loses-a-batch-with-a-resource-without-a-type': {
    summary: 'Works on all that waits in one transaction, which a related resource without a type ends.',
    breaks: ['RCV-2', 'RTY-1'],
    change: (policies) =>
      losingItsBatch(policies, ({ value }) => {
        const resources = member(value, 'included');
        return Array.isArray(resources) && resources.some((resource) => member(resource, 'type') === undefined);
      }),
  },
};

/** Drops all that waits where one of it spoils the work on the others. */
function losingItsBatch(policies: ReceiverPolicies, spoils: (notification: Notification) => boolean): ReceiverPolicies {
  let isSpoilt = false;
  return {
    ...policies,
    accept: async (notification, ...rest) => {
      isSpoilt ||= spoils(notification);
      return policies.accept(notification, ...rest);
    },
    work: (store, limit) => {
      if (!isSpoilt) return policies.work(store, limit);
      isSpoilt = false;
      store.takePending();
      return 0;
    },
  };
}
