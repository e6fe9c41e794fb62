import { randomUUID } from 'node:crypto';

import type { ReceiverFaults } from './fault.ts';

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
