import { member } from '../../receiver/notification.ts';
import type { ReceiverPolicies } from '../../receiver/policies.ts';
import type { Notification } from '../../receiver/records.ts';
import type { ReceiverFaults } from './fault.ts';

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

function included({ value }: Notification): readonly unknown[] {
  const resources = member(value, 'included');
  return Array.isArray(resources) ? resources : [];
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
    breaks: ['RCV-2'],
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
};
