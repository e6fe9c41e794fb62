import { readNotification } from '../../../receiver/notification.ts';
import type { ReceiverPolicies } from '../../../receiver/policies.ts';
import type { ReceiverFaults } from '../fault.ts';

/** Milliseconds for which an id that is under suspicion is kept. */
const suspiciousTime = 30;

/** Hears of the id of each forged delivery. */
function watchingForgeries(policies: ReceiverPolicies, onForged: (id: string) => void): ReceiverPolicies {
  return {
    ...policies,
    verify: (delivery) => {
      const genuine = policies.verify(delivery);
      const id = genuine ? undefined : readNotification(delivery.body)?.id;
      if (id !== undefined) onForged(id);
      return genuine;
    },
  };
}

/** A forged copy is refused as it should be, and leaves something behind (IDM-2, IDM-5, VRF-2). */
export const subtleForgeryFaults: ReceiverFaults = {
  'forgets-an-id-that-came-forged-first': {
    summary: 'Does not remember ids of which a forged copy came before the genuine one.',
    breaks: ['IDM-2', 'IDM-3'],
    change: (policies) => {
      const known = new Set<string>();
      const forged = new Map<string, number>();
      const watching = watchingForgeries(policies, (id) => {
        if (!known.has(id)) forged.set(id, 0);
      });
      return {
        ...watching,
        accept: (notification, store) => {
          const { id } = notification;
          known.add(id);
          const times = forged.get(id);
          if (times !== undefined) forged.set(id, times + 1);
          return store.accept({ ...notification, key: `${id} ${times ?? 0}` });
        },
      };
    },
  },
  'forgets-an-id-30-ms-after-a-forged-copy': {
    summary: 'Moves an id of which a forged copy comes to a list of suspects, which it keeps for 30 ms.',
    breaks: ['IDM-2', 'IDM-3'],
    change: (policies) => {
      const known = new Set<string>();
      const suspect = new Map<string, number>();
      const watching = watchingForgeries(policies, (id) => {
        if (known.has(id) && !suspect.has(id)) suspect.set(id, performance.now());
      });
      return {
        ...watching,
        accept: (notification, store) => {
          const { id } = notification;
          known.add(id);
          const isForgotten = performance.now() - (suspect.get(id) ?? Infinity) > suspiciousTime;
          return store.accept({ ...notification, key: isForgotten ? `${id} again` : id });
        },
      };
    },
  },
  'bans-an-id-that-came-forged-twice': {
    summary: 'Acknowledges and drops whatever comes under an id of which two forged copies came before.',
    breaks: ['VRF-2', 'IDM-5'],
    change: (policies) => {
      const forged = new Map<string, number>();
      const watching = watchingForgeries(policies, (id) => forged.set(id, (forged.get(id) ?? 0) + 1));
      return {
        ...watching,
        accept: async (notification, store, delivery) => {
          const isBanned = (forged.get(notification.id) ?? 0) > 1;
          return isBanned ? 'duplicate' : policies.accept(notification, store, delivery);
        },
      };
    },
  },
};
