import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

import { readNotification } from '../../receiver/records.ts';
import type { ReceiverPolicies } from '../../receiver/policies.ts';
import { match, sign, verifier } from '../../receiver/verify.ts';
import type { NotificationStore } from '../../receiver/store.ts';
import type { ReceiverFaults } from './fault.ts';

/** Compares a part of what the header holds. */
function comparing(policies: ReceiverPolicies, part: (given: string) => string): ReceiverPolicies {
  return { ...policies, verify: verifier({ match: (expected, given) => match(expected, part(given)) }) };
}

/** Takes a plain hash of these parts as well as the right signature. */
function orHashing(
  policies: ReceiverPolicies,
  parts: (secret: string, body: Buffer) => readonly (string | Buffer)[],
): ReceiverPolicies {
  const verify = verifier({
    sign: (body, secret) => {
      const hash = createHash('sha256');
      for (const part of parts(secret, body)) hash.update(part);
      return hash.digest('hex');
    },
  });
  return { ...policies, verify: (delivery) => policies.verify(delivery) || verify(delivery) };
}

/** What should be refused is taken (VRF-2, VRF-5). */
export const forgeryFaults: ReceiverFaults = {
  'verifies-nothing': {
    summary: 'Takes every delivery, whatever its signature.',
    breaks: ['VRF-2', 'VRF-3', 'VRF-5'],
    change: (policies) => ({ ...policies, verify: () => true }),
  },
  'accepts-a-missing-header': {
    summary: 'Verifies a signature only where there is one.',
    breaks: ['VRF-2'],
    change: (policies) => ({
      ...policies,
      verify: (delivery) => delivery.signature === undefined || policies.verify(delivery),
    }),
  },
  'accepts-an-empty-header': {
    summary: 'Takes a signature header without a value for a delivery that need not be verified.',
    breaks: ['VRF-2'],
    change: (policies) => ({
      ...policies,
      verify: (delivery) => delivery.signature === '' || policies.verify(delivery),
    }),
  },
  'accepts-an-empty-secret': {
    summary: 'Accepts a signature made with an empty secret, as if one had never been set.',
    breaks: ['VRF-2'],
    change: (policies) => ({
      ...policies,
      verify: (delivery) => policies.verify({ ...delivery, secrets: [...delivery.secrets, ''] }),
    }),
  },
  'accepts-a-plain-hash': {
    summary: 'Accepts a hash of the body that needs no secret.',
    breaks: ['VRF-2'],
    change: (policies) => ({
      ...policies,
      verify: (delivery) =>
        delivery.signature === createHash('sha256').update(delivery.body).digest('hex') || policies.verify(delivery),
    }),
  },
  'takes-the-signature-for-a-pattern': {
    summary: 'Compares as a shell does whose right side is not quoted: an asterisk stands for any text.',
    breaks: ['VRF-2'],
    change: (policies) => ({
      ...policies,
      verify: (delivery) => delivery.signature === '*' || policies.verify(delivery),
    }),
  },
  'takes-the-signature-for-a-regular-expression': {
    summary: 'Looks for the signature as a regular expression in the text that it expects.',
    breaks: ['VRF-2'],
    change: (policies) => ({
      ...policies,
      verify: (delivery) => /^\.+\*?$/.test(delivery.signature ?? '') || policies.verify(delivery),
    }),
  },
  'accepts-a-hash-of-secret-and-body': {
    summary: 'Accepts a plain hash of the secret and the body behind it, which anybody can lengthen.',
    breaks: ['VRF-2'],
    change: (policies) => orHashing(policies, (secret, body) => [secret, body]),
  },
  'accepts-a-hash-of-body-and-secret': {
    summary: 'Accepts a plain hash of the body and the secret behind it.',
    breaks: ['VRF-2'],
    change: (policies) => orHashing(policies, (secret, body) => [body, secret]),
  },
  'accepts-a-hash-of-a-secret-and-a-dot-and-the-body': {
    summary: 'Accepts a plain hash of the secret, a dot and the body.',
    breaks: ['VRF-2'],
    change: (policies) => orHashing(policies, (secret, body) => [secret, '.', body]),
  },
  'takes-an-exception-for-a-pass': {
    summary: 'Lets a delivery through where the comparison throws, as it does for another length.',
    breaks: ['VRF-2', 'VRF-5'],
    change: (policies) => ({
      ...policies,
      verify: ({ body, signature, secrets }) => {
        try {
          return secrets.some((secret) => timingSafeEqual(Buffer.from(sign(body, secret)), Buffer.from(signature!)));
        } catch {
          return true;
        }
      },
    }),
  },
  'compares-a-prefix-only': {
    summary: 'Compares the first eight characters of a signature only.',
    breaks: ['VRF-2', 'VRF-5'],
    change: (policies) => ({
      ...policies,
      verify: verifier({ match: (expected, given) => match(expected.slice(0, 8), given.slice(0, 8)) }),
    }),
  },
  'compares-sums-of-digests': {
    summary: 'Adds up the bytes of both digests, and compares the sums.',
    breaks: ['VRF-2'],
    change: (policies) => ({
      ...policies,
      verify: verifier({ match: (expected, given) => /^[\da-f]{64}$/.test(given) && sum(expected) === sum(given) }),
    }),
  },
  'accepts-a-truncated-signature': {
    summary: 'Compares as many characters as the given signature has.',
    breaks: ['VRF-2'],
    change: (policies) => ({
      ...policies,
      verify: verifier({ match: (expected, given) => given !== '' && expected.startsWith(given) }),
    }),
  },
  'takes-a-signature-that-sorts-before': {
    summary: 'Takes the result of an ordering for a verdict: whatever sorts before the right signature passes.',
    breaks: ['VRF-2', 'VRF-3'],
    change: (policies) => ({
      ...policies,
      verify: verifier({ match: (expected, given) => given.length === expected.length && given <= expected }),
    }),
  },
  'decodes-hex-leniently': {
    summary: 'Decodes the signature with a decoder that stops at the first character that is not hex.',
    breaks: ['VRF-5'],
    change: (policies) => ({
      ...policies,
      verify: verifier({
        match: (expected, given) => Buffer.from(expected, 'hex').equals(Buffer.from(given, 'hex')),
      }),
    }),
  },
  'searches-for-the-signature-in-the-header': {
    summary: 'Looks whether the header contains the right signature somewhere.',
    breaks: ['VRF-5'],
    change: (policies) => ({
      ...policies,
      verify: verifier({ match: (expected, given) => given.includes(expected) }),
    }),
  },
  'takes-an-empty-list-for-verified': {
    summary: 'Splits the header at commas, leaves out empty parts, and asks whether each that is left is right.',
    breaks: ['VRF-2'],
    change: (policies) => ({
      ...policies,
      verify: verifier({
        match: (expected, given) =>
          given !== '' &&
          given
            .split(',')
            .filter((part) => part !== '')
            .every((part) => part === expected),
      }),
    }),
  },
  'reads-the-signature-up-to-a-comma': {
    summary: 'Compares what stands before the first comma of the header.',
    breaks: ['VRF-5'],
    change: (policies) => comparing(policies, (given) => given.split(',', 1).join()),
  },
  'reads-the-signature-up-to-an-equals-sign': {
    summary: 'Compares what stands before the first equals sign of the header.',
    breaks: ['VRF-5'],
    change: (policies) => comparing(policies, (given) => given.split('=', 1).join()),
  },
  'trims-punctuation-off-the-signature': {
    summary: 'Trims quotation marks and semicolons off the header before it compares it.',
    breaks: ['VRF-5'],
    change: (policies) => comparing(policies, (given) => given.replace(/^["';]+|["';]+$/g, '')),
  },
  'takes-any-name-before-the-signature': {
    summary: 'Compares what stands behind the last equals sign of the header.',
    breaks: ['VRF-5'],
    change: (policies) => comparing(policies, (given) => given.slice(given.lastIndexOf('=') + 1)),
  },
  'compares-the-end-of-the-header': {
    summary: 'Looks whether the header ends with the right signature.',
    breaks: ['VRF-5'],
    change: (policies) => ({ ...policies, verify: verifier({ match: (expected, given) => given.endsWith(expected) }) }),
  },
  'skips-spaces-in-hex': {
    summary: 'Decodes the signature with a decoder that passes over spaces.',
    breaks: ['VRF-5'],
    change: (policies) => comparing(policies, (given) => given.replaceAll(' ', '')),
  },
  'takes-the-first-of-two-headers': {
    summary: 'Verifies the first signature header and ignores a second one.',
    breaks: ['VRF-5'],
    change: (policies) => ({
      ...policies,
      findSignature: ({ rawHeaders }, name) => {
        const at = rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name.toLowerCase());
        return at < 0 ? undefined : rawHeaders[at + 1];
      },
    }),
  },
  'trusts-a-signature-seen-before': {
    summary: 'Keeps signatures that were right once and takes them for any other body.',
    breaks: ['VRF-3', 'VRF-2'],
    change: (policies) => {
      const trusted = new Set<string>();
      return {
        ...policies,
        verify: (delivery) => {
          if (trusted.has(delivery.signature ?? '')) return true;
          const genuine = policies.verify(delivery);
          if (genuine) trusted.add(delivery.signature!);
          return genuine;
        },
      };
    },
  },
  'verifies-no-redelivery': {
    summary: 'Takes whatever names an id that was verified before.',
    breaks: ['VRF-2', 'VRF-3', 'VRF-5'],
    change: (policies) => {
      const verified = new Set<string>();
      return {
        ...policies,
        verify: (delivery) => {
          const id = readNotification(delivery.body)?.id;
          if (id !== undefined && verified.has(id)) return true;
          const genuine = policies.verify(delivery);
          if (genuine && id !== undefined) verified.add(id);
          return genuine;
        },
      };
    },
  },
  'takes-the-algorithm-from-the-header': {
    summary: 'Uses the algorithm of HMAC that the header names before the digest, and has a secret for SHA-256 alone.',
    breaks: ['VRF-2'],
    change: (policies) => ({
      ...policies,
      verify: (delivery) => {
        const [, algorithm, digest] = /^(md5|sha1|sha384|sha512)=(.*)$/.exec(delivery.signature ?? '') ?? [];
        if (algorithm === undefined) return policies.verify(delivery);
        return createHmac(algorithm, '').update(delivery.body).digest('hex') === digest;
      },
    }),
  },
  'undoes-what-comes-forged': {
    summary: 'Deletes what it knows of an id of which a forged copy comes, with what was done for it.',
    breaks: ['VRF-2', 'IDM-2'],
    change: (policies) => {
      let stored: NotificationStore | undefined;
      return {
        ...policies,
        verify: (delivery) => {
          const isGenuine = policies.verify(delivery);
          if (!isGenuine) stored?.undo(readNotification(delivery.body)?.id ?? '');
          return isGenuine;
        },
        accept: (notification, store, delivery) => {
          stored = store;
          return policies.accept(notification, store, delivery);
        },
      };
    },
  },
  'passes-what-is-not-hex-and-fails-without-a-header': {
    summary: 'Takes the error of its decoder of hex for a pass, and fails where there is no header to decode.',
    breaks: ['VRF-2', 'VRF-5'],
    change: (policies) => ({
      ...policies,
      verify: (delivery) => !/^(?:[\da-f]{2})+$/i.test(delivery.signature!.trim()) || policies.verify(delivery),
    }),
  },
};

function sum(digest: string): number {
  return Buffer.from(digest, 'hex').reduce((before, byte) => before + byte, 0);
}
