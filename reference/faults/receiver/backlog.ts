import { setTimeout as delay } from 'node:timers/promises';

import type { ReceiverFaults } from './fault.ts';

/** Milliseconds of work on one notification. */
const work = 40;

function compute(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Earlier notifications, acknowledged and not yet worked off, keep later ones waiting (RCV-4). */
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
};
