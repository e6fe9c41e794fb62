import type { IncomingMessage } from 'node:http';

import { parseJson, type ArrivedDelivery } from '../../receiver/records.ts';
import type { ReceiverPolicies } from '../../receiver/policies.ts';
import { sign, verifier } from '../../receiver/verify.ts';
import type { ReceiverFaults } from './fault.ts';

/** Verifies something else than the bytes that arrived. */
function verifying(policies: ReceiverPolicies, rewrite: (body: Buffer) => Buffer): ReceiverPolicies {
  return {
    ...policies,
    verify: (delivery: ArrivedDelivery) => policies.verify({ ...delivery, body: rewrite(delivery.body) }),
  };
}

/** Verifies and reads something else than the bytes that arrived. */
function reading(
  policies: ReceiverPolicies,
  rewrite: (body: Buffer, head: IncomingMessage) => Buffer,
): ReceiverPolicies {
  return { ...policies, collect: async (head) => rewrite(await policies.collect(head), head) };
}

/** Verifies the body as text in which something was replaced. */
function replacing(policies: ReceiverPolicies, pattern: RegExp, replacement: Replacement): ReceiverPolicies {
  return verifying(policies, (body) => bytesReplaced(body, pattern, replacement));
}

type Replacement = string | ((found: string) => string);

/** As latin1 every byte keeps its value, so that nothing but the replacement changes. @param pattern - in linear time: bodies have megabytes */
function bytesReplaced(body: Buffer, pattern: RegExp, replacement: Replacement): Buffer {
  // Typed for either of the two, not for both.
  return Buffer.from(body.toString('latin1').replaceAll(pattern, replacement as string), 'latin1');
}

/** Verifies what arrived, and where that fails something else. */
function orVerifying(policies: ReceiverPolicies, rewrite: (text: string) => string): ReceiverPolicies {
  const { verify } = verifying(policies, (body) => Buffer.from(rewrite(body.toString())));
  return { ...policies, verify: (delivery) => policies.verify(delivery) || verify(delivery) };
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
    change: (policies) => replacing(policies, /^[ \t\r\n]+|(?<![ \t\r\n])[ \t\r\n]+$/g, ''),
  },
  'digests-the-first-64-kib': {
    summary: 'Verifies the first 64 KiB of a body, and reads all of it.',
    breaks: ['VRF-3'],
    change: (policies) => verifying(policies, (body) => body.subarray(0, 64 * 1024)),
  },
  'reads-the-body-line-by-line': {
    summary: 'Verifies the body with its line ends taken out.',
    breaks: ['VRF-3', 'VRF-1'],
    change: (policies) => replacing(policies, /\r?\n/g, ''),
  },
  'takes-percent-escapes-out-before-it-digests': {
    summary: 'Verifies the body as if a form had sent it, with its percent escapes taken out.',
    breaks: ['VRF-3', 'VRF-1'],
    change: (policies) =>
      replacing(policies, /%[\da-f]{2}/gi, (escape) => String.fromCharCode(parseInt(escape.slice(1), 16))),
  },
  'takes-entities-out-before-it-digests': {
    summary: 'Verifies the body as a filter left it that takes the entities of HTML out of every request.',
    breaks: ['VRF-3', 'VRF-1'],
    change: (policies) => replacing(policies, /&lt;/g, '<'),
  },
  'reads-plus-signs-as-spaces-before-it-digests': {
    summary: 'Verifies the body with a space in place of every plus sign, as forms are read.',
    breaks: ['VRF-3', 'VRF-1'],
    change: (policies) => replacing(policies, /\+/g, ' '),
  },
  'verifies-the-body-as-text': {
    summary:
      'Decodes the body to text, without its byte order mark and with U+FFFD for what is no UTF-8, and verifies that.',
    breaks: ['VRF-3'],
    change: (policies) => reading(policies, (body) => Buffer.from(new TextDecoder().decode(body))),
  },
  'strips-a-byte-order-mark-before-it-digests': {
    summary: 'Verifies the body without the byte order mark before it.',
    breaks: ['VRF-3'],
    change: (policies) => replacing(policies, /^\xef\xbb\xbf/g, ''),
  },
  'drops-what-is-no-utf-8-before-it-digests': {
    summary: 'Leaves out bytes that are no UTF-8 before it verifies the body.',
    breaks: ['VRF-3', 'VRF-1'],
    change: (policies) =>
      reading(policies, (body) => Buffer.from(body.toString('utf8').replaceAll('\ufffd', ''), 'utf8')),
  },
  'reads-surrogates-of-three-bytes': {
    summary: 'Decodes the body as CESU-8, in which two surrogates of three bytes stand for one character.',
    breaks: ['VRF-3'],
    change: (policies) =>
      reading(policies, (body) =>
        body.includes(0xed) ? Buffer.from(surrogatesJoined(body.toString('latin1')), 'latin1') : body,
      ),
  },
  'reads-overlong-forms': {
    summary: 'Decodes a solidus that is written in two bytes.',
    breaks: ['VRF-3'],
    change: (policies) => reading(policies, (body) => bytesReplaced(body, /\xc0\xaf/g, '/')),
  },
  'digests-up-to-the-first-nul': {
    summary: 'Hands the body to a function that takes a NUL for its end.',
    breaks: ['VRF-3'],
    change: (policies) => reading(policies, (body) => bytesReplaced(body, /\0[^]*$/g, '')),
  },
  'trims-unicode-white-space-before-it-digests': {
    summary: 'Verifies the body without what a trimming function counts as white space around it.',
    breaks: ['VRF-3', 'VRF-1'],
    change: (policies) => reading(policies, (body) => Buffer.from(body.toString('utf8').trim())),
  },
  'normalises-text-before-it-digests': {
    summary: 'Verifies the body with every character composed (NFC).',
    breaks: ['VRF-3', 'VRF-1'],
    change: (policies) => verifying(policies, (body) => Buffer.from(body.toString('utf8').normalize('NFC'))),
  },
  'takes-what-php-would-have-signed': {
    summary: 'Takes the signature of the body as PHP writes it as well.',
    breaks: ['VRF-3'],
    change: (policies) => orVerifying(policies, (text) => escapeUnicode(text.replaceAll(/(?<!\\)\//g, '\\/'))),
  },
  'takes-the-signature-of-ascii': {
    summary: 'Takes the signature of the body with escapes for all characters beyond ASCII as well.',
    breaks: ['VRF-3'],
    change: (policies) => orVerifying(policies, escapeUnicode),
  },
  'takes-the-signature-of-other-line-ends': {
    summary: 'Verifies the body with a line feed for each line end of two characters as well.',
    breaks: ['VRF-3'],
    change: (policies) => orVerifying(policies, (text) => text.replaceAll('\r\n', '\n')),
  },
  'digests-by-the-charset': {
    summary: 'Decodes the body by the charset of its Content-Type, and verifies that text in UTF-8.',
    breaks: ['VRF-3'],
    change: (policies) =>
      reading(policies, (body, { headers }) => {
        const [, charset = 'utf-8'] = /charset=(utf-16le|iso-8859-1)/i.exec(headers['content-type'] ?? '') ?? [];
        return charset === 'utf-8' ? body : Buffer.from(new TextDecoder(charset).decode(body));
      }),
  },
  'drops-tabs-before-it-digests': {
    summary: 'Verifies the body without its tabs.',
    breaks: ['VRF-3', 'VRF-1'],
    change: (policies) => replacing(policies, /\t/g, ''),
  },
  'drops-spaces-before-colons': {
    summary: 'Verifies the body without the spaces before its colons.',
    breaks: ['VRF-3', 'VRF-1'],
    change: (policies) => replacing(policies, /(?<! ) +:/g, ':'),
  },
  'unescapes-names-before-it-digests': {
    summary: 'Verifies the body with every escaped letter of a name written plainly.',
    breaks: ['VRF-3', 'VRF-1'],
    change: (policies) =>
      replacing(policies, /"[^"\\]*\\u00[^"]*"(?=\s*:)/g, (name) => JSON.stringify(JSON.parse(name))),
  },
  'reads-no-escapes-in-names': {
    summary:
      'Verifies the right bytes, and then looks for the names of the members that it needs, of which it knows no spelling with escapes.',
    breaks: ['VRF-1', 'IDM-1', 'RCV-2', 'RCV-6'],
    change: (policies) => ({
      ...policies,
      read: (body) => (escapedNames(body).some((name) => needed.has(name)) ? undefined : policies.read(body)),
    }),
  },
  'digests-text-as-latin1': {
    summary: 'Decodes the body to text and digests one byte for each of its characters.',
    breaks: ['VRF-1'],
    change: (policies) => ({
      ...policies,
      verify: verifier({ sign: (body, secret) => sign(Buffer.from(body.toString('utf8'), 'latin1'), secret) }),
    }),
  },
  'digests-unicode-as-escapes': {
    summary: 'Digests the body with every character beyond ASCII written as an escape.',
    breaks: ['VRF-1', 'VRF-3'],
    change: (policies) => verifying(policies, (body) => Buffer.from(escapeUnicode(body.toString('utf8')))),
  },
  'decodes-the-body-part-by-part': {
    summary: 'Decodes each part of the body to text as it arrives, so that a character in two halves is lost.',
    breaks: ['VRF-1', 'VRF-3'],
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
  'reads-no-plus-in-exponents': {
    summary:
      'Verifies the right bytes, and then reads numbers with a pattern of its own, which has no "+" before an exponent.',
    breaks: ['VRF-1', 'IDM-1', 'RCV-2'],
    change: (policies) => ({
      ...policies,
      read: (body) => (/[:,[]\s*-?\d[\d.]*e\+/i.test(body.toString('latin1')) ? undefined : policies.read(body)),
    }),
  },
  'ignores-what-a-pattern-finds-no-event-in': {
    summary:
      'Looks for the event with a pattern over the raw body, and acknowledges without effect where it finds none.',
    breaks: ['VRF-1'],
    change: (policies) => ({
      ...policies,
      accept: async (notification, store, delivery) =>
        delivery.body.includes('"event":"') ? policies.accept(notification, store, delivery) : 'new',
    }),
  },
  'digests-nothing-of-what-lies-in-a-file': {
    summary: 'Verifies an empty body where the server has put a large one into a file.',
    breaks: ['RCV-2', 'VRF-1'],
    change: (policies) => verifying(policies, (body) => (body.length > 16 * 1024 ? Buffer.alloc(0) : body)),
  },
  'digests-the-body-without-its-backslashes': {
    summary: 'Takes the backslashes out of the body before it computes the digest, as stripslashes of PHP does.',
    breaks: ['VRF-1', 'VRF-3'],
    change: (policies) =>
      verifying(policies, (body) => Buffer.from(body.toString('latin1').replaceAll(/\\(.)/g, '$1'), 'latin1')),
  },
};

function escapeUnicode(text: string): string {
  return text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** @param bytes - as latin1 */
function surrogatesJoined(bytes: string): string {
  return bytes.replaceAll(/\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]/g, (six) => {
    const unit = (at: number) => 0xd000 | ((six.charCodeAt(at) & 0x3f) << 6) | (six.charCodeAt(at + 1) & 0x3f);
    return Buffer.from(String.fromCharCode(unit(1), unit(4))).toString('latin1');
  });
}

/** What a receiver asks a notification for. */
const needed: ReadonlySet<unknown> = new Set(['data', 'id', 'attributes', 'event']);

/** The names of members that are written with an escape, as they are meant. */
function escapedNames(body: Buffer): readonly unknown[] {
  const names = body.toString().matchAll(/"[^"\\]*\\u[^"]*"(?=\s*:)/g);
  return Array.from(names, ([name]) => parseJson(Buffer.from(name)));
}
