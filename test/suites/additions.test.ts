import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { additionsFor, describeAddition, withAddition } from '../../suites/receiver/signature/additions.ts';
import { fixedSchemes, parseScheme } from '../../spec/signature.ts';
import { providedSchemes } from '../spec/signatureForms.ts';
import { signing } from './signing.ts';

const named = [
  ...['hmac-sha256-hex', 'hmac-sha512-base64', 'hmac-sha1-base64url', 'sha256=hmac-sha256-hex'].map(parseScheme),
  ...fixedSchemes,
].map((scheme) => [scheme.name, scheme, undefined] as const);

describe.each([...named, ...providedSchemes])('under %s', (_, scheme, secret) => {
  const { kit, delivery, isGenuine } = signing(scheme, secret);
  const kinds = additionsFor(kit.scheme);

  test('a right signature with any addition holds that signature, and more, and is not the right one', () => {
    fc.assert(
      fc.property(fc.oneof(...kinds), (addition) => {
        const { headers, body } = withAddition(kit, delivery, addition);
        expect(body).toBe(delivery.body);
        const [longer, right] = [headers, delivery.headers].map((all) => all.flat().join('').length);
        expect(longer).toBeGreaterThan(right!);
        expect(isGenuine({ ...delivery, headers })).toBe(
          /^(a second value|another timestamp)/.test(describeAddition(addition)) &&
            addition.at !== 'in a header line before it' &&
            addition.at !== 'in a timestamp before it',
        );
      }),
      { numRuns: 400 },
    );
  });
});
