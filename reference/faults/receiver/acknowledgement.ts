import type { ReceiverPolicies } from '../../receiver/policies.ts';
import { parseJson, readNotification } from '../../receiver/notification.ts';
import type { ReceiverFaults } from './fault.ts';
import type { Reply } from '../../receiver/records.ts';

const acknowledged: Reply = { status: 200, body: 'ok' };

/** Acknowledges some of the bodies from which no notification can be read. */
function acknowledging(policies: ReceiverPolicies, which: (body: Buffer) => boolean): ReceiverPolicies {
  return {
    ...policies,
    answer: (outcome, delivery, notification) =>
      outcome === 'unreadable' && which(delivery.body)
        ? acknowledged
        : policies.answer(outcome, delivery, notification),
  };
}

/** What was not accepted is acknowledged all the same, or is accepted though it is no JSON (RCV-5). */
export const acknowledgementFaults: ReceiverFaults = {
  'answers-200-to-what-is-not-json': {
    summary: 'Acknowledges a body that it could not parse.',
    breaks: ['RCV-5', 'ROB-1'],
    change: (policies) => acknowledging(policies, (body) => parseJson(body) === undefined),
  },
  'answers-200-to-an-empty-body': {
    summary: 'Takes a delivery without a body for a ping and acknowledges it.',
    breaks: ['RCV-5', 'ROB-1'],
    change: (policies) => acknowledging(policies, (body) => body.length === 0),
  },
  'answers-200-without-an-id': {
    summary: 'Acknowledges JSON in which it found no id, and drops it.',
    breaks: ['RCV-5'],
    change: (policies) => acknowledging(policies, (body) => parseJson(body) !== undefined),
  },
  'takes-trailing-commas-for-json': {
    summary: 'Parses with a reader that forgives a comma after the last member.',
    breaks: ['RCV-5', 'ROB-1'],
    change: (policies) => ({
      ...policies,
      read: (body) =>
        readNotification(body) ?? readNotification(Buffer.from(body.toString('utf8').replaceAll(/,(\s*[}\]])/g, '$1'))),
    }),
  },
  'ignores-what-follows-the-json': {
    summary: 'Stops reading at the end of the first JSON value.',
    breaks: ['RCV-5', 'ROB-1'],
    change: (policies) => ({
      ...policies,
      read: (body) => readNotification(body) ?? readNotification(body.subarray(0, body.lastIndexOf('}') + 1)),
    }),
  },
};
