import { timingSafeEqual } from 'node:crypto';

import type { ReceiverPolicies } from '../../receiver/policies.ts';
import { match, sign, verifier } from '../../receiver/verify.ts';
import type { ReceiverFaults } from './fault.ts';

/** Fails where the signature looks like this. A policy that throws leads to a 500. */
function failingOn(policies: ReceiverPolicies, isTooMuch: (signature: string) => boolean): ReceiverPolicies {
  return {
    ...policies,
    verify: (delivery) => {
      if (isTooMuch(delivery.signature ?? '')) throw new TypeError('The signature cannot be read.');
      return policies.verify(delivery);
    },
  };
}

/** The bytes of a header: Node gives out one character for each. */
function bytesOf(signature: string): Buffer {
  return Buffer.from(signature, 'latin1');
}

/** A signature that is none is not refused, but fails where it is read (VRF-4). */
export const signatureParsingFaults: ReceiverFaults = {
  'fails-on-what-is-not-hex': {
    summary: 'Decodes a signature of the right length strictly, and has no answer where that throws.',
    breaks: ['VRF-4'],
    change: (policies) => failingOn(policies, (given) => given.length === 64 && !/^[\da-f]*$/i.test(given)),
  },
  'fails-on-an-odd-number-of-digits': {
    summary: 'Decodes two digits at a time, and fails where one is left over.',
    breaks: ['VRF-4'],
    change: (policies) => failingOn(policies, (given) => /^[\da-f]*$/i.test(given) && given.length % 2 === 1),
  },
  'counts-characters-and-compares-bytes': {
    summary: 'Compares the numbers of characters first and then the bytes, of which others than ASCII have more.',
    breaks: ['VRF-4'],
    change: (policies) => ({
      ...policies,
      verify: verifier({
        match: (expected, given) =>
          given.length === expected.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given)),
      }),
    }),
  },
  'fails-on-full-width-digits': {
    summary: 'Takes every digit of Unicode for one, and fails where it reads the number.',
    breaks: ['VRF-4'],
    change: (policies) =>
      failingOn(policies, (given) => {
        const text = bytesOf(given).toString('utf8');
        return /^[\p{Nd}a-f]{64}$/u.test(text) && !/^[\da-f]*$/.test(text);
      }),
  },
  'fails-on-a-header-that-is-no-utf-8': {
    summary: 'Decodes the signature as UTF-8 and lets the error of the decoder pass.',
    breaks: ['VRF-4'],
    change: (policies) =>
      failingOn(policies, (given) => bytesOf(given).toString('utf8').includes('\ufffd') && given.length === 64),
  },
  'fails-on-a-longer-signature': {
    summary: 'Fills up a signature that is too short, and throws at one that is too long.',
    breaks: ['VRF-4'],
    change: (policies) => ({
      ...policies,
      verify: ({ body, signature = '', secrets }) =>
        secrets.some((secret) => timingSafeEqual(bytesOf(sign(body, secret)), bytesOf(signature.padEnd(64, ' ')))),
    }),
  },
  'fails-on-a-second-signature-header': {
    summary: 'Expects text, and gets a list where the header comes twice.',
    breaks: ['VRF-4'],
    change: (policies) => ({
      ...policies,
      findSignature: (head, name) => {
        const values = head.headersDistinct[name.toLowerCase()];
        if (values !== undefined && values.length > 1) throw new TypeError('signature.slice is not a function');
        return values?.[0];
      },
    }),
  },
  'fails-on-a-list-of-signatures': {
    summary: 'Reads a signature with a comma as name and value, and fails where there is no name.',
    breaks: ['VRF-4'],
    change: (policies) => failingOn(policies, (given) => given.includes(',') && !given.includes('=')),
  },
  'fails-on-a-prefix-without-a-digest': {
    summary: 'Splits the signature at its first equals sign, and needs what should stand behind it.',
    breaks: ['VRF-4'],
    change: (policies) => ({
      ...policies,
      verify: verifier({
        match: (expected, given) => {
          const digest = given.includes('=') ? given.slice(given.indexOf('=') + 1) : given;
          if (digest === '' && given !== '') throw new TypeError('The digest is missing.');
          return match(expected, given);
        },
      }),
    }),
  },
};

/** Starts without a secret, or with an empty one, and verifies with this one then. */
function fallingBack(policies: ReceiverPolicies, secret: string): ReceiverPolicies {
  return { ...policies, usableSecrets: ([configured]) => [configured || secret] };
}

/** Starts, whatever the secret is. */
function starting(policies: ReceiverPolicies): ReceiverPolicies {
  return { ...policies, usableSecrets: (configured) => configured };
}

function isMissing(secrets: readonly string[]): boolean {
  return secrets.every((secret) => secret === '');
}

/** Where the secret is missing, the door is open (VRF-6). */
export const secretFaults: ReceiverFaults = {
  'verifies-nothing-without-a-secret': {
    summary: 'Takes every delivery as long as no secret is configured, as in development.',
    breaks: ['VRF-6'],
    processControl: true,
    setting: 'secret',
    change: (policies) => ({
      ...starting(policies),
      verify: (delivery) => isMissing(delivery.secrets) || policies.verify(delivery),
    }),
  },
  'verifies-with-an-empty-key': {
    summary: 'Takes a variable that is not set for an empty secret, and verifies with that.',
    breaks: ['VRF-6'],
    processControl: true,
    setting: 'secret',
    change: (policies) => fallingBack(policies, ''),
  },
  'takes-an-empty-secret-for-one': {
    summary: 'Refuses to start where the variable is not set, and verifies with an empty key where it is empty.',
    breaks: ['VRF-6'],
    processControl: true,
    setting: 'secret',
    change: (policies) => ({
      ...policies,
      usableSecrets: (configured) => (configured.length === 0 ? policies.usableSecrets(configured) : configured),
    }),
  },
  'verifies-with-the-word-undefined': {
    summary: 'Writes the variable into a text, so that a missing one becomes the key "undefined".',
    breaks: ['VRF-6'],
    processControl: true,
    setting: 'secret',
    change: (policies) => ({ ...policies, usableSecrets: ([secret]) => [secret ?? 'undefined'] }),
  },
  'falls-back-to-a-default-secret': {
    summary: 'Verifies with the secret of its example configuration where it has no other.',
    breaks: ['VRF-6'],
    processControl: true,
    setting: 'secret',
    change: (policies) => fallingBack(policies, 'changeme'),
  },
  'asks-for-no-header-without-a-secret': {
    summary: 'Compares the header with nothing where it has no secret: an empty header is right, and so is none.',
    breaks: ['VRF-6'],
    processControl: true,
    setting: 'secret',
    change: (policies) => ({
      ...starting(policies),
      verify: (delivery) => (isMissing(delivery.secrets) ? (delivery.signature ?? '') === '' : verifier()(delivery)),
    }),
  },
  'stores-what-it-cannot-verify': {
    summary: 'Answers 503 as long as it has no secret, and stores the notification all the same.',
    breaks: ['VRF-6'],
    processControl: true,
    setting: 'secret',
    change: (policies) => ({
      ...starting(policies),
      verify: (delivery) => isMissing(delivery.secrets) || policies.verify(delivery),
      answer: (outcome, delivery, ...rest) =>
        isMissing(delivery.secrets) ? { status: 503, body: 'no secret' } : policies.answer(outcome, delivery, ...rest),
    }),
  },
};
