import { setTimeout as delay } from 'node:timers/promises';

import type { ReceiverPolicies } from '../../receiver/policies.ts';
import type { NotificationStore } from '../../receiver/store.ts';
import type { ReceiverFaults } from './fault.ts';
import { type Notification, type Reply, parseJson, readNotification } from '../../receiver/records.ts';

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

const acknowledged: Reply = { status: 200, body: 'ok' };

/** Acknowledges some of the bodies from which no notification can be read. */
function acknowledging(policies: ReceiverPolicies, which: (body: Buffer) => boolean): ReceiverPolicies {
  return {
    ...policies,
    answer: (outcome, delivery, notification) =>
      outcome === 'unreadable' && which(delivery.body)
        ? acknowledged
        : policies.answer(outcome, delivery, notification),
  };
}

/** What was not accepted is acknowledged all the same, or is accepted though it is no JSON (RCV-5). */
export const acknowledgementFaults: ReceiverFaults = {
  'answers-200-to-what-is-not-json': {
    summary: 'Acknowledges a body that it could not parse.',
    breaks: ['RCV-5', 'ROB-1'],
    change: (policies) => acknowledging(policies, (body) => parseJson(body) === undefined),
  },
  'answers-200-to-an-empty-body': {
    summary: 'Takes a delivery without a body for a ping and acknowledges it.',
    breaks: ['RCV-5', 'ROB-1'],
    change: (policies) => acknowledging(policies, (body) => body.length === 0),
  },
  'answers-200-without-an-id': {
    summary: 'Acknowledges JSON in which it found no id, and drops it.',
    breaks: ['RCV-5'],
    change: (policies) => acknowledging(policies, (body) => parseJson(body) !== undefined),
  },
  'takes-trailing-commas-for-json': {
    summary: 'Parses with a reader that forgives a comma after the last member.',
    breaks: ['RCV-5', 'ROB-1'],
    change: (policies) => ({
      ...policies,
      read: (body) =>
        readNotification(body) ?? readNotification(Buffer.from(body.toString('utf8').replaceAll(/,(\s*[}\]])/g, '$1'))),
    }),
  },
  'ignores-what-follows-the-json': {
    summary: 'Stops reading at the end of the first JSON value.',
    breaks: ['RCV-5', 'ROB-1'],
    change: (policies) => ({
      ...policies,
      read: (body) => readNotification(body) ?? readNotification(body.subarray(0, body.lastIndexOf('}') + 1)),
    }),
  },
};

/** Milliseconds of work on one notification. */
const backlogWork = 40;

/** Keeps the thread as a computation does, and spends no CPU. */
function compute(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
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
        compute(2 * done * backlogWork);
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
        await delay(backlogWork);
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
          turn = turn.then(() => delay(backlogWork / 4)).then(() => workOff(store, queue.shift()));
          return 'new';
        },
      };
    },
  },
  'remembers-what-a-full-queue-refuses': {
    summary: 'Remembers an id, and answers 503 where eight notifications wait: the redelivery is taken for known.',
    breaks: ['IDM-5', 'RTY-1', 'RCV-3', 'VRF-1'],
    processControl: true,
    change: (policies) => {
      let waiting = 0;
      const known = new Set<string>();
      const refused = new WeakSet<Notification>();
      return {
        ...policies,
        accept: async (notification, ...rest) => {
          if (known.has(notification.id)) return 'duplicate';
          known.add(notification.id);
          if (waiting >= 8) {
            refused.add(notification);
            return 'duplicate';
          }
          waiting += 1;
          setTimeout(() => (waiting -= 1), backlogWork / 4);
          return policies.accept(notification, ...rest);
        },
        answer: (outcome, delivery, notification) =>
          notification !== undefined && refused.has(notification)
            ? { status: 503, body: 'full' }
            : policies.answer(outcome, delivery, notification),
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
