import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { fixedSchemes } from '../../spec/signature.ts';
import { forge, malformedForgeries, wellFormedForgeries } from '../../suites/receiver/forgery.ts';
import { signing } from './signing.ts';

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
