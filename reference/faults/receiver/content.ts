import { member, type Notification, type Reply } from '../../receiver/records.ts';
import type { ReceiverPolicies } from '../../receiver/policies.ts';
import { catalogue } from '../catalogue.ts';
import type { ReceiverFaults } from './fault.ts';

/** Refuses (and does not store) the notifications of which something holds. */
function refusing(
  policies: ReceiverPolicies,
  which: (notification: Notification) => boolean,
  reply: Reply = { status: 422, body: 'refused' },
): ReceiverPolicies {
  const refused = new WeakSet<Notification>();
  return {
    ...policies,
    accept: async (notification, ...rest) => {
      if (!which(notification)) return policies.accept(notification, ...rest);
      refused.add(notification);
      return 'duplicate';
    },
    answer: (outcome, delivery, notification) =>
      notification !== undefined && refused.has(notification)
        ? reply
        : policies.answer(outcome, delivery, notification),
  };
}

const failed: Reply = { status: 500, body: 'failed' };

function attribute({ value }: Notification, name: string): unknown {
  return member(member(member(value, 'data'), 'attributes'), name);
}

function included({ value }: Notification): readonly unknown[] {
  const resources = member(value, 'included');
  return Array.isArray(resources) ? resources : [];
}

/** True where the object has other members than these. */
function hasOthers(value: unknown, known: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).some((name) => !known.includes(name));
}

function hasUnknownMembers({ value }: Notification): boolean {
  const data = member(value, 'data');
  return (
    hasOthers(value, ['data', 'included']) ||
    hasOthers(data, ['id', 'type', 'attributes', 'relationships']) ||
    hasOthers(member(data, 'attributes'), ['event', 'delivery_status', 'created_at'])
  );
}

/** Genuine deliveries are refused for what they say (RCV-1, RCV-2, RCV-6). */
export const contentFaults: ReceiverFaults = {
  'answers-206-to-one-event': {
    summary: 'Takes container.updated and answers it with 206.',
    breaks: ['RCV-1'],
    change: (policies) => ({
      ...policies,
      answer: (outcome, delivery, notification) =>
        notification?.event === 'container.updated'
          ? { status: 206, body: 'partly' }
          : policies.answer(outcome, delivery, notification),
    }),
  },
  'refuses-one-event': {
    summary: 'Answers 422 to document.extraction_failed, for which it has no handler.',
    breaks: ['RCV-1'],
    change: (policies) => refusing(policies, ({ event }) => event === 'document.extraction_failed'),
  },
  'fails-on-events-of-failure': {
    summary: 'Answers 500 to every event whose name ends in failed.',
    breaks: ['RCV-1'],
    change: (policies) => refusing(policies, ({ event }) => event?.endsWith('failed') ?? false, failed),
  },
  'answers-500-to-an-unknown-event': {
    summary: 'Fails on an event that it does not know.',
    breaks: ['RCV-6'],
    change: (policies) => refusing(policies, ({ event }) => !catalogue.has(event ?? ''), failed),
  },
  'refuses-unknown-members': {
    summary: 'Validates against a schema that allows no member but those of today.',
    breaks: ['RCV-6'],
    change: (policies) => refusing(policies, hasUnknownMembers),
  },
  'refuses-fractions-of-a-second': {
    summary: 'Parses the timestamp with a pattern that ends at whole seconds.',
    breaks: ['RCV-2'],
    change: (policies) =>
      refusing(policies, (notification) => /\.\d/.test(String(attribute(notification, 'created_at')))),
  },
  'refuses-a-delivery-status': {
    summary: 'Takes a notification whose delivery_status is failed for one that is over, and refuses it.',
    breaks: ['RCV-2'],
    change: (policies) => refusing(policies, (notification) => attribute(notification, 'delivery_status') === 'failed'),
  },
  'fails-on-an-empty-included': {
    summary: 'Reads the first included resource without looking whether there is one.',
    breaks: ['RCV-2', 'RCV-1'],
    change: (policies) => refusing(policies, (notification) => included(notification).length === 0, failed),
  },
  'needs-a-resource-for-pickup-dates': {
    summary: 'Reads the first related resource of a changed pickup date, and fails where there is none.',
    breaks: ['RCV-2'],
    change: (policies) =>
      refusing(
        policies,
        (notification) =>
          notification.event?.startsWith('container.pickup_') === true && included(notification).length === 0,
        failed,
      ),
  },
  'limits-included-to-ten': {
    summary: 'Refuses a notification with more than ten included resources.',
    breaks: ['RCV-2'],
    change: (policies) => refusing(policies, (notification) => included(notification).length > 10),
  },
  'has-room-for-one-related-resource': {
    summary: 'Keeps the related resource in a column of its own, and refuses a notification with more than one.',
    breaks: ['RCV-2', 'RCV-6'],
    change: (policies) => refusing(policies, (notification) => included(notification).length > 1),
  },
  'fails-on-text-outside-the-bmp': {
    summary: 'Stores text in a column that holds no character beyond U+FFFF.',
    breaks: ['RCV-2', 'RCV-6'],
    change: (policies) =>
      refusing(policies, ({ value }) => /[\u{10000}-\u{10ffff}]/u.test(JSON.stringify(value)), failed),
  },
  'refuses-uuids-of-another-version': {
    summary: 'Checks ids with a pattern for uuids of version 4.',
    breaks: ['RCV-2'],
    change: (policies) => refusing(policies, ({ id }) => id[14] !== '4'),
  },
  'fails-on-a-line-separator': {
    summary: 'Pastes the body into a script, in which U+2028 ends a line.',
    breaks: ['RCV-2'],
    change: (policies) => refusing(policies, ({ value }) => JSON.stringify(value).includes('\u2028'), failed),
  },
  'stands-behind-a-filter': {
    summary: 'Stands behind a filter that refuses bodies with what looks like a script, a statement or a path upward.',
    breaks: ['RCV-2', 'RCV-6'],
    change: (policies) =>
      refusing(policies, ({ body }) => /<script|' or '|union select|\.\.\//i.test(body.toString()), {
        status: 403,
        body: 'blocked',
      }),
  },
};

/** Fails on the notifications with a related resource of which something holds. */
function failingOn(
  policies: ReceiverPolicies,
  which: (resource: unknown, all: readonly unknown[]) => boolean,
): ReceiverPolicies {
  return {
    ...policies,
    accept: async (notification, ...rest) => {
      const all = included(notification);
      if (all.some((resource) => which(resource, all))) throw new TypeError('Cannot read properties of null');
      return policies.accept(notification, ...rest);
    },
  };
}

/** Goes on accepting, and does no more work, from a notification on of which something holds. */
function endingAt(policies: ReceiverPolicies, which: (notification: Notification) => boolean): ReceiverPolicies {
  let hasEnded = false;
  return {
    ...policies,
    accept: (notification, ...rest) => {
      hasEnded ||= which(notification);
      return policies.accept(notification, ...rest);
    },
    work: (...queue) => (hasEnded ? 0 : policies.work(...queue)),
  };
}

function valuesOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

const known = [
  'shipment',
  'container',
  'transport_event',
  'location',
  'port',
  'terminal',
  'vessel',
  'document',
  'tracking_request',
];

/** Kinds of resource that a service of this kind is known to send beside them. */
const alsoKnown = [
  'estimated_event',
  'container_updated_event',
  'metro_area',
  'rail_terminal',
  'party',
  'raw_event',
  'user',
];

/** Related resources are taken to be what they were when the receiver was written (RCV-2). */
export const relatedFaults: ReceiverFaults = {
  'reads-attributes-without-looking': {
    summary: 'Reads the attributes of each related resource, and fails where it has none.',
    breaks: ['RCV-2'],
    change: (policies) =>
      failingOn(policies, (resource) => typeof (member(resource, 'attributes') ?? undefined) !== 'object'),
  },
  'ends-its-work-at-a-null': {
    summary: 'Works in a thread that ends where an attribute of a related resource is null, and answers as before.',
    breaks: ['RTY-1'],
    change: (policies) =>
      endingAt(policies, (notification) =>
        included(notification).some((resource) => valuesOf(member(resource, 'attributes')).includes(null)),
      ),
  },
  'follows-relationships-without-looking': {
    summary: 'Reads the id behind each relationship, and fails where its data is null.',
    breaks: ['RCV-2'],
    change: (policies) =>
      failingOn(policies, (resource) =>
        valuesOf(member(resource, 'relationships')).some((relationship) => member(relationship, 'data') === null),
      ),
  },
  'fails-where-every-attribute-is-null': {
    summary: 'Picks the first attribute that has a value, and fails where none has.',
    breaks: ['RCV-2'],
    change: (policies) =>
      failingOn(policies, (resource) => {
        const values = valuesOf(member(resource, 'attributes'));
        return values.length > 0 && values.every((value) => value === null);
      }),
  },
  'has-a-table-for-each-kind-of-resource': {
    summary: 'Fails on related resources of a type that it has no table for.',
    breaks: ['RCV-2', 'RCV-6'],
    change: (policies) => {
      const tables = new Set<unknown>([...known, ...alsoKnown]);
      return failingOn(policies, (resource) => !tables.has(member(resource, 'type')));
    },
  },
  'stores-a-resource-once': {
    summary: 'Fails on the uniqueness of its key where a related resource stands twice in a body.',
    breaks: ['RCV-2'],
    change: (policies) =>
      failingOn(policies, (resource, all) => {
        const id = member(resource, 'id');
        return id !== undefined && all.filter((other) => member(other, 'id') === id).length > 1;
      }),
  },
  'takes-links-for-texts': {
    summary: 'Reads each link of a related resource as a text, and fails on an object.',
    breaks: ['RCV-2'],
    change: (policies) =>
      failingOn(policies, (resource) => valuesOf(member(resource, 'links')).some((link) => typeof link === 'object')),
  },
  'ends-its-work-at-an-event-that-is-no-text': {
    summary: 'Works in a thread that ends where the event is no text, and answers as before.',
    breaks: ['ROB-1'],
    change: (policies) => endingAt(policies, ({ event }) => event === undefined),
  },
  'inserts-related-resources-a-second-time': {
    summary: 'Inserts each related resource, whose id must be unique, and fails where another notification had it.',
    breaks: ['RCV-1', 'IDM-4'],
    change: (policies) => {
      const owners = new Map<string, string>();
      return refusing(
        policies,
        (notification) => {
          const ids = included(notification).map((resource) => String(member(resource, 'id')));
          const isKnown = ids.some((id) => (owners.get(id) ?? notification.id) !== notification.id);
          if (!isKnown) for (const id of ids) owners.set(id, notification.id);
          return isKnown;
        },
        failed,
      );
    },
  },
  'writes-texts-into-its-statements': {
    summary: 'Writes the body into a statement as text, and acknowledges what an apostrophe made a wrong statement of.',
    breaks: ['RCV-2', 'RCV-6'],
    change: (policies) => ({
      ...policies,
      accept: async (notification, store, delivery) =>
        delivery.body.includes("'") ? 'new' : policies.accept(notification, store, delivery),
    }),
  },
};
