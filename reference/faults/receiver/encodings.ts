import { gunzipSync } from 'node:zlib';

import type { ReceiverFaults } from './fault.ts';
import { mortal } from './mortal.ts';

/** @throws TypeError where it is no UTF-8 */
function strictly(body: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(body);
}

/** Mistakes with bodies in other encodings, and with bytes that are no text (section 4.4). */
export const encodingFaults: ReceiverFaults = {
  'answers-500-to-bytes-that-are-no-utf-8': {
    summary: 'Decodes the body strictly before it is verified, and catches nothing.',
    breaks: ['ROB-1'],
    change: (policies) => ({
      ...policies,
      verify: (delivery) => {
        strictly(delivery.body);
        return policies.verify(delivery);
      },
    }),
  },
  'fails-to-log-a-refused-body-that-is-no-utf-8': {
    summary: 'Decodes a body that it refuses for its log, and fails where it is no UTF-8.',
    breaks: ['ROB-1'],
    change: (policies) => ({
      ...policies,
      answer: (outcome, delivery, notification) => {
        if (outcome === 'forged') strictly(delivery.body);
        return policies.answer(outcome, delivery, notification);
      },
    }),
  },
  'answers-500-to-a-content-encoding': {
    summary: 'Knows no content encoding, and fails where one is named.',
    breaks: ['ROB-1'],
    change: (policies) => ({
      ...policies,
      collect: async (head) => {
        const body = await policies.collect(head);
        if (head.headers['content-encoding'] !== undefined) throw new Error('There is no decoder for this encoding.');
        return body;
      },
    }),
  },
  'answers-500-to-a-broken-gzip-body': {
    summary: 'Decompresses a gzip body, and catches no error of that.',
    breaks: ['ROB-1'],
    change: (policies) => ({
      ...policies,
      collect: async (head) => {
        const body = await policies.collect(head);
        return head.headers['content-encoding'] === 'gzip' ? gunzipSync(body, { maxOutputLength: 2 ** 28 }) : body;
      },
    }),
  },
  'dies-of-a-broken-gzip-body': {
    summary: 'Decompresses a gzip body as it comes, and ends with an error event that nobody listens to.',
    breaks: ['ROB-1'],
    change: (policies) =>
      mortal(policies, (die) => ({
        collect: async (head) => {
          const body = await policies.collect(head);
          if (head.headers['content-encoding'] !== 'gzip') return body;
          try {
            return gunzipSync(body);
          } catch {
            throw die();
          }
        },
      })),
  },
};
