import { setTimeout as delay } from 'node:timers/promises';

import type { NotificationStore } from '../../receiver/store.ts';
import type { ReceiverFaults } from './fault.ts';

/** Milliseconds of work on one notification. */
const work = 40;

function compute(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Earlier notifications, acknowledged and not yet worked off, keep later ones waiting (RCV-4), or are lost by them (RTY-1). */
export const backlogFaults: ReceiverFaults = {
  'computes-where-it-answers': {
    summary: 'Acknowledges at once, then works off all that is pending in one go, in the thread that answers.',
    breaks: ['RCV-4'],
    processControl: true,
    timeout: 300,
    change: (policies) => ({
      ...policies,
      work: (store, limit) => {
        const done = policies.work(store, limit);
        compute(done * work);
        return done;
      },
    }),
  },
  'waits-for-its-backlog': {
    summary:
      'Works on one notification after the other in the background, and keeps senders waiting above twenty of them.',
    breaks: ['RCV-4'],
    processControl: true,
    timeout: 300,
    change: (policies) => {
      let backlog = 0;
      let turn: Promise<unknown> = Promise.resolve();
      const worked = async () => {
        await delay(work);
        backlog -= 1;
      };
      return {
        ...policies,
        accept: async (...delivery) => {
          if (backlog >= 20) await turn;
          backlog += 1;
          turn = turn.then(worked);
          return policies.accept(...delivery);
        },
      };
    },
  },
  'drops-the-oldest-of-a-long-queue': {
    summary: 'Works on one notification after the other, and keeps forty waiting: one more, and the oldest is dropped.',
    breaks: ['RTY-1', 'RCV-3', 'IDM-5'],
    processControl: true,
    change: (policies) => {
      const queue: string[] = [];
      let turn: Promise<unknown> = Promise.resolve();
      return {
        ...policies,
        accept: async (notification, store) => {
          if (store.remember({ ...notification, key: notification.id }) === 'duplicate') return 'duplicate';
          queue.push(notification.id);
          if (queue.length > 40) queue.shift();
          turn = turn.then(() => delay(work / 4)).then(() => workOff(store, queue.shift()));
          return 'new';
        },
      };
    },
  },
  'takes-longer-with-each-notification': {
    summary: 'Goes through all that it has received before it answers, 3 ms for each.',
    breaks: ['RCV-4'],
    processControl: true,
    timeout: 4000,
    change: (policies) => {
      let received = 0;
      return {
        ...policies,
        accept: async (...delivery) => {
          await delay(3 * received++);
          return policies.accept(...delivery);
        },
      };
    },
  },
};

/** Nothing where it was dropped, or the process has ended. */
function workOff(store: NotificationStore, id: string | undefined): void {
  try {
    if (id !== undefined) store.takeEffect(id);
  } catch {
    // The store was closed.
  }
}
