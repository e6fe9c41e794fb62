import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { fixedSchemes, parseScheme } from '../../spec/signature.ts';
import { providedSchemes } from '../spec/signatureForms.ts';
import { forge, knownSecrets, malformedForgeries, wellFormedForgeries } from '../../suites/receiver/forgery.ts';
import { signing } from './signing.ts';

const named = [
  ...['hmac-sha256-hex', 'hmac-sha512-base64', 'hmac-sha1-base64url', 'sha256=hmac-sha256-hex'].map(parseScheme),
  ...fixedSchemes,
].map((scheme) => [scheme.name, scheme, undefined] as const);

describe.each([...named, ...providedSchemes])('under %s', (_, scheme, secret) => {
  const { kit, delivery, isGenuine } = signing(scheme, secret);

  test('the delivery itself is genuine', () => {
    expect(isGenuine(delivery)).toBe(true);
  });

  test('no forgery is', () => {
    fc.assert(
      fc.property(
        fc.oneof(...wellFormedForgeries, ...malformedForgeries, fc.constantFrom(...knownSecrets)),
        (forgery) => {
          const forged = forge(kit, delivery, forgery);
          expect(forged.body).toBe(delivery.body);
          expect(isGenuine(forged)).toBe(false);
        },
      ),
      { numRuns: 400 },
    );
  });
});
