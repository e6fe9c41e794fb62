import type { ReceiverPolicies, TimestampPolicies } from '../../receiver/policies.ts';
import type { ReceiverFault, ReceiverFaults } from './fault.ts';

function judging(change: (isTimely: TimestampPolicies['isTimely']) => TimestampPolicies['isTimely']) {
  return {
    setting: 'timestamps',
    change: (policies: ReceiverPolicies) => ({ ...policies, isTimely: change(policies.isTimely) }),
  } as const satisfies Partial<ReceiverFault>;
}

/** Takes one of several signatures. */
function taking(part: (signatures: readonly string[]) => readonly string[]) {
  return {
    setting: 'timestamps',
    change: (policies: ReceiverPolicies) => ({
      ...policies,
      readStamped: (header: string) => {
        const stamped = policies.readStamped(header);
        return stamped && { ...stamped, signatures: part(stamped.signatures) };
      },
    }),
  } as const satisfies Partial<ReceiverFault>;
}

/** Mistakes with the timestamp of a signature (VRF-7, VRF-8, VRF-9), and with several signatures in one header (VRF-1, VRF-2). */
export const signatureTimestampFaults: ReceiverFaults = {
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
  'reads-the-first-signature-only': {
    summary: 'Takes the first of several signatures for the only one.',
    breaks: ['VRF-1'],
    ...taking((signatures) => signatures.slice(0, 1)),
  },
  'reads-the-last-signature-only': {
    summary: 'Keeps the parts of the header in a map, and so the last of several signatures.',
    breaks: ['VRF-1'],
    ...taking((signatures) => signatures.slice(-1)),
  },
  'refuses-a-signature-of-another-version': {
    summary: 'Refuses a header with a part that it does not know.',
    breaks: ['VRF-1'],
    setting: 'timestamps',
    change: (policies) => ({
      ...policies,
      readStamped: (header) => (/(^|,)v0=/.test(header) ? undefined : policies.readStamped(header)),
    }),
  },
  'takes-a-signature-of-any-version': {
    summary: 'Takes every part but the timestamp for a signature of the version that it knows.',
    breaks: ['VRF-2'],
    setting: 'timestamps',
    change: (policies) => ({
      ...policies,
      readStamped: (header) => policies.readStamped(header.replaceAll(/(?<=^|,)v\d+=/g, 'v1=')),
    }),
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
  'throws-at-a-timestamp-that-is-no-number': {
    summary: 'Converts the timestamp before it looks whether it is a number, and answers 500 to any other text.',
    breaks: ['VRF-4'],
    setting: 'timestamps',
    change: (policies) => ({
      ...policies,
      readStamped: (header) => {
        const text = /(?:^|,)t=([^,]*)/.exec(header)?.[1];
        if (text !== undefined && !/^\d+$/.test(text)) throw new TypeError('the timestamp is no number');
        return policies.readStamped(header);
      },
    }),
  },
  'takes-a-signature-of-the-body-alone': {
    summary: 'Takes the signature of an older layout, without the timestamp, beside the one of today.',
    breaks: ['VRF-2'],
    setting: 'timestamps',
    change: (policies) => ({
      ...policies,
      verify: (delivery) =>
        policies.verify(delivery) ||
        policies.verify({ ...delivery, body: delivery.body.subarray(delivery.body.indexOf('.') + 1) }),
    }),
  },
  'reads-two-signatures-only': {
    summary: 'Takes the first two of several signatures: the one of today, and that of the secret before it.',
    breaks: ['VRF-1'],
    ...taking((signatures) => signatures.slice(0, 2)),
  },
  'has-a-shorter-tolerance-of-its-own': {
    summary: 'Refuses a timestamp that is more than 125 s old, where the contract promises 5 minutes.',
    breaks: ['VRF-9'],
    ...judging((isTimely) => (timestamp, clock) => clock.now - timestamp <= 125_000 && isTimely(timestamp, clock)),
  },
  'has-a-tolerance-in-another-unit': {
    summary: 'Compares seconds with a tolerance in milliseconds, and so allows days for minutes.',
    breaks: ['VRF-7', 'VRF-8'],
    ...judging(
      (isTimely) => (timestamp, clock) => isTimely(timestamp, { ...clock, tolerance: 1000 * clock.tolerance }),
    ),
  },
};
