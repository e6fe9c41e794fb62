import type { ReceiverPolicies, TimestampPolicies } from '../../receiver/policies.ts';
import type { ReceiverFault, ReceiverFaults } from './fault.ts';

function judging(change: (isTimely: TimestampPolicies['isTimely']) => TimestampPolicies['isTimely']) {
  return {
    setting: 'timestamps',
    change: (policies: ReceiverPolicies) => ({ ...policies, isTimely: change(policies.isTimely) }),
  } as const satisfies Partial<ReceiverFault>;
}

/** Mistakes with the timestamp of a signature (VRF-7, VRF-8, VRF-9). */
export const timestampFaults: ReceiverFaults = {
  'accepts-old-timestamps': {
    summary: 'Takes a delivery however long ago it was signed.',
    breaks: ['VRF-7'],
    ...judging(
      () =>
        (timestamp, { now, tolerance }) =>
          timestamp - now <= tolerance,
    ),
  },
  'takes-a-timestamp-of-zero-for-none': {
    summary: 'Judges a timestamp only where there is one, and takes zero for none.',
    breaks: ['VRF-7'],
    ...judging((isTimely) => (timestamp, clock) => !timestamp || isTimely(timestamp, clock)),
  },
  'accepts-future-timestamps': {
    summary: 'Looks at the age of a timestamp only, which is negative for one of the future.',
    breaks: ['VRF-8'],
    ...judging(
      () =>
        (timestamp, { now, tolerance }) =>
          now - timestamp <= tolerance,
    ),
  },
  'takes-milliseconds-for-seconds': {
    summary: 'Takes a timestamp of more than ten digits for one in milliseconds.',
    breaks: ['VRF-8'],
    ...judging(
      (isTimely) => (timestamp, clock) => isTimely(timestamp > 1e13 ? Math.floor(timestamp / 1000) : timestamp, clock),
    ),
  },
  'allows-no-clock-skew': {
    summary: 'Refuses a timestamp that is ahead of its own clock, by however little.',
    breaks: ['VRF-9'],
    ...judging((isTimely) => (timestamp, clock) => timestamp <= clock.now && isTimely(timestamp, clock)),
  },
  'refuses-a-redelivery-signed-anew': {
    summary: 'Answers 409 to a redelivery whose signature is not that of the first delivery.',
    breaks: ['VRF-9'],
    setting: 'timestamps',
    change: (policies) => {
      const first = new Map<string, string | undefined>();
      return {
        ...policies,
        answer: (outcome, delivery, notification) => {
          const id = notification?.id ?? '';
          if (outcome === 'new') first.set(id, delivery.signature);
          const isOther = outcome === 'duplicate' && first.get(id) !== delivery.signature;
          return isOther ? { status: 409, body: 'refused' } : policies.answer(outcome, delivery, notification);
        },
      };
    },
  },
  'takes-a-redelivery-signed-anew-for-another': {
    summary: 'Takes a notification for a new one where its signature is new.',
    breaks: ['VRF-9'],
    setting: 'timestamps',
    change: (policies) => ({
      ...policies,
      accept: async (notification, store, { signature = '' }) =>
        store.accept({ ...notification, key: `${notification.id} ${signature}` }),
    }),
  },
};
