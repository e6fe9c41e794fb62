import type { ReceiverFaults } from '../fault.ts';
import { subtleRedeliveryFaults } from './redelivery.ts';
import { spelledId } from '../redelivery.ts';
import { type Notification, readNotification } from '../../../receiver/records.ts';
import type { ReceiverPolicies } from '../../../receiver/policies.ts';

const kibibyte = 1024;

/** Bytes up to which a body is kept beside its id. */
const inline = 64 * kibibyte;

/** Bytes of a body that are looked at to find the id. */
const beginning = 16 * kibibyte;

/** A body that is unusual in two ways at once, or that is no JSON (RCV-2, VRF-1, IDM-2). */
const subtleContentFaults: ReceiverFaults = {
  'fails-on-a-large-body-with-text-outside-the-bmp': {
    summary: 'Keeps bodies over 64 KiB in a table of their own, which holds no character beyond U+FFFF.',
    breaks: ['RCV-2'],
    change: (policies) => ({
      ...policies,
      accept: async (notification, store, delivery) => {
        if (delivery.body.length > inline && hasOutsideBmp(notification)) throw new Error('Incorrect string value');
        return policies.accept(notification, store, delivery);
      },
    }),
  },
  'looks-for-the-id-in-the-first-16-kib': {
    summary: 'Reads the first 16 KiB to find the id, and finds none where a long `included` stands before `data`.',
    breaks: ['RCV-2', 'VRF-1'],
    change: (policies) => ({
      ...policies,
      read: (body) => {
        const notification = policies.read(body);
        return notification !== undefined && beginsLate(body, notification) ? undefined : notification;
      },
    }),
  },
  'forgets-an-id-of-which-a-malformed-copy-came': {
    summary: 'Forgets the id that stands in a body that is no JSON, as if its notification had failed.',
    breaks: ['IDM-2', 'IDM-3'],
    change: (policies) => {
      const times = new Map<string, number>();
      return {
        ...policies,
        read: (body) => {
          const notification = policies.read(body);
          const id = notification === undefined ? spelledId(body.toString('latin1')) : undefined;
          if (id !== undefined && times.has(id)) times.set(id, times.get(id)! + 1);
          return notification;
        },
        accept: (notification, store) => {
          const { id } = notification;
          const before = times.get(id) ?? 0;
          times.set(id, before);
          return store.accept({ ...notification, key: `${id} ${before}` });
        },
      };
    },
  },
};

/** Milliseconds for which an id that is under suspicion is kept. */
const suspiciousTime = 30;

/** A forged copy is refused as it should be, and leaves something behind (IDM-2, IDM-5, VRF-2). */
const subtleForgeryFaults: ReceiverFaults = {
  'forgets-an-id-that-came-forged-first': {
    summary: 'Does not remember ids of which a forged copy came before the genuine one.',
    breaks: ['IDM-2', 'IDM-3', 'VRF-2'],
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

/** Characters of an id that an index holds. */
const indexed = 8;

/** One notification is taken for another, where they are close in some way (IDM-4). */
const subtleIdentityFaults: ReceiverFaults = {
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

/** What takes several deliveries in a certain order to be seen, or an unusual one: a search finds it. */
export const subtleFaults: ReceiverFaults = Object.fromEntries(
  Object.entries({
    ...subtleRedeliveryFaults,
    ...subtleIdentityFaults,
    ...subtleForgeryFaults,
    ...subtleContentFaults,
  }).map(([name, fault]) => [name, { ...fault, subtle: true }]),
);

function hasOutsideBmp({ value }: Notification): boolean {
  return /[\u{10000}-\u{10ffff}]/u.test(JSON.stringify(value));
}

/** Whether what is before `data` is longer than what is looked at. */
function beginsLate(body: Buffer, { value }: Notification): boolean {
  const names = Object.keys(value as object);
  return body.length > beginning && names.indexOf('included') >= 0 && names.indexOf('included') < names.indexOf('data');
}

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
