import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  fixedSchemes,
  parseScheme,
  signatureHeaderName,
  signatureHeaders,
  verifySignature,
} from '../../spec/signature.ts';
import type { Delivery } from '../../suites/delivery.ts';
import type { ReceiverKit } from '../../suites/kit.ts';
import { forge, malformedForgeries, wellFormedForgeries } from '../../suites/receiver/forgery.ts';

const secret = 'whsec_bm8gb25lIGtub3dzIHRoaXMga2V5IGF0IGFsbA==';
const timestamp = 1_760_000_000;
const body = Buffer.from('{"data":{"id":"7"}}');

/** The little of a kit that a forgery needs. */
function signing(name: string): { kit: ReceiverKit; delivery: Delivery; isGenuine: (delivery: Delivery) => boolean } {
  const scheme = parseScheme(name);
  const header = signatureHeaderName(scheme, 'X-Signature');
  const sign = (bytes: Buffer, id: string, key = secret) =>
    signatureHeaders(scheme, header, { secret: key, body: bytes, id, timestamp });
  const kit: Pick<ReceiverKit, 'scheme' | 'signatureHeader' | 'sign'> = { scheme, signatureHeader: header, sign };
  const delivery = { id: '7', event: 'e', method: 'POST', body, headers: sign(body, '7') };
  const isGenuine = ({ headers }: Delivery) => {
    const lookup = (wanted: string) => headers.find(([other]) => other.toLowerCase() === wanted.toLowerCase())?.[1];
    return verifySignature(scheme, header, lookup, { secret, body });
  };
  return { kit: kit as ReceiverKit, delivery, isGenuine };
}

describe.each([
  'hmac-sha256-hex',
  'hmac-sha512-base64',
  'hmac-sha1-base64url',
  'sha256=hmac-sha256-hex',
  ...fixedSchemes.map(({ name }) => name),
])('under %s', (name) => {
  const { kit, delivery, isGenuine } = signing(name);

  test('the delivery itself is genuine', () => {
    expect(isGenuine(delivery)).toBe(true);
  });

  test('no forgery is', () => {
    fc.assert(
      fc.property(fc.oneof(...wellFormedForgeries, ...malformedForgeries), (forgery) => {
        const forged = forge(kit, delivery, forgery);
        expect(forged.body).toBe(delivery.body);
        expect(isGenuine(forged)).toBe(false);
      }),
      { numRuns: 400 },
    );
  });
});
