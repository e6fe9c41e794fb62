import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { BodyError } from '../../receiver/body.ts';
import type { ReceiverFaults } from './fault.ts';
import type { ReceiverPolicies } from '../../receiver/policies.ts';
import type { NotificationStore } from '../../receiver/store.ts';

/** Milliseconds of a piece of work on a notification, such as a call to another service. */
const work = 30;

/** Milliseconds of a step of such work, and their number. */
const step = 5;

const steps = 8;

/** Milliseconds for which such work is leased: longer than it takes. */
const lease = 5 * steps * step;

/** A process that ends or stands still in the middle of its work leaves something behind that is wrong (IDM-2, IDM-5, RTY-1). */
export const interruptionFaults: ReceiverFaults = {
  'marks-before-it-processes': {
    summary: 'Remembers the id, works, and lets the notification take effect: killed between, it drops the redelivery.',
    breaks: ['IDM-5', 'RTY-1'],
    processControl: true,
    change: (policies) => ({
      ...policies,
      accept: sharing(async (notification, store) => {
        if (store.remember({ ...notification, key: notification.id }) === 'duplicate') return 'duplicate';
        await delay(work);
        store.takeEffect(notification.id);
        return 'new';
      }),
    }),
  },
  'repeats-the-effect-after-a-kill': {
    summary: 'Works for a while, lets the notification take effect, and remembers its id after more work.',
    breaks: ['IDM-2'],
    processControl: true,
    change: (policies) => ({
      ...policies,
      accept: sharing(async (notification, store) => {
        if (store.has(notification.id)) return 'duplicate';
        await delay(2 * work);
        store.takeEffect(notification.id);
        await delay(6 * work);
        return store.remember({ ...notification, key: notification.id });
      }),
    }),
  },
  'resumes-what-is-redelivered-as-well': {
    summary: 'Takes up interrupted work at its start, and takes the redelivery of the same for another notification.',
    breaks: ['IDM-2'],
    processControl: true,
    change: (policies) => ({
      ...policies,
      accept: sharing(async (notification, store) => {
        if (store.has(notification.id)) return 'duplicate';
        await store.accept({ ...notification, key: `${notification.id} ${randomUUID()}` });
        await delay(work);
        return store.remember({ ...notification, key: notification.id });
      }),
    }),
  },
  'keeps-the-lock-of-a-killed-process': {
    summary: 'Locks a notification in the database while it works on it; the lock of a killed process is never opened.',
    breaks: ['RTY-1', 'IDM-5'],
    processControl: true,
    change: (policies) => ({
      ...policies,
      accept: sharing(async (notification, store, delivery) => {
        const lock = { ...notification, key: `lock ${notification.id}` };
        if (store.has(notification.id)) return 'duplicate';
        if (store.remember(lock) === 'duplicate') throw new BodyError(423, `${notification.id} is being worked on.`);
        await delay(work);
        const acceptance = await policies.accept(notification, store, delivery);
        store.forget(lock.key);
        return acceptance;
      }),
    }),
  },
  'works-on-after-its-lease-ran-out': {
    summary: 'Takes over work whose lease ran out while the process stood still, and goes on with it as well.',
    breaks: ['IDM-2'],
    processControl: true,
    change: (policies) => {
      const leases = new Map<string, number>();
      return {
        ...policies,
        accept: async (notification, store) => {
          if (store.has(notification.id)) return 'duplicate';
          if ((leases.get(notification.id) ?? 0) > Date.now())
            throw new BodyError(503, `${notification.id} is being worked on.`);
          leases.set(notification.id, Date.now() + lease);
          // Most of its lease: what stands still on a busy machine does so a moment later than it was to.
          for (let done = 0; done < steps; done++) await delay(3 * step);
          store.takeEffect(notification.id);
          return store.remember({ ...notification, key: notification.id });
        },
      };
    },
  },
  'drops-what-took-too-long': {
    summary:
      'Remembers the id, and gives up the work where the sender must have given up before: it stood still too long.',
    breaks: ['RTY-1', 'IDM-5'],
    processControl: true,
    change: (policies) => ({
      ...policies,
      accept: sharing(async (notification, store) => {
        const arrived = Date.now();
        if (store.remember({ ...notification, key: notification.id }) === 'duplicate') return 'duplicate';
        for (let done = 0; done < steps; done++) await delay(step);
        if (Date.now() - arrived < lease) store.takeEffect(notification.id);
        return 'new';
      }),
    }),
  },
  'drops-work-that-waited-for-a-second': {
    summary: 'Works off its queue a moment later, and drops what has waited there for longer than a second.',
    breaks: ['RTY-1', 'RCV-3', 'IDM-5'],
    processControl: true,
    change: (policies) => {
      const arrivals = new Map<string, number>();
      const age = (id: string): number => Date.now() - (arrivals.get(id) ?? Date.now());
      const drain = (store: NotificationStore): void => {
        for (const id of store.takePending()) if (age(id) < 1000) store.takeEffect(id);
      };
      return {
        ...policies,
        accept: (notification, ...rest) => {
          if (!arrivals.has(notification.id)) arrivals.set(notification.id, Date.now());
          return policies.accept(notification, ...rest);
        },
        work: (store) => {
          setTimeout(() => drain(store), 3 * work).unref();
          return 0;
        },
      };
    },
  },
  'acknowledges-a-copy-while-the-first-is-stored': {
    summary: 'Takes the id of what it is still storing for known: a copy of it is acknowledged, and a kill takes both.',
    breaks: ['RCV-3', 'RTY-1'],
    processControl: true,
    change: (policies) => {
      const underWay = new Set<string>();
      return {
        ...policies,
        accept: async (notification, ...rest) => {
          const { id } = notification;
          if (underWay.has(id)) return 'duplicate';
          underWay.add(id);
          try {
            await delay(work);
            return await policies.accept(notification, ...rest);
          } finally {
            underWay.delete(id);
          }
        },
      };
    },
  },
  'acknowledges-what-it-reads-to-its-end-while-it-ends': {
    summary: 'Closes its store when it is asked to end, and acknowledges a body whose rest comes then all the same.',
    breaks: ['RCV-3'],
    processControl: true,
    change: (policies) => {
      let isClosed = false;
      return {
        ...policies,
        accept: async (...delivery) => (isClosed ? 'new' : policies.accept(...delivery)),
        end: (store) => {
          policies.end(store);
          isClosed = true;
        },
      };
    },
  },
};

/**
 * Copies that arrive while one is being worked on wait for that one, and are duplicates of it: a mistake made within
 * the work then shows only where a process ends in the middle of it.
 */
function sharing(accept: ReceiverPolicies['accept']): ReceiverPolicies['accept'] {
  const underWay = new Map<string, Promise<unknown>>();
  return async (notification, store, delivery) => {
    const first = underWay.get(notification.id);
    if (first !== undefined) {
      await first;
      return 'duplicate';
    }
    const work = accept(notification, store, delivery);
    underWay.set(notification.id, work);
    try {
      return await work;
    } finally {
      underWay.delete(notification.id);
    }
  };
}
