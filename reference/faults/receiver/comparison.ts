import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

import type { ReceiverPolicies } from '../../receiver/policies.ts';
import { type Match, match, sign, verifier } from '../../receiver/verify.ts';
import { readNotification } from '../../receiver/records.ts';
import type { ReceiverFaults } from './fault.ts';

/** Compares digests in another way. */
function comparing(policies: ReceiverPolicies, matches: Match): ReceiverPolicies {
  return { ...policies, verify: verifier({ match: matches }) };
}

/** Lets in what this lets in, beside what is signed. */
function orWhere(policies: ReceiverPolicies, isLetIn: ReceiverPolicies['verify']): ReceiverPolicies {
  return { ...policies, verify: (delivery) => policies.verify(delivery) || isLetIn(delivery) };
}

function sum(digits: string): number {
  return Buffer.from(digits, 'latin1').reduce((before, byte) => before + byte, 0);
}

/** Digests that are compared in part, or in another alphabet, and keys and signatures that anybody has (VRF-2, VRF-5). */
export const comparisonFaults: ReceiverFaults = {
  'compares-a-prefix-and-a-sum': {
    summary: 'Compares the first eight digits of a signature, and the sum of all.',
    breaks: ['VRF-2'],
    change: (policies) =>
      comparing(policies, (expected, given) => {
        const isOfForm = /^[\da-f]{64}$/.test(given);
        return isOfForm && match(expected.slice(0, 8), given.slice(0, 8)) && sum(expected) === sum(given);
      }),
  },
  'compares-the-ends-of-the-digest': {
    summary: 'Compares a quarter of the digest at each end, as it is shortened for a log.',
    breaks: ['VRF-2'],
    change: (policies) => {
      const shortened = (digest: string): string => digest.slice(0, 16) + digest.slice(-16);
      return comparing(
        policies,
        (expected, given) => given.length === expected.length && match(shortened(expected), shortened(given)),
      );
    },
  },
  'looks-at-seven-bits-of-a-digit': {
    summary: 'Decodes the header as ASCII, with a decoder that drops the highest bit of each byte.',
    breaks: ['VRF-2'],
    change: (policies) =>
      comparing(policies, (expected, given) => match(expected, Buffer.from(given, 'latin1').toString('ascii'))),
  },
  'folds-forms-of-digits': {
    summary: 'Normalises the header (NFKC) before it compares it: a digit above the line is a digit.',
    breaks: ['VRF-2'],
    change: (policies) => comparing(policies, (expected, given) => match(expected, given.normalize('NFKC'))),
  },
  'compares-digests-as-numbers': {
    summary: 'Reads both digests as numbers, which do not differ by zeros before them.',
    breaks: ['VRF-5'],
    change: (policies) =>
      comparing(
        policies,
        (expected, given) => /^[\da-f]+$/.test(given) && BigInt(`0x${given}`) === BigInt(`0x${expected}`),
      ),
  },
  'writes-a-secret-that-is-not-there': {
    summary: 'Verifies with a second secret as well, which is not configured: as text that is "undefined".',
    breaks: ['VRF-2'],
    change: (policies) =>
      orWhere(policies, (delivery) => policies.verify({ ...delivery, secrets: [String(undefined)] })),
  },
  'takes-the-signature-of-nothing': {
    summary: 'Verifies what is left of a body that was read before: nothing.',
    breaks: ['VRF-2'],
    change: (policies) => orWhere(policies, (delivery) => policies.verify({ ...delivery, body: Buffer.alloc(0) })),
  },
  'lets-the-fourth-copy-of-a-forgery-through': {
    summary: 'Counts how often a delivery failed, and lets it through at the fourth time, so that no queue gets stuck.',
    breaks: ['VRF-2'],
    change: (policies) => {
      const failed = new Map<string, number>();
      return orWhere(policies, ({ body, signature }) => {
        const key = `${readNotification(body)?.id} ${signature}`;
        const times = (failed.get(key) ?? 0) + 1;
        failed.set(key, times);
        return times > 3;
      });
    },
  },
  'leaves-another-senders-signature-to-others': {
    summary: 'Does not verify what holds the signature header of another sender, which something else is to verify.',
    breaks: ['VRF-2'],
    change: (policies) => orWhere(policies, ({ head }) => head.headers['x-hub-signature'] !== undefined),
  },
  'passes-over-a-digit-in-the-middle': {
    summary: 'Compares the two halves of a signature, and the digit between them belongs to neither.',
    breaks: ['VRF-2'],
    change: (policies) =>
      comparing(policies, (expected, given) => {
        const halves = (digest: string): string => digest.slice(0, 32) + digest.slice(33);
        return given.length === expected.length && match(halves(expected), halves(given));
      }),
  },
  'compares-digests-up-to-a-zero': {
    summary: 'Decodes both digests, and compares them as texts of C, which end at a byte of zero.',
    breaks: ['VRF-2'],
    change: (policies) => {
      const text = (digest: string): string => Buffer.from(digest, 'hex').toString('latin1').split('\0', 1).join('');
      return comparing(
        policies,
        (expected, given) => /^[\da-f]{64}$/.test(given) && match(text(expected), text(given)),
      );
    },
  },
  'compares-the-end-of-the-digest': {
    summary: 'Lets in every signature of eight characters and more with which the right digest ends.',
    breaks: ['VRF-2'],
    change: (policies) => comparing(policies, (expected, given) => given.length >= 8 && expected.endsWith(given)),
  },
  'searches-for-the-signature-in-the-right-one': {
    summary:
      'Searches for the header in the right signature, in which an empty text and a missing header are found, too.',
    breaks: ['VRF-2'],
    change: (policies) =>
      orWhere(policies, ({ body, signature = '', secrets }) =>
        secrets.some((secret) => sign(body, secret).includes(signature)),
      ),
  },
  'verifies-what-looks-like-a-signature': {
    summary: 'Verifies a header of 64 hexadecimal digits, and lets all others in, and what has none.',
    breaks: ['VRF-2', 'VRF-5'],
    change: (policies) => orWhere(policies, ({ signature = '' }) => !/^[\da-f]{64}$/i.test(signature)),
  },
};

/** Expects the digest in another spelling, which for some digests is the usual one. */
function spelling(policies: ReceiverPolicies, spell: (digest: string) => string): ReceiverPolicies {
  return { ...policies, verify: verifier({ sign: (body, secret) => spell(sign(body, secret)) }) };
}

/** Right signatures are refused by chance: it depends on their digits, or on what else arrives (VRF-1). */
export const digestFaults: ReceiverFaults = {
  'writes-small-bytes-as-one-digit': {
    summary: 'Writes each byte of the digest in hex by itself, and those below 16 without their zero.',
    breaks: ['VRF-1', 'RCV-1'],
    change: (policies) => spelling(policies, (digest) => digest.replaceAll(/0(.)|(..)/g, '$1$2')),
  },
  'writes-the-digest-as-a-number': {
    summary: 'Turns the digest into a number, and that into hex: the zeros before it are gone.',
    breaks: ['VRF-1', 'RCV-1'],
    change: (policies) => spelling(policies, (digest) => digest.replace(/^0+/, '')),
  },
  'shares-what-it-verifies': {
    summary: 'Keeps the body that it verifies where other deliveries keep theirs.',
    breaks: ['VRF-1', 'RTY-1', 'RCV-1'],
    change: (policies) => {
      let shared: Buffer = Buffer.alloc(0);
      return {
        ...policies,
        collect: async (head) => {
          const body = await policies.collect(head);
          shared = body;
          await delay(3);
          return body;
        },
        verify: (delivery) => policies.verify({ ...delivery, body: shared }),
      };
    },
  },
  'shares-an-hmac-between-large-bodies': {
    summary:
      'Feeds one HMAC with all bodies, 16 KiB at a time: those that are digested at the same moment get mixed up.',
    breaks: ['VRF-1', 'RCV-1', 'RCV-2'],
    change: (policies) => {
      const digested = new WeakMap<Buffer, Buffer>();
      let fed: Buffer[] = [];
      return {
        ...policies,
        collect: async (head) => {
          const body = await policies.collect(head);
          for (let from = 0; from < body.length; from += piece) {
            fed.push(body.subarray(from, from + piece));
            if (body.length > piece) await turn();
          }
          digested.set(body, Buffer.concat(fed));
          fed = [];
          return body;
        },
        verify: (delivery) => policies.verify({ ...delivery, body: digested.get(delivery.body) ?? delivery.body }),
      };
    },
  },
};

const piece = 16_384;
