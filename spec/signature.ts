import { createHmac, timingSafeEqual } from 'node:crypto';

import { type SignatureScheme, contractScheme, keyText, parseScheme } from './signatureScheme.ts';
import { fillTemplate, readElements } from './signatureTemplate.ts';
import { type Assumption, assumptionValue } from './assumptions.ts';
import type { Contract } from './contract.ts';

/** How the deliveries of a run are signed, and in which header the signature stands. */
export interface RunScheme {
  readonly scheme: SignatureScheme;
  readonly header: string;
  /** Whether the contract says so itself: then no other scheme is right. */
  readonly isStated: boolean;
}

/**
 * How the deliveries of a run are signed: as the contract says where the assumption `signature.scheme` leaves it to the
 * contract, else as the assumption says.
 *
 * @throws SignatureSchemeError for an assumption that names no scheme
 */
export function runScheme({ delivery }: Contract, assumptions: readonly Assumption[]): RunScheme {
  const name = assumptionValue(assumptions, 'signature.scheme');
  const header = assumptionValue(assumptions, 'signature.header');
  const stated = name === contractScheme ? delivery.signature : undefined;
  const scheme = stated ? renamed(stated) : named(name);
  return { scheme, header: signatureHeaderName(scheme, header), isStated: stated !== undefined };
}

/** Without signatures nothing is ever signed: which scheme stands for none does not matter. */
function named(name: string): SignatureScheme {
  return parseScheme(name === contractScheme ? 'hmac-sha256-hex' : name);
}

/** The header of the signature is the one that the run assumes: a relay may have renamed it. */
function renamed(scheme: SignatureScheme): SignatureScheme {
  const [{ template }, ...others] = scheme.headers;
  return { ...scheme, headers: [{ template }, ...others] };
}

export { fixedSchemes, hasTimestamp, parseScheme, SignatureSchemeError } from './signatureScheme.ts';

export type { SignatureScheme } from './signatureScheme.ts';

export { signingKey } from './signatureScheme.ts';

/** What a signature is made of. */
export interface SigningInput {
  readonly secret: string;
  /** The raw body, as it is sent. */
  readonly body: Uint8Array;
  /** The notification's id; only schemes with `{id}` use it. */
  readonly id: string;
  /** Whole seconds since the epoch; only schemes with `{timestamp}` use it. */
  readonly timestamp: number;
}

/** Looks a received header up by its name, whatever the case; nothing where it was not sent. */
export type HeaderLookup = (name: string) => string | undefined;

/**
 * All headers that the scheme adds to a delivery, the one that carries the signature first.
 *
 * @param header - the name of the signature's header, for schemes that do not fix it
 * @example signatureHeaders(parseScheme('timestamped'), 'X-Signature', { secret, body, id: '', timestamp: 1_700_000_000 })
 */
export function signatureHeaders(
  scheme: SignatureScheme,
  header: string,
  input: SigningInput,
): readonly (readonly [name: string, value: string])[] {
  const fields = {
    digest: digest(scheme, input).toString(scheme.digest),
    timestamp: String(input.timestamp),
    id: input.id,
  };
  return scheme.headers.map(({ name = header, template }) => [name, fillTemplate(template, fields)]);
}

/** The name of the header that carries the scheme's signature: `header`, where the scheme does not fix another. */
export function signatureHeaderName({ headers: [{ name }] }: SignatureScheme, header: string): string {
  return name ?? header;
}

/**
 * Whether the headers of a delivery carry a signature of this body under this secret. How old a timestamp may be is
 * not judged here.
 *
 * @param header - the name of the signature's header, for schemes that do not fix it
 * @example verifySignature(parseScheme('hmac-sha256-hex'), 'X-Signature', (name) => request.get(name), { secret, body })
 */
export function verifySignature(
  scheme: SignatureScheme,
  header: string,
  lookup: HeaderLookup,
  { secret, body }: Pick<SigningInput, 'secret' | 'body'>,
): boolean {
  const received = readSignature(scheme, header, lookup);
  if (received === undefined) return false;
  const { id, timestamp, digests } = received;
  const expected = digest(scheme, { secret, body, id, timestamp }).toString(scheme.digest);
  return digests.some((candidate) => equal(candidate, expected));
}

/**
 * The spellings of the digest that a right signature holds, to see whether an answer gives it away: hex in both
 * cases, base64 and base64url, each with and without its padding, and the hex in base64, as PHP's `hash_hmac` leads to.
 */
export function digestSpellings(scheme: SignatureScheme, input: SigningInput): readonly string[] {
  const bytes = digest(scheme, input);
  const hex = bytes.toString('hex');
  const base64 = bytes.toString('base64');
  const base64url = bytes.toString('base64url');
  const unpadded = base64.replace(/=+$/, '');
  const padded = base64url.padEnd(base64.length, '=');
  return [
    ...new Set([hex, hex.toUpperCase(), base64, unpadded, base64url, padded, Buffer.from(hex).toString('base64')]),
  ];
}

/**
 * The bytes that a delivery's signature covers, as its headers say: the body, and what the scheme puts around it. Nothing
 * where they cannot be read.
 *
 * @param header - the name of the signature's header, for schemes that do not fix it
 */
export function signedBytes(
  scheme: SignatureScheme,
  header: string,
  lookup: HeaderLookup,
  body: Uint8Array,
): Buffer | undefined {
  const received = readSignature(scheme, header, lookup);
  return received && Buffer.concat(signedParts(scheme, { ...received, body }));
}

/** What the headers of a delivery say of its signature. */
export interface ReceivedSignature {
  /** Empty where the scheme has none. */
  readonly id: string;
  /** Seconds since the epoch, whole ones where the scheme counts no milliseconds; 0 where it has none. */
  readonly timestamp: number;
  /** The digests of all signatures that are there. */
  readonly digests: readonly string[];
}

/**
 * Reads a signature back from the headers of a delivery. Where a field stands there twice, the first one counts.
 *
 * @returns nothing where a header is missing, or where its value does not fit its template
 */
export function readSignature(
  scheme: SignatureScheme,
  header: string,
  lookup: HeaderLookup,
): ReceivedSignature | undefined {
  const digests: string[] = [];
  const others = new Map<string, string>();
  for (const [place, { name = header, template }] of scheme.headers.entries()) {
    const value = lookup(name);
    if (value === undefined) return undefined;
    for (const { fields } of readElements(template, place === 0 ? scheme.several : undefined, value))
      for (const [field, text] of Object.entries(fields))
        if (field === 'digest') digests.push(text);
        else if (!others.has(field)) others.set(field, text);
  }
  const has = (field: string): boolean => scheme.headers.some(({ template }) => template.includes(`{${field}}`));
  const timestamp = has('timestamp') ? secondsIn(others.get('timestamp'), scheme) : 0;
  const id = has('id') ? others.get('id') : '';
  return timestamp === undefined || id === undefined ? undefined : { id, timestamp, digests };
}

/** A fraction has been read where the scheme counts milliseconds. */
function secondsIn(text: string | undefined, { headers }: SignatureScheme): number | undefined {
  const isCounted = headers.some(({ template }) => template.includes('{timestamp}000'));
  const form = isCounted ? /^(0|[1-9]\d{0,14})(\.\d{3})?$/ : /^(0|[1-9]\d{0,14})$/;
  return text !== undefined && form.test(text) ? Number(text) : undefined;
}

function digest(scheme: SignatureScheme, input: SigningInput): Buffer {
  // Keyed with a text: a key of bytes is made into an object of its own first, which takes longer than all the rest.
  const [text, encoding] = keyText(scheme.key, input.secret);
  const mac = createHmac(scheme.algorithm, text, { encoding });
  for (const part of signedParts(scheme, input)) mac.update(part);
  return mac.digest();
}

/** What is signed, in order: what stands before the body, the body, and what stands behind it. */
function signedParts(
  { signed }: SignatureScheme,
  { body, id, timestamp }: Omit<SigningInput, 'secret'>,
): readonly Uint8Array[] {
  const fields = { id, timestamp: String(timestamp) };
  return signed
    .split('{body}')
    .map((around) => Buffer.from(fillTemplate(around, fields)))
    .flatMap((around, at) => (at === 0 ? [around] : [body, around]));
}

function equal(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left, 'utf8'), Buffer.from(right, 'utf8')];
  return a.length === b.length && timingSafeEqual(a, b);
}
