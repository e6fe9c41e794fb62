import { setTimeout as delay } from 'node:timers/promises';
import type { IncomingMessage } from 'node:http';

import { BodyError } from '../../receiver/body.ts';
import { readNotification } from '../../receiver/records.ts';
import type { ReceiverPolicies } from '../../receiver/policies.ts';
import type { ReceiverFaults } from './fault.ts';

/** Milliseconds in which a body arrives that is not slow. */
const inTime = 15;

/** Takes the ids in the set for notifications that it has accepted already. */
function knowing(policies: ReceiverPolicies, ids: ReadonlySet<string>): ReceiverPolicies {
  return {
    ...policies,
    accept: async (notification, ...rest) =>
      ids.has(notification.id) ? 'duplicate' : policies.accept(notification, ...rest),
  };
}

/** A delivery that failed leaves something behind, so that the next one is lost or refused (IDM-5, RTY-1, VRF-2). */
export const redeliveryFaults: ReceiverFaults = {
  'marks-before-it-verifies': {
    summary: 'Remembers the id of a forged delivery, and drops the genuine one as a duplicate.',
    breaks: ['VRF-2', 'IDM-5'],
    change: (policies) => {
      const marked = new Set<string>();
      return {
        ...knowing(policies, marked),
        verify: (delivery) => {
          const genuine = policies.verify(delivery);
          if (!genuine) marked.add(readNotification(delivery.body)?.id ?? '');
          return genuine;
        },
      };
    },
  },
  'marks-before-the-body-has-arrived': {
    summary: 'Remembers the id as soon as it has been read, and drops the redelivery of a body that broke off.',
    breaks: ['IDM-5', 'RTY-1'],
    change: (policies) => {
      const marked = new Set<string>();
      return {
        ...knowing(policies, marked),
        collect: (head) => collectWatching(policies, head, (id) => marked.add(id)),
      };
    },
  },
  'drops-the-work-of-a-broken-connection': {
    summary: 'Remembers the id, then gives up the work because the sender is gone.',
    breaks: ['RTY-1', 'IDM-5'],
    change: (policies) => {
      const marked = new Set<string>();
      return {
        ...policies,
        accept: async (notification, store, delivery) => {
          if (marked.has(notification.id)) return 'duplicate';
          marked.add(notification.id);
          await delay(60);
          if (delivery.head.socket.destroyed) return 'new';
          return policies.accept(notification, store, delivery);
        },
      };
    },
  },
  'keeps-the-lock-of-a-broken-delivery': {
    summary: 'Locks an id while its body arrives, and never unlocks it where the connection breaks.',
    breaks: ['RTY-1', 'IDM-5'],
    change: (policies) => {
      const locked = new Set<string>();
      return {
        ...policies,
        collect: (head) => collectWatching(policies, head, (id) => locked.add(id)),
        accept: async (notification, ...rest) => {
          if (locked.has(notification.id)) throw new BodyError(423, `The notification ${notification.id} is locked.`);
          return policies.accept(notification, ...rest);
        },
      };
    },
  },
  'forgets-an-id-that-a-forgery-names': {
    summary: 'Undoes what it knows of an id where the signature turns out to be wrong.',
    breaks: ['VRF-2'],
    change: (policies) => {
      const undone = new Map<string, number>();
      return {
        ...policies,
        verify: (delivery) => {
          const right = policies.verify(delivery);
          const id = right ? undefined : readNotification(delivery.body)?.id;
          if (id !== undefined) undone.set(id, (undone.get(id) ?? 0) + 1);
          return right;
        },
        accept: (notification, store) =>
          store.accept({ ...notification, key: `${notification.id} ${undone.get(notification.id) ?? 0}` }),
      };
    },
  },
  'works-twice-on-a-slow-body': {
    summary: 'Begins its work when a body has not arrived in time, and once more when it has.',
    breaks: ['IDM-2'],
    change: (policies) => {
      const slow = new WeakSet<object>();
      return {
        ...policies,
        collect: async (head) => {
          const from = performance.now();
          const body = await policies.collect(head);
          if (performance.now() - from > inTime) slow.add(head);
          return body;
        },
        accept: async (notification, store, delivery) => {
          const acceptance = await policies.accept(notification, store, delivery);
          if (acceptance === 'new' && slow.has(delivery.head)) store.takeEffect(notification.id);
          return acceptance;
        },
      };
    },
  },
  'refuses-what-it-archived': {
    summary: 'Moves ids to an archive after a second, and answers 410 to a delivery whose id is there.',
    breaks: ['IDM-1'],
    change: (policies) => {
      const first = new Map<string, number>();
      return {
        ...policies,
        answer: (outcome, delivery, notification) => {
          const id = notification?.id ?? '';
          const since = first.get(id) ?? performance.now();
          first.set(id, since);
          if (outcome === 'duplicate' && performance.now() - since > 1000) return { status: 410, body: 'archived' };
          return policies.answer(outcome, delivery, notification);
        },
      };
    },
  },
  'never-answers-the-fifth-copy': {
    summary: 'Leaves the fourth redelivery of an id without an answer, as where a lock of it was never opened.',
    breaks: ['IDM-1', 'RCV-4', 'RTY-1'],
    timeout: 500,
    change: (policies) => {
      const copies = new Map<string, number>();
      return {
        ...policies,
        accept: async (notification, ...rest) => {
          const copy = (copies.get(notification.id) ?? 0) + 1;
          copies.set(notification.id, copy);
          if (copy === 5) await new Promise(() => {});
          return policies.accept(notification, ...rest);
        },
      };
    },
  },
  'takes-effect-twice-after-a-lost-answer': {
    summary: 'Forgets the id of a delivery whose sender did not wait for the answer, after it took effect.',
    breaks: ['IDM-2'],
    change: (policies) => {
      const forgotten = new Map<string, number>();
      return {
        ...policies,
        accept: async (notification, store, { head }) => {
          const times = forgotten.get(notification.id) ?? 0;
          const acceptance = await store.accept({ ...notification, key: `${notification.id} ${times}` });
          await delay(60);
          if (head.socket.destroyed) forgotten.set(notification.id, times + 1);
          return acceptance;
        },
      };
    },
  },
  'refuses-an-id-that-came-forged': {
    summary: 'Keeps the verdict of an id, and refuses the genuine delivery of one that came forged.',
    breaks: ['VRF-2', 'IDM-5'],
    change: (policies) => {
      const forged = new Set<string>();
      const known = new Set<string>();
      return {
        ...policies,
        verify: (delivery) => {
          const id = readNotification(delivery.body)?.id ?? '';
          const genuine = policies.verify(delivery);
          if (!known.has(id)) (genuine ? known : forged).add(id);
          return genuine && !forged.has(id);
        },
      };
    },
  },
  'takes-a-marked-redelivery-for-done': {
    summary: 'Acknowledges what is marked as a redelivery without a look whether the first delivery was accepted.',
    breaks: ['IDM-5', 'RTY-1'],
    setting: 'marked-redeliveries',
    change: (policies) => ({
      ...policies,
      accept: async (notification, store, delivery) =>
        delivery.head.headers['x-retry-number'] === undefined
          ? policies.accept(notification, store, delivery)
          : 'duplicate',
    }),
  },
};

/** Reads the body and, where its connection breaks, hands over the id if that had arrived. */
export async function collectWatching(
  policies: ReceiverPolicies,
  head: IncomingMessage,
  onBreak: (id: string) => void,
): Promise<Buffer> {
  let begun = '';
  const watch = (chunk: Buffer) => {
    if (begun.length < 4096) begun += chunk.toString('latin1');
  };
  head.on('data', watch);
  try {
    return await policies.collect(head);
  } catch (error) {
    const id = spelledId(begun);
    if (error instanceof BodyError && error.statusCode === 400 && id !== undefined) onBreak(id);
    throw error;
  }
}

/** The first id that stands in a text, which may be no JSON, or only the beginning of it. */
export function spelledId(text: string): string | undefined {
  return /["']id["']\s*:\s*["']([^"']+)["']/.exec(text)?.[1];
}
