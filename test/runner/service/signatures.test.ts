import { createHmac } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { findSignature } from '../../../runner/service/signatures.ts';
import { fixedSchemes, parseScheme, signatureHeaders } from '../../../spec/signature.ts';
import type { Header } from '../../../suites/delivery.ts';
import type { Caught } from '../../../suites/exchange.ts';

const digests = ['sha1', 'sha256', 'sha512'].flatMap((algorithm) =>
  ['hex', 'base64', 'base64url'].map((encoding) => `hmac-${algorithm}-${encoding}`),
);
const schemes = [
  ...digests,
  ...digests.map((name) => `sha256=${name}`),
  'v1,hmac-sha256-base64',
  ...fixedSchemes.map(({ name }) => name),
];
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const assumed = { scheme: parseScheme('hmac-sha256-hex'), header: 'X-Assumed-Signature' };
const body = Buffer.from('{ "data": {} }\n');
const plain: readonly Header[] = [
  ['Host', 'localhost'],
  ['content-type', 'application/json'],
  ['X-Request-Id', '5be0b6a5-4d3c-4b2a-9f1e-0d9c8b7a6f5e'],
];

function caughtWith(headers: readonly Header[], bytes: Buffer = body): Caught {
  return {
    kind: 'caught',
    endpoint: 'a',
    method: 'POST',
    path: '/a',
    headers: [...plain, ...headers],
    body: bytes,
    bytes: bytes.length,
    peer: '127.0.0.1',
    at: 0,
    key: '',
    number: 1,
    step: { do: 'hang' },
    end: undefined,
  };
}

function signedBy(name: string, header: string): readonly Header[] {
  return signatureHeaders(parseScheme(name), header, { secret, body, id: 'an-id', timestamp: 1_767_225_600 });
}

describe('the signature of a delivery', () => {
  it.each(schemes)('is found in any header: %s', (name) => {
    for (const header of ['X-Assumed-Signature', 'x-hub-signature-256', 'Anything']) {
      const found = findSignature(caughtWith(signedBy(name, header)), secret, assumed);
      expect(found?.scheme.name).toBe(name);
      expect(found?.header.toLowerCase()).toBe(
        name === 'standard-webhooks' ? 'webhook-signature' : header.toLowerCase(),
      );
    }
  });

  it.each([
    [
      'hex in capitals',
      'sha256=hmac-sha256-hex',
      (value: string) => value.replace(/[\da-f]{40,}$/, (hex) => hex.toUpperCase()),
    ],
    ['hex in capitals', 'timestamped', (value: string) => value.replace(/[\da-f]{40,}$/, (hex) => hex.toUpperCase())],
    ['base64 without padding', 'v1,hmac-sha512-base64', (value: string) => value.replace(/=+$/, '')],
    ['base64 of the hex', 'hmac-sha1-hex', (value: string) => Buffer.from(value).toString('base64')],
  ])('is found as %s: %s', (variant, name, write) => {
    const headers = signedBy(name, 'X-Sum').map(([header, value]): Header => [header, write(value)]);
    expect(findSignature(caughtWith(headers), secret, assumed)).toMatchObject({
      scheme: { name },
      header: 'X-Sum',
      variant,
    });
    expect(findSignature(caughtWith(headers), `${secret}x`, assumed)).toBeUndefined();
    expect(findSignature(caughtWith(headers), secret, { ...assumed, isStated: true })).toBeUndefined();
  });

  it.each(['hex', 'base64'] as const)('is found where it is keyed with the secret read as %s', (encoding) => {
    const key = Buffer.from('a secret of some length');
    const text = key.toString(encoding);
    const value = createHmac('sha256', key).update(body).digest('hex');
    expect(findSignature(caughtWith([['X-Sum', value]]), text, assumed)).toMatchObject({
      scheme: { name: 'hmac-sha256-hex' },
      variant: `keyed with the secret read as ${encoding}`,
    });
  });

  it('is found in no other scheme than the one that the contract states, but in any header', () => {
    const stated = { ...assumed, isStated: true };
    const [right, other] = ['hmac-sha256-hex', 'hmac-sha256-base64'].map((name) => signedBy(name, 'X-Sum'));
    expect(findSignature(caughtWith(right!), secret, stated)).toMatchObject({ header: 'X-Sum' });
    expect(findSignature(caughtWith(other!), secret, stated)).toBeUndefined();
    expect(findSignature(caughtWith(other!), secret, assumed)).toBeDefined();
  });

  it('is found in the assumed header first, whatever its case', () => {
    const headers = [...signedBy('hmac-sha1-hex', 'X-Old'), ...signedBy('hmac-sha256-hex', 'x-assumed-SIGNATURE')];
    expect(findSignature(caughtWith(headers), secret, assumed)?.header).toBe('x-assumed-SIGNATURE');
  });

  it.each(schemes)('is found under no other secret, and for no other body: %s', (name) => {
    const headers = signedBy(name, 'X-Assumed-Signature');
    for (const other of ['', `${secret}x`, secret.slice(0, -1), 'another']) {
      expect(findSignature(caughtWith(headers), other, assumed)).toBeUndefined();
    }
    expect(findSignature(caughtWith(headers, Buffer.from('{"data":{}}')), secret, assumed)).toBeUndefined();
  });

  it('is not found where there is none', () => {
    expect(findSignature(caughtWith([]), secret, assumed)).toBeUndefined();
    expect(findSignature(caughtWith([['X-Assumed-Signature', '']]), secret, assumed)).toBeUndefined();
  });
});
