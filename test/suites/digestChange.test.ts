import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { parseScheme } from '../../spec/signature.ts';
import { changedDigest, type DigestChange } from '../../suites/receiver/digestChange.ts';

const text = 'what is signed';
const cases: readonly [scheme: string, change: DigestChange, places: readonly number[]][] = [
  ['hmac-sha256-hex', { kind: 'one character changed', at: 5 }, [5]],
  ['hmac-sha256-hex', { kind: 'one character changed', at: -1 }, [63]],
  ['hmac-sha256-base64', { kind: 'one character changed', at: -1 }, [39]],
  ['hmac-sha256-hex', { kind: 'a character that is no digit', character: '~', at: 7 }, [7]],
  ['hmac-sha256-hex', { kind: 'a character that is no digit', character: '~', at: -2 }, [62]],
  ['hmac-sha256-hex', { kind: 'a character that is no digit', character: '~', at: 'every place' }, through(0, 64)],
  ['hmac-sha256-hex', { kind: 'another digest in a part of it', where: 'the first half' }, through(0, 32)],
  ['hmac-sha256-hex', { kind: 'another digest in a part of it', where: 'the last half' }, through(32, 64)],
  ['hmac-sha256-hex', { kind: 'another digest in a part of it', where: 'the middle' }, through(16, 48)],
  ['hmac-sha256-base64', { kind: 'another digest in a part of it', where: 'all of it' }, through(0, 40)],
  ['hmac-sha256-hex', { kind: 'the same digits in another order', where: 'the last half' }, through(32, 64)],
];

test.each(cases)('%s: %o changes nothing else', (name, change, places) => {
  const scheme = parseScheme(name);
  const digest = createHash('sha256').update(text).digest(scheme.digest);
  const changed = changedDigest(scheme, digest, change);
  const differing = through(0, digest.length).filter((place) => changed[place] !== digest[place]);
  expect(changed).toHaveLength(digest.length);
  expect(places).toEqual(expect.arrayContaining(differing));
  // Two digests, or two digits, may have a digit in common by chance.
  expect(differing.length).toBeGreaterThan(places.length * 0.75);
});

test.each(['hmac-sha256-hex', 'hmac-sha256-base64'])('%s: behind a byte of zero every byte is another', (name) => {
  const scheme = parseScheme(name);
  const bytes = Buffer.from([7, 0, ...through(2, 32)]);
  const changed = changedDigest(scheme, bytes.toString(scheme.digest), {
    kind: 'another digest behind a byte of zero',
  });
  const same = Array.from(Buffer.from(changed, scheme.digest)).map((byte, place) => byte === bytes[place]);
  expect(same).toEqual([true, true, ...Array<boolean>(30).fill(false)]);
});

function through(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, place) => from + place);
}
