import { createHash, randomUUID } from 'node:crypto';

import { isAccepting, notification, signatureOf, type Sending, type Seen, type Target } from '../target.ts';
import type { Demonstration, Demonstrations } from './demonstration.ts';

const wrong = '0'.repeat(64);

/** Shown where a delivery with this signature is accepted. */
function forging(forge: (body: string, target: Target) => Sending['signature'], body = notification()): Demonstration {
  return async (target) => isAccepting(await target.send({ body, signature: forge(body, target)! }));
}

export const forgeryDemonstrations: Demonstrations = {
  'verifies-nothing': forging(() => wrong),
  'accepts-a-missing-header': forging(() => null),
  'accepts-an-empty-header': forging(() => ''),
  'accepts-an-empty-secret': forging((body) => signatureOf(body, '')),
  'accepts-a-plain-hash': forging((body) => createHash('sha256').update(body).digest('hex')),
  'takes-an-exception-for-a-pass': forging(() => 'short'),
  'compares-a-prefix-only': forging((body, target) => target.sign(body).slice(0, 8).padEnd(64, '0')),
  'accepts-a-truncated-signature': forging((body, target) => target.sign(body).slice(0, 20)),
  'takes-a-signature-that-sorts-before': forging(() => wrong),
  'decodes-hex-leniently': forging((body, target) => `${target.sign(body)}~zz`),
  'searches-for-the-signature-in-the-header': forging((body, target) => `${target.sign(body)}00`),
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
};

/** Shown where a genuine delivery of this body is refused. */
function refusing(body: string, sending: Sending = {}): Demonstration {
  return async (target) => (await target.send({ body, ...sending })).status === 401;
}

const spanish = notification(undefined, { included: [{ name: 'Coruña \u{1f6a2}' }] });

export const rawBodyDemonstrations: Demonstrations = {
  'verifies-reserialised-json': refusing(notification().replace('{', '{ ')),
  'unescapes-slashes-before-it-digests': refusing(notification(undefined, { note: 'a/b' }).replace('a/b', 'a\\/b')),
  'trims-the-body-before-it-digests': refusing(`${notification()}\n`),
  'reads-the-body-line-by-line': refusing(notification().replace('{', '{\r\n')),
  'digests-text-as-latin1': refusing(spanish),
  'digests-unicode-as-escapes': refusing(spanish),
  'decodes-the-body-part-by-part': refusing(spanish, { cutAt: Buffer.from(spanish).indexOf('\u00f1') + 1 }),
  'looks-the-header-up-by-exact-case': refusing(notification(), { signatureName: 'x-svc-webhook-signature' }),
  'never-tries-the-second-secret': async (target) => {
    const body = notification();
    return (await target.send({ body, signature: signatureOf(body, target.secrets.at(-1)!) })).status === 401;
  },
};

/** Shown by the answer to a delivery with this signature. */
function refusal(shows: (seen: Seen, expected: string) => boolean, signature = wrong): Demonstration {
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
  'leaks-the-expected-signature-in-a-header': refusal(({ headers }, expected) => headers.includes(expected)),
  'throws-on-another-length': refusal(({ status }) => status === 500, 'short'),
  'throws-on-a-non-ascii-header': refusal(({ status }) => status === 500, '\u00e9\u00e9'),
  'takes-effect-although-it-refuses': effective(wrong),
  'works-on-although-the-header-is-missing': effective(null),
  'works-on-where-the-comparison-throws': effective('short'),
};
