import { timingSafeEqual } from 'node:crypto';

import type { ReceiverPolicies } from '../../receiver/policies.ts';
import { sign, verifier } from '../../receiver/verify.ts';
import type { ReceiverFaults } from './fault.ts';
import type { ArrivedDelivery, Reply } from '../../receiver/records.ts';

/** Answers a forged delivery in another way. */
function refusing(
  policies: ReceiverPolicies,
  reply: (...delivery: Parameters<ReceiverPolicies['answer']>) => Reply,
): ReceiverPolicies {
  return {
    ...policies,
    answer: (...outcome) => (outcome[0] === 'forged' ? reply(...outcome) : policies.answer(...outcome)),
  };
}

/** Refuses a forged delivery, and stores some of them all the same. */
function storing(policies: ReceiverPolicies, which: (delivery: ArrivedDelivery) => boolean): ReceiverPolicies {
  return {
    ...policies,
    verify: (delivery) => which(delivery) || policies.verify(delivery),
    answer: (outcome, delivery, ...rest) =>
      which(delivery) ? policies.answer('forged', delivery) : policies.answer(outcome, delivery, ...rest),
  };
}

/** A forged delivery gets the wrong answer, or is not really refused (VRF-4, VRF-2). */
export const refusalFaults: ReceiverFaults = {
  'refuses-with-200': {
    summary: 'Answers a forged delivery with 200 and says in the body that it was refused.',
    breaks: ['VRF-2', 'VRF-3', 'VRF-4', 'VRF-5'],
    change: (policies) => refusing(policies, () => ({ status: 200, body: '{"ok":false}' })),
  },
  'refuses-with-a-redirect': {
    summary: 'Sends a forged delivery to a login page.',
    breaks: ['VRF-4'],
    change: (policies) => refusing(policies, () => ({ status: 302, headers: { location: '/login' } })),
  },
  'refuses-with-500': {
    summary: 'Reports a forged delivery as a failure of its own.',
    breaks: ['VRF-4', 'ROB-1'],
    change: (policies) => refusing(policies, () => ({ status: 500, body: 'failed' })),
  },
  'leaks-the-expected-signature': {
    summary: 'Shows a forger which signature it had expected.',
    breaks: ['VRF-4'],
    change: (policies) =>
      refusing(policies, (_, { body, signature, secrets }) => ({
        status: 401,
        body: `signature mismatch: expected ${sign(body, secrets[0]!)}, got ${signature}`,
      })),
  },
  'leaks-half-of-the-expected-signature': {
    summary: 'Shows a forger the first half of the signature that it had expected.',
    breaks: ['VRF-4'],
    change: (policies) =>
      refusing(policies, (_, { body, secrets }) => ({
        status: 401,
        body: `signature mismatch: expected ${sign(body, secrets[0]!).slice(0, 32)}...`,
      })),
  },
  'leaks-the-expected-signature-in-a-header': {
    summary: 'Writes the signature that it had expected into a header of the refusal.',
    breaks: ['VRF-4'],
    change: (policies) =>
      refusing(policies, (_, { body, secrets }) => ({
        status: 401,
        headers: { 'www-authenticate': `Signature expected="${sign(body, secrets[0]!)}"` },
      })),
  },
  'throws-on-another-length': {
    summary: 'Compares with a function that throws for operands of different lengths, and answers 500.',
    breaks: ['VRF-4'],
    change: (policies) => ({
      ...policies,
      verify: verifier({ match: (expected, given) => timingSafeEqual(Buffer.from(expected), Buffer.from(given)) }),
    }),
  },
  'throws-on-a-non-ascii-header': {
    summary: 'Cuts the signature to so many characters, and compares so many bytes: others than ASCII make it throw.',
    breaks: ['VRF-4'],
    change: (policies) => ({
      ...policies,
      verify: verifier({
        match: (expected, given) => {
          const cut = given.slice(0, expected.length).padEnd(expected.length);
          return timingSafeEqual(Buffer.from(expected), Buffer.from(cut, 'utf8')) && given.length === expected.length;
        },
      }),
    }),
  },
  'takes-effect-although-it-refuses': {
    summary: 'Answers 401 to a forged delivery after having stored it.',
    breaks: ['VRF-2', 'VRF-3'],
    change: (policies) => ({
      ...policies,
      verify: () => true,
      answer: (...outcome) =>
        policies.verify(outcome[1]) ? policies.answer(...outcome) : policies.answer('forged', outcome[1]),
    }),
  },
  'works-on-although-the-header-is-missing': {
    summary: 'Answers 401 where there is no signature, forgets to return, and lets the notification take effect.',
    breaks: ['VRF-2'],
    change: (policies) => storing(policies, ({ signature }) => signature === undefined),
  },
  'works-on-where-the-comparison-throws': {
    summary:
      'Answers 401 to a signature of another length, whose comparison throws, after it has stored the notification.',
    breaks: ['VRF-2', 'VRF-5'],
    change: (policies) => storing(policies, ({ signature = '' }) => signature !== '' && signature.length !== 64),
  },
};
