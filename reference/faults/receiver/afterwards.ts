import type { ReceiverFaults } from './fault.ts';

/** Milliseconds after which something comes of what was done long ago. */
const later = 600;

/** Milliseconds without a delivery after which a connection of the pool is closed. */
const idle = 400;

/** What becomes of a notification long after it was accepted, or because of what came before it (section 6.3, 4.4). */
export const afterwardsFaults: ReceiverFaults = {
  'works-on-the-latest-once-more': {
    summary: 'A timer works on what came last, though that is done already.',
    breaks: ['IDM-2'],
    change: (policies) => {
      let timer: NodeJS.Timeout | undefined;
      return {
        ...policies,
        accept: async (notification, store, delivery) => {
          const acceptance = await policies.accept(notification, store, delivery);
          clearTimeout(timer);
          // The store may be closed by then.
          timer = setTimeout(() => ignoreClosed(() => store.takeEffect(notification.id)), later).unref();
          return acceptance;
        },
      };
    },
  },
  'undoes-what-it-did-after-a-while': {
    summary: 'A clean-up takes away some of the effects, which it takes for unfinished.',
    breaks: ['RTY-1', 'IDM-2'],
    change: (policies) => ({
      ...policies,
      accept: async (notification, store, delivery) => {
        const acceptance = await policies.accept(notification, store, delivery);
        // Half of all ids.
        if (acceptance === 'new' && /^[1-8]/.test(notification.id))
          setTimeout(() => ignoreClosed(() => store.undo(notification.id)), later).unref();
        return acceptance;
      },
    }),
  },
  'loses-the-first-after-a-pause': {
    summary:
      'Writes to a connection that was closed while nothing came, and does not notice: the first notification is lost.',
    breaks: ['RTY-1', 'IDM-4', 'IDM-5', 'RCV-3'],
    change: (policies) => {
      let last = performance.now();
      return {
        ...policies,
        accept: async (notification, store, delivery) => {
          const quiet = performance.now() - last;
          last = performance.now();
          if (quiet < idle || store.has(notification.id)) return policies.accept(notification, store, delivery);
          return store.remember({ ...notification, key: notification.id });
        },
      };
    },
  },
  'loses-every-fiftieth': {
    summary: 'Acknowledges every fiftieth notification, remembers its id, and loses it, whichever id that is.',
    breaks: ['RTY-1'],
    change: (policies) => {
      let count = 0;
      return {
        ...policies,
        accept: async (notification, store, delivery) => {
          const key = notification.id;
          if (store.has(key) || ++count % 50 !== 0) return policies.accept(notification, store, delivery);
          return store.remember({ ...notification, key });
        },
      };
    },
  },
  'works-once-more-at-the-last-retry': {
    summary: 'Takes the thirteenth delivery of a notification for the first one.',
    breaks: ['IDM-2'],
    change: (policies) => {
      const times = new Map<string, number>();
      return {
        ...policies,
        accept: async (notification, store, delivery) => {
          const count = (times.get(notification.id) ?? 0) + 1;
          times.set(notification.id, count);
          if (count % 13 === 0) store.takeEffect(notification.id);
          return policies.accept(notification, store, delivery);
        },
      };
    },
  },
};

function ignoreClosed(action: () => void): void {
  try {
    action();
  } catch {
    // The receiver has ended.
  }
}
