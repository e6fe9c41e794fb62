import { parseJson } from '../../receiver/notification.ts';
import type { ReceiverPolicies } from '../../receiver/policies.ts';
import { sign, verifier } from '../../receiver/verify.ts';
import type { ReceiverFaults } from './fault.ts';
import type { ArrivedDelivery } from '../../receiver/records.ts';

/** Verifies something else than the bytes that arrived. */
function verifying(policies: ReceiverPolicies, rewrite: (body: Buffer) => Buffer): ReceiverPolicies {
  return {
    ...policies,
    verify: (delivery: ArrivedDelivery) => policies.verify({ ...delivery, body: rewrite(delivery.body) }),
  };
}

/** Verifies the body as text in which something was replaced. */
function replacing(policies: ReceiverPolicies, pattern: RegExp, replacement: string): ReceiverPolicies {
  // As latin1 every byte keeps its value, so that nothing but the replacement changes.
  return verifying(policies, (body) => Buffer.from(body.toString('latin1').replaceAll(pattern, replacement), 'latin1'));
}

/** What is verified are not the raw bytes, so that genuine deliveries are refused and changed ones taken (VRF-1, VRF-3). */
export const rawBodyFaults: ReceiverFaults = {
  'verifies-reserialised-json': {
    summary: 'Parses the body and verifies what its own serialiser makes of it.',
    breaks: ['VRF-1', 'VRF-3'],
    change: (policies) =>
      verifying(policies, (body) => {
        const value = parseJson(body);
        return value === undefined ? body : Buffer.from(JSON.stringify(value));
      }),
  },
  'unescapes-slashes-before-it-digests': {
    summary: 'Verifies the body with every escaped slash written plainly.',
    breaks: ['VRF-1', 'VRF-3'],
    change: (policies) => replacing(policies, /\\\//g, '/'),
  },
  'trims-the-body-before-it-digests': {
    summary: 'Verifies the body without the white space around it.',
    breaks: ['VRF-3', 'VRF-1'],
    change: (policies) => replacing(policies, /^[ \t\r\n]+|[ \t\r\n]+$/g, ''),
  },
  'reads-the-body-line-by-line': {
    summary: 'Verifies the body with its line ends taken out.',
    breaks: ['VRF-3', 'VRF-1'],
    change: (policies) => replacing(policies, /\r?\n/g, ''),
  },
  'drops-tabs-before-it-digests': {
    summary: 'Verifies the body without its tabs.',
    breaks: ['VRF-3', 'VRF-1'],
    change: (policies) => replacing(policies, /\t/g, ''),
  },
  'drops-spaces-before-colons': {
    summary: 'Verifies the body without the spaces before its colons.',
    breaks: ['VRF-3', 'VRF-1'],
    change: (policies) => replacing(policies, / +:/g, ':'),
  },
  'unescapes-names-before-it-digests': {
    summary: 'Verifies the body with every escaped letter of a name written plainly.',
    breaks: ['VRF-3', 'VRF-1'],
    change: (policies) =>
      verifying(policies, (body) =>
        Buffer.from(
          body
            .toString('latin1')
            .replaceAll(/"[^"\\]*\\u00[^"]*"(?=\s*:)/g, (name) => JSON.stringify(JSON.parse(name))),
          'latin1',
        ),
      ),
  },
  'digests-text-as-latin1': {
    summary: 'Decodes the body to text and digests one byte for each of its characters.',
    breaks: ['VRF-1', 'RCV-2'],
    change: (policies) => ({
      ...policies,
      verify: verifier({ sign: (body, secret) => sign(Buffer.from(body.toString('utf8'), 'latin1'), secret) }),
    }),
  },
  'digests-unicode-as-escapes': {
    summary: 'Digests the body with every character beyond ASCII written as an escape.',
    breaks: ['VRF-1', 'RCV-2'],
    change: (policies) => verifying(policies, (body) => Buffer.from(escapeUnicode(body.toString('utf8')))),
  },
  'decodes-the-body-part-by-part': {
    summary: 'Decodes each part of the body to text as it arrives, so that a character in two halves is lost.',
    breaks: ['VRF-1', 'RCV-2'],
    change: (policies) => ({
      ...policies,
      collect: async (head) => {
        let text = '';
        head.on('data', (part: Buffer) => (text += part.toString()));
        await policies.collect(head);
        return Buffer.from(text);
      },
    }),
  },
  'looks-the-header-up-by-exact-case': {
    summary: 'Finds the signature header only in the spelling of the documentation, and the first of several.',
    breaks: ['VRF-1', 'VRF-5'],
    change: (policies) => ({
      ...policies,
      findSignature: ({ rawHeaders }, name) => {
        const at = rawHeaders.findIndex((text, index) => index % 2 === 0 && text === name);
        return at < 0 ? undefined : rawHeaders[at + 1];
      },
    }),
  },
  'never-tries-the-second-secret': {
    summary: 'Knows two secrets while one is being replaced, and verifies with the first only.',
    breaks: ['VRF-1'],
    secrets: ['whsec-leaving', 'whsec-coming'],
    change: (policies) => ({
      ...policies,
      verify: (delivery) => policies.verify({ ...delivery, secrets: delivery.secrets.slice(0, 1) }),
    }),
  },
};

function escapeUnicode(text: string): string {
  return text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
