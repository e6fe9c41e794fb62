import { setTimeout as delay } from 'node:timers/promises';

import { member } from '../../service/reply.ts';
import type { ServiceFaults } from './fault.ts';

/** From a number to its records (SVC-1, TRQ-1 to TRQ-6, INF-1). */
export const trackingFaults: ServiceFaults = {
  'tracks-without-records': {
    summary: 'Reports that a number was found, and stores no records of it.',
    breaks: ['SVC-1', 'TRQ-6', 'TRQ-5', 'LST-3', 'LST-4', 'LST-5'],
    change: (policies) => ({ ...policies, takeStep: ({ announce }) => announce() }),
  },
  'tells-before-it-stores': {
    summary: 'Sends the news of a number before its records can be read.',
    breaks: ['TRQ-6'],
    change: (policies) => ({
      ...policies,
      takeStep: async ({ store, announce }) => {
        await announce();
        await delay(250);
        await store();
      },
    }),
  },
  'tells-of-nothing-before-it-stores': {
    summary: 'Does the same, and its notifications bring no related resources along.',
    breaks: ['TRQ-6'],
    change: (policies) => ({
      ...policies,
      notificationBody: (head, _, timestamp) => policies.notificationBody(head, [], timestamp),
      takeStep: async ({ store, announce }) => {
        await announce();
        await delay(250);
        await store();
      },
    }),
  },
  'wants-no-wrapper-around-a-request': {
    summary: 'Takes tracking requests without data only.',
    breaks: ['TRQ-1', 'SVC-1', 'TRQ-2'],
    change: (policies) => ({
      ...policies,
      parse: async (body, operation) => {
        const value = await policies.parse(body, operation);
        if (operation.operationId !== 'createTrackingRequest') return value;
        return member(value, 'data') === undefined ? { data: value } : {};
      },
    }),
  },
  'finds-whatever-is-no-bill-of-lading': {
    summary: 'Asks the carrier for bills of lading alone, and takes any other number as found.',
    breaks: ['TRQ-3'],
    change: (policies) => ({
      ...policies,
      lookUp: (request) => (request.type === 'bill_of_lading' ? policies.lookUp(request) : 'found'),
    }),
  },
  'knows-no-bills-of-lading': {
    summary: 'Takes bookings and containers only.',
    breaks: ['TRQ-2', 'SVC-1', 'TRQ-1'],
    change: (policies) => ({
      ...policies,
      trackingProblems: (request) =>
        request.type === 'bill_of_lading'
          ? [{ status: 422, rule: 'request-type', pointer: '/data/attributes/request_type', detail: 'It is unknown.' }]
          : policies.trackingProblems(request),
    }),
  },
  'finds-every-number': {
    summary: 'Finds every number, whether the carrier knows it or not.',
    breaks: ['TRQ-3'],
    change: (policies) => ({ ...policies, lookUp: () => 'found' }),
  },
  'tracks-with-any-carrier': {
    summary: 'Does not ask whether the SCAC is that of a shipping line.',
    breaks: ['TRQ-4'],
    change: (policies) => ({
      ...policies,
      trackingProblems: (request) => policies.trackingProblems(request).filter(({ rule }) => rule !== 'carrier'),
    }),
  },
  'needs-no-carrier': {
    summary: 'Guesses the carrier where a request names none.',
    breaks: ['TRQ-4'],
    change: (policies) => ({
      ...policies,
      parse: async (body, operation) => {
        const value = await policies.parse(body, operation);
        const attributes = member(value, 'data', 'attributes') as Record<string, unknown> | undefined;
        if (operation.operationId === 'createTrackingRequest' && attributes !== undefined)
          attributes['scac'] ??= 'MAEU';
        return value;
      },
    }),
  },
  'shows-nothing-of-a-request-for-an-hour': {
    summary: 'Reads its lists from a copy that is renewed every hour.',
    breaks: ['TRQ-5', 'TRQ-6', 'SVC-1', 'LST-3', 'LST-4', 'LST-5'],
    change: (policies) => ({
      ...policies,
      selection: (list) => {
        const selection = policies.selection(list);
        const isCopied = ['tracking_requests', 'shipments', 'containers'].includes(list);
        return isCopied ? { ...selection, where: 'created_at < (unixepoch() - 3600) * 1000' } : selection;
      },
    }),
  },
  'infers-one-carrier-from-every-number': {
    summary: 'Takes every number for one of its largest carrier.',
    breaks: ['INF-1'],
    change: (policies) => ({ ...policies, inferScac: () => 'MSCU' }),
  },
  'fails-on-a-number-that-it-tracks': {
    summary: 'Stores each number once, and answers 500 where the table refuses the second.',
    breaks: ['TRQ-1'],
    change: (policies) => {
      const tracked = new Set<string>();
      return {
        ...policies,
        trackingProblems: (request) => {
          const problems = policies.trackingProblems(request);
          if (problems.length > 0 || !tracked.has(request.number)) {
            if (problems.length === 0) tracked.add(request.number);
            return problems;
          }
          return [{ status: 500, rule: 'unique', pointer: '/data', detail: 'UNIQUE constraint failed.' }];
        },
      };
    },
  },
  'takes-two-seconds-to-list-what-it-finds': {
    summary: 'Sends the news of a number at once, and lists its records two seconds later.',
    breaks: ['TRQ-6'],
    change: (policies) => ({
      ...policies,
      takeStep: async ({ store, announce }) => {
        await announce();
        await delay(2000);
        await store();
      },
    }),
  },
};
