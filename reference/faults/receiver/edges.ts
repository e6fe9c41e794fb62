import { setTimeout as delay } from 'node:timers/promises';

import { member, type Notification } from '../../receiver/records.ts';
import type { ReceiverPolicies } from '../../receiver/policies.ts';
import type { ReceiverFaults } from './fault.ts';

/** Fails on the notifications of which something holds, before it stores them. */
function failingOn(policies: ReceiverPolicies, which: (notification: Notification) => boolean): ReceiverPolicies {
  return {
    ...policies,
    accept: async (notification, ...rest) => {
      if (which(notification)) throw new RangeError('Invalid value');
      return policies.accept(notification, ...rest);
    },
  };
}

/** Fails where the time of creation matches. */
function failingAt(policies: ReceiverPolicies, time: RegExp): ReceiverPolicies {
  return failingOn(policies, ({ value }) => time.test(String(attribute(value, 'created_at'))));
}

function attribute(value: unknown, name: string): unknown {
  return member(member(member(value, 'data'), 'attributes'), name);
}

function anyName(value: unknown, test: (name: string) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const isObject = !Array.isArray(value);
  return Object.entries(value).some(([name, inner]) => (isObject && test(name)) || anyName(inner, test));
}

const kibibyte = 1024;

/** Acknowledges the notifications of which something holds, and keeps none of them. */
function dropping(policies: ReceiverPolicies, which: (notification: Notification) => boolean): ReceiverPolicies {
  return {
    ...policies,
    accept: async (notification, ...rest) => (which(notification) ? 'new' : policies.accept(notification, ...rest)),
  };
}

/** Values on an edge, and names at other places than the usual ones (RCV-2, RCV-6, IDM-4). */
export const edgeFaults: ReceiverFaults = {
  'drops-bodies-above-100-kib': {
    summary: 'Acknowledges a body of more than 100 KiB, for which its queue has no room, and drops it.',
    breaks: ['RCV-2'],
    change: (policies) => dropping(policies, ({ value }) => JSON.stringify(value).length > 100 * kibibyte),
  },
  'knows-no-29th-of-february': {
    summary: 'Counts 28 days for February, and fails on the 29th.',
    breaks: ['RCV-2'],
    change: (policies) => failingAt(policies, /-02-29T/),
  },
  'rounds-the-last-second-up-to-24': {
    summary: 'Rounds times to minutes, and makes 24:00 of the last second of a day.',
    breaks: ['RCV-2'],
    change: (policies) => failingAt(policies, /T23:59:59/),
  },
  'takes-second-0-for-no-time': {
    summary: 'Turns the time of creation into seconds, and takes 0 of them for a missing time.',
    breaks: ['RCV-2'],
    change: (policies) => failingAt(policies, /^1970-01-01T00:00:00Z$/),
  },
  'keeps-seconds-in-32-bits': {
    summary: 'Keeps times as seconds in 32 bits, which end early in 2038.',
    breaks: ['RCV-2'],
    change: (policies) => failingAt(policies, /^20(?:38-01-19T03:14:08|39|[4-9]\d)/),
  },
  'keeps-times-in-local-time': {
    summary:
      'Keeps times in the local time of Chicago without its offset, and fails in the hour that is left out in spring.',
    breaks: ['RCV-2'],
    change: (policies) => failingAt(policies, /-03-(0[89]|1[0-4])T02:/),
  },
  'keeps-a-text-of-64-kib-less-a-byte': {
    summary: 'Keeps the body in a column of 65,535 bytes.',
    breaks: ['RCV-2'],
    change: (policies) =>
      failingOn(policies, ({ body }) => body.length > 64 * kibibyte - 1 && body.length <= 64 * kibibyte),
  },
  'keeps-escapes-in-64-kib': {
    summary: 'Writes the body with every character beyond ASCII as an escape, and has 64 KiB for that.',
    breaks: ['RCV-2'],
    change: (policies) =>
      failingOn(policies, ({ body, value }) => {
        const beyond = JSON.stringify(value).match(/[\u0080-\uffff]/g)?.length ?? 0;
        return body.length <= 64 * kibibyte && beyond * 6 > 64 * kibibyte;
      }),
  },
  'stores-no-names-with-dots-or-dollars': {
    summary: 'Stores the body in a database that keeps dots and dollars in names for itself.',
    breaks: ['RCV-6'],
    change: (policies) => failingOn(policies, ({ value }) => anyName(value, (name) => /^\$|\./.test(name))),
  },
  'stores-no-empty-names': {
    summary: 'Stores each member of the attributes under its name, and fails on an empty one.',
    breaks: ['RCV-6'],
    change: (policies) =>
      failingOn(policies, ({ value }) => Object.hasOwn(Object(member(member(value, 'data'), 'attributes')), '')),
  },
  'asks-the-body-for-its-own-members': {
    summary: 'Calls hasOwnProperty of an object of the body, which a member of that name replaces.',
    breaks: ['RCV-6'],
    change: (policies) => failingOn(policies, ({ value }) => anyName(value, (name) => name === 'hasOwnProperty')),
  },
  'finds-handlers-in-a-plain-object': {
    summary: 'Looks the handler of an event up in an object, and calls what that inherits.',
    breaks: ['RCV-6'],
    change: (policies) => failingOn(policies, ({ event }) => event !== undefined && event in {}),
  },
  'matches-events-with-a-slow-pattern': {
    summary: 'Tests the event with a pattern whose time doubles with every letter of a name that it does not fit.',
    breaks: ['RCV-6'],
    timeout: 400,
    change: (policies) => ({
      ...policies,
      accept: async (notification, ...rest) => {
        const { event = '' } = notification;
        const [run = ''] = /[a-z]*$/.exec(event.slice(0, -1)) ?? [];
        if (/[^a-z]$/.test(event)) await delay(Math.min(1000, 2 ** (run.length - 20)));
        return policies.accept(notification, ...rest);
      },
    }),
  },
  'finds-the-id-by-its-name': {
    summary: 'Deduplicates by the first id that stands in the text of the body.',
    breaks: ['IDM-4', 'RCV-6', 'IDM-2'],
    change: (policies) => ({
      ...policies,
      accept: (notification, store) =>
        store.accept({
          ...notification,
          key: /"id"\s*:\s*"([^"]+)"/.exec(notification.body.toString())?.[1] ?? notification.id,
        }),
    }),
  },
  'finds-the-event-at-any-depth': {
    summary: 'Takes the first member called event, wherever it stands, and drops events that it does not know.',
    breaks: ['RCV-6'],
    change: (policies) => ({
      ...policies,
      accept: async (notification, ...rest) => {
        const [, first = ''] = /"event":"([^"]*)"/.exec(JSON.stringify(notification.value)) ?? [];
        return first === notification.event ? policies.accept(notification, ...rest) : 'duplicate';
      },
    }),
  },
  'finds-the-last-id-of-a-body': {
    summary: 'Walks through the body, and keeps the last id that it finds in a member called data.',
    breaks: ['IDM-4', 'RCV-6', 'IDM-2'],
    change: (policies) => ({
      ...policies,
      accept: (notification, store) => {
        const all = [...notification.body.toString().matchAll(/"data":\{"id":"([^"]+)"/g)];
        return store.accept({ ...notification, key: all.at(-1)?.[1] ?? notification.id });
      },
    }),
  },
  'reads-one-of-two-ids-and-works-with-the-other': {
    summary: 'Deduplicates by the first id in the data, and works with the last.',
    breaks: ['IDM-2'],
    change: (policies) => ({
      ...policies,
      accept: (notification, store) => {
        const { body, id } = notification;
        const [, first = id] = /^\{"data":\{"id":"([^"]+)"/.exec(body.toString()) ?? [];
        return store.accept({ ...notification, key: first });
      },
    }),
  },
  'fails-on-a-number-beyond-64-bits': {
    summary: 'Parses every number into a column of 64 bits.',
    breaks: ['RCV-6'],
    change: (policies) => failingOn(policies, ({ body }) => /[:,[]-?\d{20,}/.test(body.toString())),
  },
  'drops-one-event-without-related-resources': {
    summary: 'Loops over the related resources of an extracted document, and does nothing where there are none.',
    breaks: ['RCV-2'],
    change: (policies) =>
      dropping(
        policies,
        ({ event, value }) => event === 'document.extracted' && !JSON.stringify(value).includes('"included":[{'),
      ),
  },
  'fails-on-what-is-minutes-old': {
    summary:
      'Fails where the time of creation lies more than five minutes back; what is older than a day is an import to it.',
    breaks: ['RCV-2', 'ROB-1'],
    change: (policies) =>
      failingOn(policies, ({ value }) => {
        const age = Date.now() - Date.parse(String(attribute(value, 'created_at')));
        return age > 5 * 60_000 && age < 24 * 3_600_000;
      }),
  },
};
