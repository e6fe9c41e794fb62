import { createHash, createHmac, randomUUID } from 'node:crypto';

import { isAccepting, notification, signatureOf, type Sending, type Seen, type Target } from '../target.ts';
import type { Demonstration, Demonstrations } from './demonstration.ts';

const wrong = '0'.repeat(64);

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Shown where a delivery with this signature is accepted. */
function forging(forge: (body: string, target: Target) => Sending['signature'], body = notification()): Demonstration {
  return async (target) => isAccepting(await target.send({ body, signature: forge(body, target)! }));
}

export const forgeryDemonstrations: Demonstrations = {
  'verifies-nothing': forging(() => wrong),
  'accepts-a-missing-header': forging(() => null),
  'accepts-an-empty-header': forging(() => ''),
  'accepts-an-empty-secret': forging((body) => signatureOf(body, '')),
  'accepts-a-plain-hash': forging(hash),
  'takes-the-signature-for-a-pattern': forging(() => '*'),
  'takes-the-signature-for-a-regular-expression': forging(() => '.*'),
  'accepts-a-hash-of-secret-and-body': forging((body, { secrets: [secret] }) => hash(`${secret}${body}`)),
  'accepts-a-hash-of-body-and-secret': forging((body, { secrets: [secret] }) => hash(`${body}${secret}`)),
  'accepts-a-hash-of-a-secret-and-a-dot-and-the-body': forging((body, { secrets: [secret] }) =>
    hash(`${secret}.${body}`),
  ),
  'takes-an-exception-for-a-pass': forging(() => 'short'),
  'compares-a-prefix-only': forging((body, target) => target.sign(body).slice(0, 8).padEnd(64, '0')),
  'compares-sums-of-digests': forging((body, target) => target.sign(body).replace(/^(..)(.*)$/, '$2$1')),
  'accepts-a-truncated-signature': forging((body, target) => target.sign(body).slice(0, 20)),
  'takes-a-signature-that-sorts-before': forging(() => wrong),
  'decodes-hex-leniently': forging((body, target) => `${target.sign(body)}~zz`),
  'searches-for-the-signature-in-the-header': forging((body, target) => `${target.sign(body)}00`),
  'takes-an-empty-list-for-verified': forging(() => ','),
  'reads-the-signature-up-to-a-comma': forging((body, target) => `${target.sign(body)},x`),
  'reads-the-signature-up-to-an-equals-sign': forging((body, target) => `${target.sign(body)}=x`),
  'trims-punctuation-off-the-signature': forging((body, target) => `${target.sign(body)};`),
  'takes-any-name-before-the-signature': forging((body, target) => `x=${target.sign(body)}`),
  'compares-the-end-of-the-header': forging((body, target) => `00${target.sign(body)}`),
  'skips-spaces-in-hex': forging((body, target) => target.sign(body).replace(/(?<=^..)/, ' ')),
  'takes-the-first-of-two-headers': forging((body, target) => [target.sign(body), wrong]),
  'trusts-a-signature-seen-before': async (target) => {
    const body = notification();
    const genuine = await target.send({ body });
    return isAccepting(genuine) && isAccepting(await target.send({ signature: target.sign(body) }));
  },
  'verifies-no-redelivery': async (target) => {
    const body = notification();
    await target.send({ body });
    return isAccepting(await target.send({ body, signature: wrong }));
  },
  'takes-the-algorithm-from-the-header': forging((body) => `sha1=${createHmac('sha1', '').update(body).digest('hex')}`),
  'undoes-what-comes-forged': async (target) => {
    const id = randomUUID();
    const body = notification(id);
    await target.send({ body });
    const before = await target.settledEffects(id);
    await target.send({ body, signature: wrong });
    return before === 1 && (await target.effects(id)) === 0;
  },
  'passes-what-is-not-hex-and-fails-without-a-header': forging(() => 'zz'),
};

export const comparisonDemonstrations: Demonstrations = {
  'compares-a-prefix-and-a-sum': forging((body, target) => target.sign(body).replace(/^(.{8})(..)(.*)$/, '$1$3$2')),
  'compares-the-ends-of-the-digest': forging((body, target) => target.sign(body).replace(/(?<=^.{31})../, 'ff')),
  'looks-at-seven-bits-of-a-digit': forging((body, target) =>
    target.sign(body).replace(/^./, (digit) => String.fromCharCode(digit.charCodeAt(0) | 0x80)),
  ),
  'folds-forms-of-digits': forging((body, target) =>
    target.sign(body).replaceAll('a', '\u00aa').replaceAll('1', '\u00b9'),
  ),
  'compares-digests-as-numbers': forging((body, target) => `0${target.sign(body)}`),
  'writes-a-secret-that-is-not-there': forging((body) => signatureOf(body, 'undefined')),
  'takes-the-signature-of-nothing': forging((_body, target) => target.sign('')),
  'lets-the-fourth-copy-of-a-forgery-through': async (target) => {
    const body = notification();
    for (let tried = 0; tried < 3; tried++) await target.send({ body, signature: wrong });
    return isAccepting(await target.send({ body, signature: wrong }));
  },
  'leaves-another-senders-signature-to-others': async (target) =>
    isAccepting(await target.send({ signature: wrong, headers: ['X-Hub-Signature', wrong] })),
  'passes-over-a-digit-in-the-middle': forging((body, target) => target.sign(body).replace(/(?<=^.{32})./, 'x')),
  'compares-the-end-of-the-digest': forging((body, target) => target.sign(body).slice(1)),
  'compares-digests-up-to-a-zero': async (target) => {
    let body = notification();
    while (!target.sign(body).startsWith('00')) body = notification();
    return isAccepting(await target.send({ body, signature: wrong }));
  },
  'searches-for-the-signature-in-the-right-one': forging((body, target) => target.sign(body).slice(20, 40)),
  'verifies-what-looks-like-a-signature': forging(() => 'short'),
};

/** Shown where a genuine delivery of this body is refused. */
function refusing(body: string, sending: Sending = {}): Demonstration {
  return async (target) => (await target.send({ body, ...sending })).status === 401;
}

/** Shown where a body is accepted under the signature of another one. */
function changing(change: (body: string) => { signed: string; sent: string | Buffer; type?: string }): Demonstration {
  return async (target) => {
    const { signed, sent, type } = change(notification(undefined, { note: '@' }));
    const seen = await target.send({ body: sent, signature: target.sign(signed), ...(type && { contentType: type }) });
    return isAccepting(seen);
  };
}

/** The same where one text stands in the signed body, and other bytes in the one that is sent. */
function inPlaceOf(text: string, bytes: readonly number[]): Demonstration {
  return changing((body) => {
    const [before = '', after = ''] = body.split('@');
    return {
      signed: before + text + after,
      sent: Buffer.concat([before, bytes, after].map((part) => Buffer.from(part))),
    };
  });
}

const spanish = notification(undefined, { included: [{ name: 'Coruña \u{1f6a2}' }] });

export const rawBodyDemonstrations: Demonstrations = {
  'verifies-reserialised-json': refusing(notification().replace('{', '{ ')),
  'unescapes-slashes-before-it-digests': refusing(notification(undefined, { note: 'a/b' }).replace('a/b', 'a\\/b')),
  'trims-the-body-before-it-digests': refusing(`${notification()}\n`),
  'digests-the-first-64-kib': changing((body) => {
    const signed = body.padEnd(64 * 1024);
    return { signed, sent: `${signed} ` };
  }),
  'reads-the-body-line-by-line': refusing(notification().replace('{', '{\r\n')),
  'takes-percent-escapes-out-before-it-digests': inPlaceOf('/', [...Buffer.from('%2F')]),
  'takes-entities-out-before-it-digests': inPlaceOf('<', [...Buffer.from('&lt;')]),
  'reads-plus-signs-as-spaces-before-it-digests': inPlaceOf(' ', [...Buffer.from('+')]),
  'verifies-the-body-as-text': inPlaceOf('\ufffd', [0xff]),
  'strips-a-byte-order-mark-before-it-digests': changing((body) => ({ signed: body, sent: `\ufeff${body}` })),
  'drops-what-is-no-utf-8-before-it-digests': inPlaceOf('', [0xff]),
  'reads-surrogates-of-three-bytes': inPlaceOf('\u{1f6a2}', [0xed, 0xa0, 0xbd, 0xed, 0xba, 0xa2]),
  'reads-overlong-forms': inPlaceOf('/', [0xc0, 0xaf]),
  'digests-up-to-the-first-nul': changing((body) => ({ signed: body, sent: `${body}\0` })),
  'trims-unicode-white-space-before-it-digests': changing((body) => ({ signed: body, sent: `${body}\u00a0` })),
  'normalises-text-before-it-digests': inPlaceOf('\u00e9', [...Buffer.from('e\u0301')]),
  'takes-what-php-would-have-signed': changing((body) => {
    const sent = body.replace('@', 'a/b');
    return { sent, signed: sent.replaceAll('/', '\\/') };
  }),
  'takes-the-signature-of-ascii': inPlaceOf('\\u00e9', [...Buffer.from('\u00e9')]),
  'takes-the-signature-of-other-line-ends': changing((body) => ({ signed: `${body}\n`, sent: `${body}\r\n` })),
  'digests-by-the-charset': changing((body) => ({
    signed: body,
    sent: Buffer.from(body, 'utf16le'),
    type: 'application/json; charset=utf-16le',
  })),
  'drops-tabs-before-it-digests': refusing(notification().replace('{', '{\t')),
  'drops-spaces-before-colons': refusing(notification().replace(':', ' :')),
  'unescapes-names-before-it-digests': refusing(notification().replace('"data"', '"d\\u0061ta"')),
  'reads-no-escapes-in-names': async (target) =>
    (await target.send({ body: notification().replace('"data"', '"d\\u0061ta"') })).status === 400,
  'reads-no-plus-in-exponents': async (target) =>
    (await target.send({ body: notification(undefined, { note: 1 }).replace(/(?<="note":)1/, '1E+0') })).status === 400,
  'ignores-what-a-pattern-finds-no-event-in': async (target) => {
    const id = randomUUID();
    const { status } = await target.send({ body: notification(id).replace('"event":', '"event": ') });
    return status === 202 && (await target.settledEffects(id)) === 0;
  },
  'digests-nothing-of-what-lies-in-a-file': refusing(notification(undefined, { note: 'x'.repeat(17 * 1024) })),
  'digests-text-as-latin1': refusing(spanish),
  'digests-unicode-as-escapes': refusing(spanish),
  'decodes-the-body-part-by-part': refusing(spanish, { cutAt: Buffer.from(spanish).indexOf('\u00f1') + 1 }),
  'looks-the-header-up-by-exact-case': refusing(notification(), { signatureName: 'x-svc-webhook-signature' }),
  'never-tries-the-second-secret': async (target) => {
    const body = notification();
    return (await target.send({ body, signature: signatureOf(body, target.secrets.at(-1)!) })).status === 401;
  },
  'digests-the-body-without-its-backslashes': refusing(notification(undefined, { note: '"' })),
};

/** Shown where a delivery with such a digest is refused, and one of each other digest accepted. */
function refusingDigests(which: RegExp): Demonstration {
  return async (target) => {
    const bodies = Array.from({ length: 400 }, () => notification());
    const [odd, plain] = [true, false].map((isOdd) => bodies.find((body) => which.test(target.sign(body)) === isOdd));
    const accepted = await Promise.all(
      [odd, plain].map(async (body) => isAccepting(await target.send({ body: body! }))),
    );
    return !accepted[0]! && accepted[1]!;
  };
}

export const digestDemonstrations: Demonstrations = {
  'writes-small-bytes-as-one-digit': refusingDigests(/^(..)*0/),
  'writes-the-digest-as-a-number': refusingDigests(/^0/),
  'shares-what-it-verifies': async (target) => {
    const seen = await Promise.all(Array.from({ length: 12 }, () => target.send({ body: notification() })));
    return seen.some(({ status }) => status === 401);
  },
  'shares-an-hmac-between-large-bodies': async (target) => {
    const body = () => notification(undefined, { included: [{ note: 'a'.repeat(60_000) }] });
    const alone = await target.send({ body: body() });
    const seen = await Promise.all(Array.from({ length: 12 }, () => target.send({ body: body() })));
    return isAccepting(alone) && seen.some(({ status }) => status === 401);
  },
};

/** Shown by the answer to a delivery with this signature. */
function refusal(
  shows: (seen: Seen, expected: string) => boolean,
  signature: Sending['signature'] & {} = wrong,
): Demonstration {
  return async (target) => {
    const body = notification();
    return shows(await target.send({ body, signature }), target.sign(body));
  };
}

/** Shown where a delivery with this signature is refused, and takes effect. */
function effective(signature: string | null): Demonstration {
  return async (target) => {
    const id = randomUUID();
    const { status } = await target.send({ body: notification(id), signature });
    return status === 401 && (await target.settledEffects(id)) === 1;
  };
}

export const refusalDemonstrations: Demonstrations = {
  'refuses-with-200': refusal(({ status }) => status === 200),
  'refuses-with-a-redirect': refusal(({ status }) => status === 302),
  'refuses-with-500': refusal(({ status }) => status === 500),
  'leaks-the-expected-signature': refusal(({ body }, expected) => body.includes(expected)),
  'leaks-half-of-the-expected-signature': refusal(({ body }, expected) => body.includes(expected.slice(0, 32))),
  'leaks-the-expected-signature-in-a-header': refusal(({ headers }, expected) => headers.includes(expected)),
  'throws-on-another-length': refusal(({ status }) => status === 500, 'short'),
  'throws-on-a-non-ascii-header': refusal(({ status }) => status === 500, '\u00e9\u00e9'),
  'takes-effect-although-it-refuses': effective(wrong),
  'works-on-although-the-header-is-missing': effective(null),
  'works-on-where-the-comparison-throws': effective('short'),
};

/** Shown where a delivery with this signature is answered with 500. */
function failing(signature: Sending['signature'] & {}): Demonstration {
  return refusal(({ status }) => status === 500, signature);
}

export const signatureParsingDemonstrations: Demonstrations = {
  'fails-on-what-is-not-hex': failing('z'.repeat(64)),
  'fails-on-an-odd-number-of-digits': failing('0'.repeat(63)),
  'counts-characters-and-compares-bytes': failing('\u00e9'.repeat(64)),
  'fails-on-full-width-digits': failing(Buffer.from('\uff10'.repeat(64)).toString('latin1')),
  'fails-on-a-header-that-is-no-utf-8': failing('\u00ed\u00a0\u0080'.repeat(22).slice(0, 64)),
  'fails-on-a-longer-signature': failing('0'.repeat(65)),
  'fails-on-a-second-signature-header': failing([wrong, wrong]),
  'fails-on-a-list-of-signatures': failing(`${wrong}, ${wrong}`),
  'fails-on-a-prefix-without-a-digest': failing('sha256='),
};
