import fc, { type Arbitrary } from 'fast-check';

/** An Authorization header that must be refused: what was done to the right one, as data. */
export type BadAuthorization =
  | { readonly kind: 'no header' }
  | { readonly kind: 'an empty header' }
  | { readonly kind: 'the scheme without a key' }
  | { readonly kind: 'the key without a scheme' }
  | { readonly kind: 'another scheme'; readonly scheme: string }
  | { readonly kind: 'basic credentials' }
  /** `at` counts from the beginning. */
  | { readonly kind: 'one character changed'; readonly at: number }
  /** So many characters are left out; of a short key fewer, so that one stays. Default: those at its end. */
  | { readonly kind: 'the key cut off'; readonly missing: number; readonly from?: 'its beginning' }
  | { readonly kind: 'something after the key'; readonly suffix: string }
  | { readonly kind: 'something before the key'; readonly prefix: string }
  | { readonly kind: 'other letter case' }
  | { readonly kind: 'some other word'; readonly word: string };

/** No key at all. */
export const missingAuthorizations: readonly Arbitrary<BadAuthorization>[] = [
  fc.constant({ kind: 'no header' }),
  fc.constant({ kind: 'an empty header' }),
];

/** Headers with another scheme than the right one, or without one. */
const wrongSchemes: readonly Arbitrary<BadAuthorization>[] = [
  fc.constant({ kind: 'the scheme without a key' }),
  fc.constant({ kind: 'the key without a scheme' }),
  // The usual scheme of such keys is what many take beside the right one.
  fc.constant({ kind: 'another scheme', scheme: 'Bearer' }),
  fc.record({ kind: fc.constant('another scheme' as const), scheme: fc.constantFrom('Basic', 'ApiKey', 'Key') }),
  fc.constant({ kind: 'basic credentials' }),
];

/** Headers with another key than the right one. */
const wrongKeys: readonly Arbitrary<BadAuthorization>[] = [
  fc.record({ kind: fc.constant('one character changed' as const), at: fc.nat({ max: 200 }) }),
  fc.record({ kind: fc.constant('the key cut off' as const), missing: fc.integer({ min: 1, max: 12 }) }),
  fc.record({
    kind: fc.constant('the key cut off' as const),
    missing: fc.integer({ min: 1, max: 12 }),
    from: fc.constant('its beginning' as const),
  }),
  fc.record({ kind: fc.constant('something before the key' as const), prefix: fc.constantFrom('x', '0', 'xyz', '-') }),
  fc.record({ kind: fc.constant('something after the key' as const), suffix: fc.constantFrom('x', '0', 'xyz', '-') }),
  fc.record({ kind: fc.constant('something before the key' as const), prefix: fc.constantFrom('x ', 'x,') }),
  fc.record({ kind: fc.constant('something after the key' as const), suffix: fc.constantFrom(' x', ',x') }),
  fc.constant({ kind: 'other letter case' }),
  fc.record({
    kind: fc.constant('some other word' as const),
    word: fc.constantFrom('null', 'undefined', 'test', '*', "' OR '1'='1", '00000000-0000-0000-0000-000000000000'),
  }),
];

/** Headers that are not the scheme with the right key. @param given - the scheme is empty where the key stands alone */
export function wrongAuthorizations({ scheme }: { readonly scheme: string }): readonly Arbitrary<BadAuthorization>[] {
  return scheme === '' ? wrongKeys : [...wrongSchemes, ...wrongKeys];
}

/**
 * The header's value; null where it is left out.
 *
 * @param right - the scheme, a space and the user's key; the key alone where there is no scheme
 * @returns nothing where the key cannot be spoilt in this way: the value would be right
 */
export function badAuthorization(bad: BadAuthorization, right: string, scheme: string): string | null | undefined {
  const key = scheme === '' ? right : right.slice(scheme.length + 1);
  const value = spoilt(bad, scheme, key);
  return value === right || value === key + right ? undefined : value;
}

function spoilt(bad: BadAuthorization, scheme: string, key: string): string | null | undefined {
  switch (bad.kind) {
    case 'no header':
      return null;
    case 'an empty header':
      return '';
    case 'the scheme without a key':
      return scheme;
    case 'the key without a scheme':
      return key;
    case 'another scheme':
      return bad.scheme.toLowerCase() === scheme.toLowerCase() ? undefined : `${bad.scheme} ${key}`;
    case 'basic credentials':
      return `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
    case 'one character changed':
      return withScheme(scheme, changedAt(key, bad.at));
    case 'the key cut off':
      return key.length < 2 ? undefined : withScheme(scheme, cutOff(key, bad));
    case 'something before the key':
      return withScheme(scheme, bad.prefix + key);
    case 'something after the key':
      return withScheme(scheme, key + bad.suffix);
    case 'other letter case':
      return withScheme(scheme, key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase());
    case 'some other word':
      return withScheme(scheme, bad.word);
  }
}

function withScheme(scheme: string, key: string): string {
  return scheme === '' ? key : `${scheme} ${key}`;
}

function cutOff(key: string, { missing, from }: Extract<BadAuthorization, { kind: 'the key cut off' }>): string {
  const count = ((missing - 1) % (key.length - 1)) + 1;
  return from === 'its beginning' ? key.slice(count) : key.slice(0, -count);
}

/** The last two characters stay as they are: in base64 they may mean the same in other letters. */
function changedAt(key: string, at: number): string {
  const place = at % Math.max(1, key.length - 2);
  return key.slice(0, place) + (key[place] === 'a' ? 'b' : 'a') + key.slice(place + 1);
}

/** Names it in a few words, for a report. Never holds the key. */
export function describeBadAuthorization(bad: BadAuthorization): string {
  switch (bad.kind) {
    case 'another scheme':
      return `the right key after the scheme ${bad.scheme}`;
    case 'one character changed':
      return 'the key with one character changed';
    case 'the key cut off':
      return bad.from === undefined ? 'the key without its end' : 'the key without its beginning';
    case 'something before the key':
      return `the key with ${JSON.stringify(bad.prefix)} before it`;
    case 'something after the key':
      return `the key with ${JSON.stringify(bad.suffix)} after it`;
    case 'other letter case':
      return 'the key in other letter case';
    case 'some other word':
      return `${JSON.stringify(bad.word)} in the place of the key`;
    case 'no header':
    case 'an empty header':
    case 'the scheme without a key':
    case 'the key without a scheme':
    case 'basic credentials':
      return bad.kind;
  }
}
