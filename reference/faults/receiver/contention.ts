import { setImmediate as turn } from 'node:timers/promises';

import type { ReceiverFaults } from './fault.ts';

/** Mistakes that show where several notifications are stored at the same time, or by chance (section 6, rule 3). */
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
};
