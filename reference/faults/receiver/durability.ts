import { setTimeout as delay } from 'node:timers/promises';

import type { ReceiverPolicies } from '../../receiver/policies.ts';
import type { NotificationStore } from '../../receiver/store.ts';
import type { ReceiverFaults } from './fault.ts';
import type { Notification } from '../../receiver/records.ts';

/** Milliseconds of a piece of work on a notification, such as a call to another service. */
const work = 30;

/** Collects what arrives and stores it at intervals of this many milliseconds. */
function buffering(policies: ReceiverPolicies, interval: number): ReceiverPolicies['accept'] {
  const buffer: (() => unknown)[] = [];
  return async (...delivery) => {
    if (buffer.length === 0) {
      later(interval, () => {
        for (const store of buffer.splice(0)) void store();
      });
    }
    buffer.push(() => policies.accept(...delivery).catch(() => undefined));
    return 'new';
  };
}

/** Stored as done before anything was done; the work itself is known to this process only. */
function remembered(notification: Notification, store: NotificationStore) {
  return store.remember({ ...notification, key: notification.id });
}

/** What was acknowledged is gone when the process ends (RCV-3). */
export const durabilityFaults: ReceiverFaults = {
  'acknowledges-before-it-stores': {
    summary: 'Answers first, and stores the notification a moment later.',
    breaks: ['RCV-3'],
    processControl: true,
    change: (policies) => ({
      ...policies,
      accept: async (...delivery) => {
        later(25, () => policies.accept(...delivery));
        return 'new';
      },
    }),
  },
  'buffers-and-flushes-later': {
    summary: 'Collects what arrives in memory, and writes it down every 200 ms.',
    breaks: ['RCV-3'],
    processControl: true,
    change: (policies) => ({ ...policies, accept: buffering(policies, 200) }),
  },
  'works-off-a-queue-in-memory': {
    summary: 'Remembers the id for good and the work in memory, so that a redelivery cannot restore what a kill lost.',
    breaks: ['RCV-3', 'IDM-5', 'RTY-1'],
    processControl: true,
    change: (policies) => ({
      ...policies,
      accept: async (notification, store) => {
        const acceptance = remembered(notification, store);
        if (acceptance === 'new') later(work, () => store.takeEffect(notification.id));
        return acceptance;
      },
    }),
  },
  'forgets-pending-work-at-start': {
    summary: 'Begins with an empty queue, and still knows the ids of what was in it.',
    breaks: ['RCV-3', 'IDM-5', 'RTY-1'],
    processControl: true,
    change: (policies) => ({ ...policies, begin: (store) => void store.takePending() }),
  },
  'takes-its-queue-into-memory-at-start': {
    summary: 'Empties its queue into memory at the start, so that a second kill loses what the first one did not.',
    breaks: ['RCV-3', 'IDM-5', 'RTY-1'],
    processControl: true,
    change: (policies) => ({
      ...policies,
      begin: (store) => {
        const pending = store.takePending();
        later(20 * work, () => pending.forEach((id) => store.takeEffect(id)));
      },
    }),
  },
  'clears-its-queue-on-sigterm': {
    summary: 'Works off its queue a moment later, and throws away what is left of it when it is asked to end.',
    breaks: ['RCV-3', 'IDM-5', 'RTY-1'],
    processControl: true,
    change: (policies) => ({
      ...policies,
      work: (...queue) => {
        later(4 * work, () => policies.work(...queue));
        return 0;
      },
      end: (store) => void store.takePending(),
    }),
  },
  'acknowledges-what-it-drops-on-sigterm': {
    summary: 'Acknowledges what is in flight when it is asked to end, and stores none of it.',
    breaks: ['RCV-3'],
    processControl: true,
    change: (policies) => {
      let ending = false;
      return {
        ...policies,
        accept: async (...delivery) => {
          await delay(work);
          return ending ? 'new' : policies.accept(...delivery);
        },
        end: () => {
          ending = true;
        },
      };
    },
  },
};

/**
 * Does something after the answer, as many a receiver does: nothing waits for it, and a failure of it is not reported,
 * because the process ended or the store was closed.
 *
 * @param ms - milliseconds from now
 */
function later(ms: number, action: () => unknown): void {
  const attempt = async () => action();
  setTimeout(() => void attempt().catch(() => undefined), ms).unref();
}
