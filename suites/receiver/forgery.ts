import { createHash, createHmac } from 'node:crypto';

import fc, { type Arbitrary } from 'fast-check';

import { lazily } from '../../generators/arbitraries.ts';
import { type SignatureScheme, signedBytes, signingKey } from '../../spec/signature.ts';
import type { Delivery, Header } from '../delivery.ts';
import type { SigningKit } from '../kit.ts';
import { changedDigest, type DigestChange, digitsOf, parts, wrongDigest } from './digestChange.ts';
import { isSignature, withSignatureField, withSignatureValue } from './signatureHeader.ts';
import { headerValue } from '../../spec/headerText.ts';

/** A signature that is not the one of the body: what was done to the right one, as data. */
export type Forgery =
  | { readonly kind: 'another secret'; readonly secret: string }
  | { readonly kind: 'an empty secret' }
  | { readonly kind: 'a secret that anybody knows'; readonly secret: string }
  | { readonly kind: 'the signature of another body'; readonly suffix: string }
  | { readonly kind: 'the signature of an empty body' }
  /** For schemes that sign more than the body. */
  | { readonly kind: 'the signature of the body alone' }
  | { readonly kind: 'a plain hash without a secret' }
  | { readonly kind: 'a plain hash of secret and body'; readonly of: HashedParts; readonly between: string }
  /** Which algorithm it is stands before the digest. */
  | { readonly kind: 'another algorithm'; readonly algorithm: string; readonly of: WithoutSecret }
  | { readonly kind: 'no signature header' }
  | { readonly kind: 'an empty signature' }
  | { readonly kind: 'some other word'; readonly word: string }
  | { readonly kind: 'another timestamp'; readonly timestamp: string }
  | DigestChange
  | { readonly kind: 'two wrong signatures'; readonly in: 'two header lines' | 'a list' };

/** What is hashed in place of an HMAC, in this order. */
type HashedParts = 'secret and body' | 'body and secret' | 'secret, body and secret';

/** What anybody can make of a body. */
type WithoutSecret = 'a plain hash' | 'an HMAC with an empty secret';

/** The forgery that stands for all, where any will do. */
export const plainForgery: Forgery = { kind: 'another secret', secret: 'forged' };

/** One of each that a receiver without a secret, or with an inverted verdict, accepts. */
export const plainForgeries: readonly Forgery[] = [
  plainForgery,
  { kind: 'no signature header' },
  { kind: 'an empty secret' },
];

/** Forgeries that look like a signature: the right length, the right characters. */
export const wellFormedForgeries: readonly Arbitrary<Forgery>[] = [
  fc.record({
    kind: fc.constant('another secret' as const),
    secret: lazily(() => fc.stringMatching(/^[a-zA-Z0-9]{1,40}$/)),
  }),
  fc.record({ kind: fc.constant('an empty secret' as const) }),
  fc.record({
    kind: fc.constant('the signature of another body' as const),
    suffix: fc.constantFrom(' ', '\n', '\t', '  '),
  }),
  fc.record({ kind: fc.constant('a plain hash without a secret' as const) }),
  hashed('secret and body'),
  hashed('body and secret'),
  hashed('secret, body and secret'),
  ...['.', ':', '|', '\n'].map((between) => hashed('secret and body', between)),
  changedDigit(0),
  changedDigit(-1),
  ...parts.map((where) => fc.constant({ kind: 'the same digits in another order' as const, where })),
  ...[...parts.slice(1), 'every other digit' as const].map((where) =>
    fc.constant({ kind: 'another digest in a part of it' as const, where }),
  ),
  fc.constant({ kind: 'the signature of an empty body' as const }),
];

/** What a secret that is not there turns into when it is written as text, and what stands in examples. */
export const knownSecrets: readonly Forgery[] = [
  'undefined',
  'null',
  'None',
  'nil',
  '<nil>',
  'false',
  '0',
  '[object Object]',
  'secret',
  'changeme',
  'test',
  'password',
  'dev',
  'your-secret',
  'whsec_test',
].map((secret) => ({ kind: 'a secret that anybody knows', secret }));

/** What anything matches: as a regular expression, in a shell, in SQL. */
export const patterns: readonly string[] = ['.*', '*', '%'];

/** Forgeries that a careless comparison stumbles over. */
export const malformedForgeries: readonly Arbitrary<Forgery>[] = [
  fc.record({ kind: fc.constant('no signature header' as const) }),
  fc.record({ kind: fc.constant('an empty signature' as const) }),
  truncated(fc.constant(1)),
  truncated(fc.integer({ min: 1, max: 60 })),
  word(fc.constantFrom('0', 'null', 'undefined', 'true', 'NaN', '[object Object]', '{}', '%00')),
  ...patterns.map((pattern) => word(fc.constant(pattern))),
  noDigit(fc.constant('.'), fc.constant('every place')),
  word(lazily(() => fc.stringMatching(/^[\u00a1-\u00ff]{1,64}$/))),
  word(fc.nat({ max: 40 }).map((n) => 'a'.repeat(100 * n + 1))),
  word(fc.constant('=')),
  word(fc.constant('sha256=')),
  labelled('md5', 'a plain hash'),
  labelled('sha1', 'a plain hash'),
  labelled('sha1', 'an HMAC with an empty secret'),
  labelled('sha512', 'an HMAC with an empty secret'),
  // A list of nothing: where each of its signatures is right, none of them is wrong.
  word(fc.constant(',')),
  word(fc.constantFrom('.', ':', 'v1=', 't=,v1=', 'v1,', 'Bearer', '""', '[]', '%ff')),
  noDigit(fc.constant('z'), fc.constant('every place')),
  noDigit(fc.constant('\u00e9'), fc.constant('every place')),
  noDigit(fc.constant('\uff10'), fc.constant('every place')),
  noDigit(fc.constantFrom('~', '\u00e9'), fc.oneof(fc.constantFrom(0, -1), fc.integer({ min: -32, max: 31 }))),
  ...(['its highest bit set', 'its form above the line', 'another bit turned'] as const).map((as) =>
    fc.constant({ kind: 'one digit written otherwise' as const, as }),
  ),
  fc.record({ kind: fc.constant('bytes that are no text' as const) }),
  ...[
    { times: 0, more: 1 },
    { times: 1, more: 1 },
    { times: 2, more: 0 },
    { times: 0, more: 10_000 },
  ].map((length) => fc.constant({ kind: 'another length' as const, ...length })),
  ...(['two header lines', 'a list'] as const).map((place) =>
    fc.constant({ kind: 'two wrong signatures' as const, in: place }),
  ),
  truncated(fc.integer({ min: 1, max: 60 }), 'its beginning'),
];

/** What stands there in place of a whole number of seconds, for schemes that have a timestamp: no number, or another one. */
export const malformedTimestamps: readonly (readonly Arbitrary<Forgery>[])[] = [
  ['now', '', 'NaN', '2026-01-01T00:00:00Z', '\u00b9'],
  ['-1', '1e3', '0x10', '1.5', '1'.repeat(400)],
].map((group) => group.map((timestamp) => fc.constant({ kind: 'another timestamp', timestamp })));

/** Where more is signed than the body: the timestamp or the id, which nothing else protects. */
export const ofBodyAlone: Forgery = { kind: 'the signature of the body alone' };

/** The delivery must have a digest with such a byte. */
export const behindZero: Forgery = { kind: 'another digest behind a byte of zero' };

/** In hex it would be another spelling of the same digest. */
export const inOtherCase: Forgery = { kind: 'the letters of the signature in the other case' };

/** The right digest with one digit changed, for each of its digits: a comparison may pass over any. */
export function eachDigitChanged(scheme: SignatureScheme): readonly Arbitrary<Forgery>[] {
  return Array.from({ length: digitsOf(scheme) }, (_, at) => changedDigit(at));
}

function changedDigit(at: number): Arbitrary<Forgery> {
  return fc.constant({ kind: 'one character changed', at });
}

function hashed(of: HashedParts, between = ''): Arbitrary<Forgery> {
  return fc.constant({ kind: 'a plain hash of secret and body', of, between });
}

function labelled(algorithm: string, of: WithoutSecret): Arbitrary<Forgery> {
  return fc.constant({ kind: 'another algorithm', algorithm, of });
}

function truncated(missing: Arbitrary<number>, at?: 'its beginning'): Arbitrary<Forgery> {
  const kind = fc.constant('a truncated signature' as const);
  return at === undefined ? fc.record({ kind, missing }) : fc.record({ kind, missing, at: fc.constant(at) });
}

function noDigit(character: Arbitrary<string>, at: Arbitrary<number | 'every place'>): Arbitrary<Forgery> {
  return fc.record({ kind: fc.constant('a character that is no digit' as const), character, at });
}

function word(words: Arbitrary<string>): Arbitrary<Forgery> {
  return fc.record({ kind: fc.constant('some other word' as const), word: words });
}

/** The delivery with its signature forged. The body stays as it is. */
export function forge(kit: SigningKit, delivery: Delivery, forgery: Forgery): Delivery {
  return { ...delivery, headers: forgedHeaders(kit, delivery, forgery) };
}

function forgedHeaders(kit: SigningKit, delivery: Delivery, forgery: Forgery): readonly Header[] {
  const { body, id } = delivery;
  switch (forgery.kind) {
    case 'another secret':
      return resigned(delivery, kit.sign(body, id, `${forgery.secret}~`));
    case 'an empty secret':
      return resigned(delivery, kit.sign(body, id, ''));
    case 'a secret that anybody knows':
      return resigned(delivery, kit.sign(body, id, notOf(kit, forgery.secret)));
    case 'the signature of an empty body':
      return resigned(delivery, kit.sign(Buffer.alloc(0), id));
    case 'the signature of another body':
      return resigned(delivery, kit.sign(Buffer.concat([body, Buffer.from(forgery.suffix)]), id));
    case 'the signature of the body alone':
      return withDigest(kit, delivery, () => hmacOf(kit, body));
    case 'a plain hash without a secret':
      return withDigest(kit, delivery, () => hashOf(kit, [signedIn(kit, delivery)]));
    case 'a plain hash of secret and body':
      return withDigest(kit, delivery, () => hashOf(kit, parted(kit, delivery, forgery)));
    case 'another algorithm':
      return withSignatureValue(kit, delivery, () => named(forgery, signedIn(kit, delivery)));
    case 'two wrong signatures':
      return doubled(kit, withDigest(kit, delivery, wrongDigest), forgery.in);
    case 'no signature header':
      return withoutSignature(kit, delivery);
    case 'an empty signature':
      return withSignatureValue(kit, delivery, () => '');
    case 'another timestamp':
      return withSignatureField(kit, delivery, 'timestamp', () => forgery.timestamp);
    case 'some other word':
      return withSignatureValue(kit, delivery, () => forgery.word);
    default:
      return withDigest(kit, delivery, (digest) => changedDigest(kit.scheme, digest, forgery));
  }
}

/** The secret, unless the receiver was given just this one. */
function notOf({ secrets }: SigningKit, secret: string): string {
  return secrets.includes(secret) ? `${secret}~` : secret;
}

function withoutSignature(kit: SigningKit, delivery: Delivery): readonly Header[] {
  return delivery.headers.filter(([name]) => !isSignature(kit, name));
}

function resigned(delivery: Delivery, signature: readonly Header[]): readonly Header[] {
  const names = new Set(signature.map(([name]) => name.toLowerCase()));
  return [...delivery.headers.filter(([name]) => !names.has(name.toLowerCase())), ...signature];
}

function withDigest(kit: SigningKit, delivery: Delivery, change: (digest: string) => string): readonly Header[] {
  return withSignatureField(kit, delivery, 'digest', change);
}

function hashOf({ scheme }: SigningKit, parts: readonly (string | Buffer)[]): string {
  const hash = createHash(scheme.algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest(scheme.digest);
}

function named({ algorithm, of }: Extract<Forgery, { kind: 'another algorithm' }>, signed: Buffer): string {
  const maker = of === 'a plain hash' ? createHash(algorithm) : createHmac(algorithm, '');
  return `${algorithm}=${maker.update(signed).digest('hex')}`;
}

function parted(
  kit: SigningKit,
  delivery: Delivery,
  { of, between }: Extract<Forgery, { readonly of: HashedParts }>,
): readonly (string | Buffer)[] {
  const [secret = ''] = kit.secrets;
  const signed = signedIn(kit, delivery);
  if (of === 'secret and body') return [secret, between, signed];
  return of === 'body and secret' ? [signed, between, secret] : [secret, between, signed, between, secret];
}

/** The headers of a signature with the right secret, by another algorithm of HMAC. */
export function withAlgorithm(kit: SigningKit, delivery: Delivery, algorithm: string): readonly Header[] {
  return withDigest(kit, delivery, () => hmacOf(kit, signedIn(kit, delivery), algorithm));
}

function hmacOf({ scheme, secrets }: SigningKit, signed: Buffer, algorithm: string = scheme.algorithm): string {
  const mac = createHmac(algorithm, signingKey(scheme.key, secrets[0] ?? ''));
  return mac.update(signed).digest(scheme.digest);
}

/** What the delivery's signature covers: the body, and what the scheme puts before it. */
function signedIn({ scheme, signatureHeader }: SigningKit, { headers, body }: Delivery): Buffer {
  return signedBytes(scheme, signatureHeader, (name) => headerValue(headers, name), body) ?? body;
}

function doubled(kit: SigningKit, headers: readonly Header[], place: 'two header lines' | 'a list'): readonly Header[] {
  return headers.flatMap(([name, value]): readonly Header[] => {
    if (!isSignature(kit, name)) return [[name, value]];
    return place === 'a list' ? [[name, `${value}, ${value}`]] : [name, name].map((each) => [each, value]);
  });
}
