import type { ReceiverPolicies } from '../../../receiver/policies.ts';
import type { ReceiverFaults } from '../fault.ts';
import type { Notification } from '../../../receiver/records.ts';

/** Drops a notification that it does not know yet where something holds. */
function dropping(policies: ReceiverPolicies, which: (notification: Notification) => boolean): ReceiverPolicies {
  return {
    ...policies,
    accept: async (notification, store, delivery) => {
      const isDropped = !store.has(notification.id) && which(notification);
      return isDropped ? 'duplicate' : policies.accept(notification, store, delivery);
    },
  };
}

/** A clock that is read once in a turn of the event loop, as servers do that want to save time. */
function roughClock(): () => number {
  let now: number | undefined;
  return () => {
    if (now === undefined) setImmediate(() => (now = undefined));
    return (now ??= performance.now());
  };
}

/** Characters of an id that an index holds. */
const indexed = 8;

/** One notification is taken for another, where they are close in some way (IDM-4). */
export const subtleIdentityFaults: ReceiverFaults = {
  'loses-one-of-two-within-a-millisecond': {
    summary: 'Numbers the notifications of an event by the millisecond of their arrival.',
    breaks: ['IDM-4', 'IDM-3'],
    change: (policies) => {
      const clock = roughClock();
      const last = new Map<string | undefined, { readonly id: string; readonly at: number }>();
      return dropping(policies, ({ id, event }) => {
        const before = last.get(event);
        const at = clock();
        if (before !== undefined && before.id !== id && at - before.at < 1) return true;
        last.set(event, { id, at });
        return false;
      });
    },
  },
  'compares-the-ends-of-an-id': {
    summary: 'Compares the first character of an id, and what follows its last dash.',
    breaks: ['IDM-4', 'IDM-3'],
    change: (policies) => ({
      ...policies,
      accept: (notification, store) => {
        const { id } = notification;
        return store.accept({ ...notification, key: id.slice(0, 1) + id.slice(id.lastIndexOf('-')) });
      },
    }),
  },
  'knows-what-came-twice-by-its-beginning': {
    summary: 'Keeps ids that came again in an index of their first eight characters, and looks there first.',
    breaks: ['IDM-4', 'IDM-3'],
    change: (policies) => {
      const twice = new Set<string>();
      const guarded = dropping(policies, ({ id }) => twice.has(id.slice(0, indexed)));
      return {
        ...guarded,
        accept: async (notification, store, delivery) => {
          const known = store.has(notification.id);
          if (known) twice.add(notification.id.slice(0, indexed));
          return guarded.accept(notification, store, delivery);
        },
      };
    },
  },
};
