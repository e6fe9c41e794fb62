import type { ReceiverPolicies } from '../../receiver/policies.ts';
import { verifier } from '../../receiver/verify.ts';
import type { ReceiverFaults } from './fault.ts';

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
