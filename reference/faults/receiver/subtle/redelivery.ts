import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { ReceiverPolicies } from '../../../receiver/policies.ts';
import { collectWatching } from '../redelivery.ts';
import type { ReceiverFaults } from '../fault.ts';

/** Milliseconds after which an id that nobody asks for goes to the archive, and those that a look-up there takes. */
const archivedAfter = 30;
const lookUpTime = 10;

/** Ends the connection of the redelivery with this number without an answer. */
function droppingAnswer(policies: ReceiverPolicies, number: number): ReceiverPolicies {
  const redeliveries = new Map<string, number>();
  return {
    ...policies,
    answer: (outcome, delivery, notification) => {
      if (outcome === 'duplicate') {
        const { id } = notification!;
        const count = (redeliveries.get(id) ?? 0) + 1;
        redeliveries.set(id, count);
        if (count === number) delivery.head.socket.destroy();
      }
      return policies.answer(outcome, delivery, notification);
    },
  };
}

/** Redeliveries of which some come, and then another one (IDM-1 to IDM-3). */
export const subtleRedeliveryFaults: ReceiverFaults = {
  'drops-the-acknowledgement-of-a-third-redelivery': {
    summary: 'Ends the connection of the third redelivery without an answer.',
    breaks: ['IDM-1'],
    change: (policies) => droppingAnswer(policies, 3),
  },
  'forgets-an-id-whose-redelivery-broke-off': {
    summary: 'Drops an id from its cache while a redelivery is read, and does not put it back where that breaks off.',
    breaks: ['IDM-2', 'IDM-3'],
    change: (policies) => {
      const known = new Set<string>();
      const times = new Map<string, number>();
      return {
        ...policies,
        collect: (head) =>
          collectWatching(policies, head, (id) => {
            if (known.has(id)) times.set(id, (times.get(id) ?? 0) + 1);
          }),
        accept: (notification, store) => {
          const { id } = notification;
          known.add(id);
          return store.accept({ ...notification, key: `${id} ${times.get(id) ?? 0}` });
        },
      };
    },
  },
  'knows-what-came-again-by-its-bytes': {
    summary: 'Once a redelivery had the same bytes, remembers the bytes in place of the id.',
    breaks: ['IDM-2', 'IDM-3'],
    change: (policies) => {
      const seen = new Map<string, { readonly hash: string; repeated: boolean }>();
      return {
        ...policies,
        accept: (notification, store) => {
          const { id, body } = notification;
          const hash = createHash('sha256').update(body).digest('hex');
          const first = seen.get(id);
          if (first === undefined) seen.set(id, { hash, repeated: false });
          else if (first.hash === hash) first.repeated = true;
          const isNew = first !== undefined && first.hash !== hash && first.repeated;
          return store.accept({ ...notification, key: isNew ? `${id} ${hash}` : id });
        },
      };
    },
  },
  'forgets-an-id-that-is-looked-up-twice-at-once': {
    summary: 'Looks older ids up in an archive that one look-up at a time can read, and takes its error for a no.',
    breaks: ['IDM-3', 'IDM-2'],
    change: (policies) => {
      const asked = new Map<string, number>();
      const lookUps = new Map<string, number>();
      return {
        ...policies,
        accept: async (notification, store, delivery) => {
          const { id } = notification;
          const now = performance.now();
          const others = lookUps.get(id) ?? 0;
          const isArchived = others > 0 || now - (asked.get(id) ?? Infinity) > archivedAfter;
          asked.set(id, now);
          if (!isArchived) return policies.accept(notification, store, delivery);
          lookUps.set(id, others + 1);
          await delay(lookUpTime);
          lookUps.set(id, lookUps.get(id)! - 1);
          return store.accept({ ...notification, key: others === 0 ? id : `${id} again` });
        },
      };
    },
  },
};
