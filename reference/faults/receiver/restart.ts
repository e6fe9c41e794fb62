import { randomUUID } from 'node:crypto';

import { BodyError } from '../../receiver/body.ts';
import type { ReceiverFaults } from './fault.ts';

/** Milliseconds until it is ready. */
const warmUp = 600;

/** What a new process does not know of the one before it, or makes of what that one left (IDM-2, RTY-1). */
export const restartFaults: ReceiverFaults = {
  'deduplicates-in-memory': {
    summary: 'Knows the ids that this process has taken, and none of an earlier one.',
    breaks: ['IDM-2'],
    processControl: true,
    change: (policies) => {
      const process = randomUUID();
      return {
        ...policies,
        accept: (notification, store) => store.accept({ ...notification, key: `${notification.id} ${process}` }),
      };
    },
  },
  'remembers-what-it-refuses-while-it-warms-up': {
    summary: 'Answers 503 for a moment after each start, and remembers the id: the redelivery is a duplicate.',
    breaks: ['IDM-5', 'RTY-1'],
    processControl: true,
    change: (policies) => {
      let ready = Infinity;
      return {
        ...policies,
        begin: (store) => {
          policies.begin(store);
          ready = performance.now() + warmUp;
        },
        accept: async (notification, store, delivery) => {
          if (performance.now() > ready) return policies.accept(notification, store, delivery);
          store.remember({ ...notification, key: notification.id });
          throw new BodyError(503, 'It is not ready yet.');
        },
      };
    },
  },
  'does-not-start-after-a-kill': {
    summary: 'Refuses to start as long as it is noted that it runs, which a killed process leaves behind.',
    breaks: ['RTY-1'],
    processControl: true,
    change: (policies) => {
      const running = { key: 'running', id: 'running', event: undefined, body: Buffer.alloc(0) };
      return {
        ...policies,
        begin: (store) => {
          if (store.remember(running) === 'duplicate') throw new Error('It runs already: there is a note of it.');
        },
        end: (store) => store.forget(running.key),
      };
    },
  },
};
