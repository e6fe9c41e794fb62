import { createHmac, timingSafeEqual } from 'node:crypto';

import type { SignatureScheme } from './signatureScheme.ts';

export { fixedSchemes, parseScheme, SignatureSchemeError } from './signatureScheme.ts';
export type { SignatureScheme } from './signatureScheme.ts';

/** What a signature is made of. */
export interface SigningInput {
  readonly secret: string;
  /** The raw body, as it is sent. */
  readonly body: Uint8Array;
  /** The notification's id; only `standard-webhooks` signs it. */
  readonly id: string;
  /** Whole seconds since the epoch; only the layouts with a timestamp use it. */
  readonly timestamp: number;
}

/** Looks a received header up by its name, whatever the case; nothing where it was not sent. */
export type HeaderLookup = (name: string) => string | undefined;

/** The headers of Standard Webhooks, whose names are part of that scheme. */
const standard = { signature: 'webhook-signature', id: 'webhook-id', timestamp: 'webhook-timestamp' } as const;

/**
 * All headers that the scheme adds to a delivery, the one that carries the signature first.
 *
 * @param header - the name of the signature's header, for the layouts that do not fix it
 */
export function signatureHeaders(
  scheme: SignatureScheme,
  header: string,
  input: SigningInput,
): readonly (readonly [name: string, value: string])[] {
  const signature = scheme.prefix + digest(scheme, input).toString(scheme.encoding);
  switch (scheme.layout) {
    case 'body':
      return [[header, signature]];
    case 'timestamped':
      return [[header, `t=${input.timestamp},${signature}`]];
    case 'standard-webhooks':
      return [
        [standard.signature, signature],
        [standard.id, input.id],
        [standard.timestamp, String(input.timestamp)],
      ];
  }
}

/** The name of the header that carries the scheme's signature: `header`, where the scheme does not fix another. */
export function signatureHeaderName(scheme: SignatureScheme, header: string): string {
  return scheme.layout === 'standard-webhooks' ? standard.signature : header;
}

/**
 * Whether the headers of a delivery carry a signature of this body under this secret. How old a timestamp may be is
 * not judged here.
 *
 * @param header - the name of the signature's header, for the layouts that do not fix it
 */
export function verifySignature(
  scheme: SignatureScheme,
  header: string,
  lookup: HeaderLookup,
  { secret, body }: Pick<SigningInput, 'secret' | 'body'>,
): boolean {
  const value = lookup(signatureHeaderName(scheme, header));
  if (value === undefined) return false;
  const received = readSignature(scheme, value, lookup);
  if (received === undefined) return false;
  const { id, timestamp, candidates } = received;
  const expected = scheme.prefix + digest(scheme, { secret, body, id, timestamp }).toString(scheme.encoding);
  return candidates.some((candidate) => equal(candidate, expected));
}

/**
 * The spellings of the digest that a right signature holds, to see whether an answer gives it away: hex in both
 * cases, base64 and base64url, each with and without its padding.
 */
export function digestSpellings(scheme: SignatureScheme, input: SigningInput): readonly string[] {
  const bytes = digest(scheme, input);
  const hex = bytes.toString('hex');
  const base64 = bytes.toString('base64');
  const base64url = bytes.toString('base64url');
  const unpadded = base64.replace(/=+$/, '');
  return [...new Set([hex, hex.toUpperCase(), base64, unpadded, base64url, base64url.padEnd(base64.length, '=')])];
}

/**
 * The bytes that a delivery's signature covers, as its headers say: the body, and what the scheme puts before it. Nothing
 * where they cannot be read.
 *
 * @param header - the name of the signature's header, for the layouts that do not fix it
 */
export function signedBytes(
  scheme: SignatureScheme,
  header: string,
  lookup: HeaderLookup,
  body: Uint8Array,
): Buffer | undefined {
  const value = lookup(signatureHeaderName(scheme, header));
  const received = value === undefined ? undefined : readSignature(scheme, value, lookup);
  return received && Buffer.concat([Buffer.from(signedBefore[scheme.layout](received)), body]);
}

interface ReceivedSignature {
  readonly id: string;
  readonly timestamp: number;
  readonly candidates: readonly string[];
}

function readSignature(scheme: SignatureScheme, value: string, lookup: HeaderLookup): ReceivedSignature | undefined {
  switch (scheme.layout) {
    case 'body':
      return { id: '', timestamp: 0, candidates: [value] };
    case 'timestamped': {
      const parts = value.split(',');
      const timestamp = wholeSeconds(parts.find((part) => part.startsWith('t='))?.slice(2));
      return timestamp === undefined ? undefined : { id: '', timestamp, candidates: parts };
    }
    case 'standard-webhooks': {
      const id = lookup(standard.id);
      const timestamp = wholeSeconds(lookup(standard.timestamp));
      return id === undefined || timestamp === undefined ? undefined : { id, timestamp, candidates: value.split(' ') };
    }
  }
}

function wholeSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined;
}

function digest(scheme: SignatureScheme, input: SigningInput): Buffer {
  const mac = createHmac(scheme.algorithm, signingKey(scheme, input.secret));
  return mac.update(signedBefore[scheme.layout](input)).update(input.body).digest();
}

/** What is signed before the body. */
const signedBefore: Readonly<
  Record<SignatureScheme['layout'], (input: Pick<SigningInput, 'id' | 'timestamp'>) => string>
> = {
  body: () => '',
  timestamped: ({ timestamp }) => `${timestamp}.`,
  'standard-webhooks': ({ id, timestamp }) => `${id}.${timestamp}.`,
};

/**
 * What the digest is keyed with: the secret's text in UTF-8; for Standard Webhooks the bytes that its base64 stands for, with or without `whsec_`.
 * A text that is no base64 stays itself, so that any wrong secret can be tried.
 */
export function signingKey(scheme: SignatureScheme, secret: string): Buffer {
  const text = Buffer.from(secret, 'utf8');
  if (scheme.layout !== 'standard-webhooks') return text;
  const base64 = secret.replace(/^whsec_/, '');
  const bytes = Buffer.from(base64, 'base64');
  return base64 !== '' && bytes.toString('base64') === base64 ? bytes : text;
}

function equal(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left, 'utf8'), Buffer.from(right, 'utf8')];
  return a.length === b.length && timingSafeEqual(a, b);
}
