import { randomUUID } from 'node:crypto';

import { BodyError } from '../../receiver/body.ts';
import type { ReceiverFaults } from './fault.ts';
import type { ReceiverPolicies } from '../../receiver/policies.ts';
import type { NotificationStore } from '../../receiver/store.ts';

/** What a process notes for the next one, in the place of a notification. */
function noted(what: string) {
  return { key: what, id: what, event: undefined, body: Buffer.alloc(0) };
}

/** Milliseconds from the answer to the work. */
const workAfter = 150;

/** Milliseconds until it is ready. */
const warmUp = 600;

/** Takes connections before it is ready. @param change - what it does otherwise until then */
function warmingUp(
  policies: ReceiverPolicies,
  change: (isReady: () => boolean) => Partial<ReceiverPolicies>,
): ReceiverPolicies {
  let ready = Infinity;
  return {
    ...policies,
    ...change(() => performance.now() > ready),
    begin: (store) => {
      policies.begin(store);
      ready = performance.now() + warmUp;
    },
  };
}

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
    change: (policies) =>
      warmingUp(policies, (isReady) => ({
        accept: async (notification, store, delivery) => {
          if (isReady()) return policies.accept(notification, store, delivery);
          store.remember({ ...notification, key: notification.id });
          throw new BodyError(503, 'It is not ready yet.');
        },
      })),
  },
  'does-not-start-after-a-kill': {
    summary: 'Refuses to start as long as it is noted that it runs, which a killed process leaves behind.',
    breaks: ['RTY-1'],
    processControl: true,
    change: (policies) => {
      const running = noted('running');
      return {
        ...policies,
        begin: (store) => {
          if (store.remember(running) === 'duplicate') throw new Error('It runs already: there is a note of it.');
        },
        end: (store) => store.forget(running.key),
      };
    },
  },
  'drops-its-ids-when-it-ends-in-order': {
    summary: 'Cleans up when it is asked to end, and takes the ids that it knows for a cache: only a kill leaves them.',
    breaks: ['IDM-2'],
    processControl: true,
    change: (policies) => {
      const ended = (times: number) => ({
        key: `ended ${times}`,
        id: 'ended',
        event: undefined,
        body: Buffer.alloc(0),
      });
      let times = 0;
      return {
        ...policies,
        begin: (store) => {
          policies.begin(store);
          while (store.has(ended(times).key)) times += 1;
        },
        accept: (notification, store) => store.accept({ ...notification, key: `${notification.id} ${times}` }),
        end: (store) => {
          policies.end(store);
          store.remember(ended(times));
        },
      };
    },
  },
  'reads-its-ids-a-moment-after-the-start': {
    summary:
      'Takes connections before it has read the ids of an earlier process, and takes what is known for new until then.',
    breaks: ['IDM-2'],
    processControl: true,
    change: (policies) => {
      const process = randomUUID();
      return warmingUp(policies, (isReady) => ({
        accept: (notification, store) => {
          const unread = isReady() ? '' : ` ${process}`;
          return store.accept({ ...notification, key: notification.id + unread });
        },
      }));
    },
  },
  'reads-its-secret-a-moment-after-the-start': {
    summary: 'Takes connections before it has read its secret, and verifies nothing until then.',
    breaks: ['VRF-2'],
    processControl: true,
    change: (policies) =>
      warmingUp(policies, (isReady) => ({ verify: (delivery) => !isReady() || policies.verify(delivery) })),
  },
  'keeps-the-lock-of-a-killed-worker': {
    summary:
      'Locks its queue in the database while it runs; after a kill the lock stays, and nothing is worked on any more.',
    breaks: ['RTY-1'],
    processControl: true,
    change: (policies) => {
      let isLocked = false;
      return {
        ...policies,
        begin: (store) => {
          policies.begin(store);
          isLocked = store.remember(noted('lock of the queue')) === 'duplicate';
        },
        end: (store) => {
          if (!isLocked) store.forget(noted('lock of the queue').key);
          policies.end(store);
        },
        work: (store, limit) => (isLocked ? 0 : policies.work(store, limit)),
      };
    },
  },
  'acknowledges-what-it-drops-while-it-starts': {
    summary: 'Takes connections before it has opened its queue after a restart, and drops what it accepts until then.',
    breaks: ['RTY-1', 'RCV-3', 'IDM-5'],
    processControl: true,
    change: (policies) => {
      let isFirst = true;
      const warming = warmingUp(policies, (isReady) => ({
        accept: async (...given) => (isFirst || isReady() ? policies.accept(...given) : 'new'),
      }));
      return {
        ...warming,
        begin: (store) => {
          warming.begin(store);
          isFirst = store.remember(noted('started')) === 'new';
        },
      };
    },
  },
  'forgets-the-ids-of-what-it-takes-up': {
    summary:
      'Works off its queue a moment later; a new process does at its start what was left of it, and knows the ids of what was done before.',
    breaks: ['IDM-2'],
    processControl: true,
    change: (policies) => {
      let takenUp = new Set<string>();
      return {
        ...policies,
        begin: (store) => {
          takenUp = new Set(store.takePending());
          for (const id of takenUp) store.takeEffect(id);
        },
        accept: (notification, store) => {
          const again = takenUp.delete(notification.id) ? ' again' : '';
          return store.accept({ ...notification, key: notification.id + again });
        },
        work: (...queue) => {
          setTimeout(() => policies.work(...queue), workAfter).unref();
          return 0;
        },
      };
    },
  },
  'numbers-its-queue-anew-after-a-start': {
    summary:
      'Keeps each piece of work under a number that begins anew with each process: what comes after a start overwrites what waits.',
    breaks: ['RCV-3', 'RTY-1'],
    processControl: true,
    change: (policies) => {
      let [process, numbers] = [0, 0];
      const place = (id: string, number: number, of: number) => noted(`${id} is number ${number} of process ${of}`);
      const isOverwritten = (store: NotificationStore, id: string) =>
        Array.from({ length: numbers }, (_, number) => place(id, number, process - 1)).some(({ key }) =>
          store.has(key),
        );
      const workOff = (store: NotificationStore) => {
        for (const id of store.takePending()) if (!isOverwritten(store, id)) store.takeEffect(id);
      };
      return {
        ...policies,
        begin: (store) => {
          policies.begin(store);
          while (store.remember(noted(`process ${process}`)) === 'duplicate') process += 1;
        },
        accept: async (notification, store, delivery) => {
          const acceptance = await policies.accept(notification, store, delivery);
          if (acceptance === 'new') store.remember(place(notification.id, numbers++, process));
          return acceptance;
        },
        work: (store) => {
          setTimeout(() => workOff(store), 6 * workAfter).unref();
          return 0;
        },
      };
    },
  },
  'reads-its-queue-line-by-line': {
    summary:
      'Keeps its queue in a file, a body in each line: after a start it finds none of which a line end was a part.',
    breaks: ['RCV-3', 'RTY-1', 'IDM-5'],
    processControl: true,
    change: (policies) => lostAtTheStart(policies, (body) => body.includes('\n')),
  },
  'reads-no-long-line-of-its-queue': {
    summary: 'Keeps its queue in a file, a body in each line, and reads none of 64 KiB or more after a start.',
    breaks: ['RCV-3', 'RTY-1', 'IDM-5'],
    processControl: true,
    change: (policies) => lostAtTheStart(policies, (body) => body.length >= 64 * 1024),
  },
};

/** Some bodies are worked on by the process that took them, or never. */
function lostAtTheStart(policies: ReceiverPolicies, which: (body: Buffer) => boolean): ReceiverPolicies {
  return {
    ...policies,
    accept: async (notification, store, delivery) => {
      if (!which(notification.body)) return policies.accept(notification, store, delivery);
      const acceptance = store.remember({ ...notification, key: notification.id });
      if (acceptance === 'new') setTimeout(() => store.takeEffect(notification.id), workAfter).unref();
      return acceptance;
    },
  };
}
