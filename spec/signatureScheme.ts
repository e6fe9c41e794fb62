/**
 * What the digest is keyed with: the bytes that the secret's text stands for, without the scheme's prefix. A text that
 * stands for none in that encoding stays itself, so that any wrong secret can be tried.
 *
 * @example signingKey({ encoding: 'base64', prefix: 'whsec_' }, 'whsec_c2VjcmV0') // the bytes of `secret`
 */
export function signingKey(key: SigningKey, secret: string): Buffer {
  return Buffer.from(...keyText(key, secret));
}

/** The secret's text without the scheme's prefix, and how it stands for bytes; all of it as UTF-8 where it stands for none. */
export function keyText(
  { encoding, prefix }: SigningKey,
  secret: string,
): readonly [text: string, encoding: KeyEncoding] {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
  return isIn[encoding](text) ? [text, encoding] : [secret, 'utf8'];
}

const isIn: Readonly<Record<KeyEncoding, (text: string) => boolean>> = {
  utf8: () => true,
  hex: (text) => /^([0-9a-f]{2})+$/i.test(text),
  base64: (text) => text !== '' && Buffer.from(text, 'base64').toString('base64') === text,
};

/** How a delivery is signed, as data: an HMAC of what `signed` says, written into headers. */
export interface SignatureScheme {
  /** As `parseScheme` reads it; `contract` where a contract spells the scheme out. */
  readonly name: string;
  readonly algorithm: SignatureAlgorithm;
  /** How the digest is written. */
  readonly digest: DigestEncoding;
  readonly key: SigningKey;
  /** What the digest is over: literal text with `{body}` and, where they are signed too, `{timestamp}` and `{id}`. */
  readonly signed: string;
  /** Every header that the scheme adds, the one with the digest first. */
  readonly headers: readonly [SignatureHeader, ...SignatureHeader[]];
  /** What stands between several signatures in one header, and between the parts of that header. Default: there is one. */
  readonly several?: string;
  /** Whether a header may hold more than one signature. Default: nobody promises that, so nothing is asked of receivers. */
  readonly isList?: true;
  /** Milliseconds by which a timestamp may differ from the receiver's clock. Default: the contract promises none. */
  readonly tolerance?: number;
}

/** A header of a signature: literal text with `{digest}` and `{timestamp}` (whole seconds since the epoch), or `{id}` alone. */
export interface SignatureHeader {
  /** Default: the name that the run assumes (`signature.header`). */
  readonly name?: string;
  readonly template: string;
}

/** How the secret's text becomes the bytes of the key. */
export interface SigningKey {
  readonly encoding: KeyEncoding;
  /** Literal text that is dropped where the secret begins with it: `whsec_`. Empty for none. */
  readonly prefix: string;
}

export const signatureAlgorithms = ['sha1', 'sha256', 'sha512'] as const;

export const digestEncodings = ['hex', 'base64', 'base64url'] as const;

export const keyEncodings = ['utf8', 'hex', 'base64'] as const;

export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

export type DigestEncoding = (typeof digestEncodings)[number];

type KeyEncoding = (typeof keyEncodings)[number];

/** Names a scheme that does not exist; the message lists what does. */
export class SignatureSchemeError extends Error {
  override readonly name = 'SignatureSchemeError';
  readonly code = 'signature/unknown-scheme';
}

const usualKey: SigningKey = { encoding: 'utf8', prefix: '' };

/** The schemes that sign more than the body, by the name that stands for all of it. */
const fixed: Readonly<Record<string, SignatureScheme>> = {
  timestamped: {
    name: 'timestamped',
    algorithm: 'sha256',
    digest: 'hex',
    key: usualKey,
    signed: '{timestamp}.{body}',
    headers: [{ template: 't={timestamp},v1={digest}' }],
    several: ',',
    isList: true,
  },
  'standard-webhooks': {
    name: 'standard-webhooks',
    algorithm: 'sha256',
    digest: 'base64',
    key: { encoding: 'base64', prefix: 'whsec_' },
    signed: '{id}.{timestamp}.{body}',
    headers: [
      { name: 'webhook-signature', template: 'v1,{digest}' },
      { name: 'webhook-id', template: '{id}' },
      { name: 'webhook-timestamp', template: '{timestamp}' },
    ],
    several: ' ',
    isList: true,
  },
};

/** Stands for the scheme that the contract spells out. */
export const contractScheme = 'contract';

/** Those schemes, for all that has to know each of them. */
export const fixedSchemes: readonly SignatureScheme[] = Object.values(fixed);

/** What `parseScheme` reads, in plain words. */
export const schemeSyntax = `hmac-<sha1|sha256|sha512>-<hex|base64|base64url>, with any literal prefix before it (sha256=hmac-sha256-hex), ${Object.keys(fixed).join(', or ')}`;

const hmac =
  /^((?:(?!\{(?:body|digest|timestamp|id)\})[\x21-\x7e]){0,64}?)hmac-(sha1|sha256|sha512)-(hex|base64|base64url)$/;

/**
 * Reads a scheme's name.
 *
 * @param text - `hmac-sha256-hex`, `sha256=hmac-sha256-hex` (a literal prefix of visible ASCII), `timestamped` or
 * `standard-webhooks`
 * @throws SignatureSchemeError for anything else
 * @example parseScheme('sha256=hmac-sha256-hex').digest // 'hex'
 */
export function parseScheme(text: string): SignatureScheme {
  const named = Object.hasOwn(fixed, text) ? fixed[text] : undefined;
  if (named !== undefined) return named;
  const [, prefix, algorithm, encoding] = hmac.exec(text) ?? [];
  if (prefix === undefined) {
    throw new SignatureSchemeError(`"${text}" is no signature scheme. Valid is ${schemeSyntax}.`);
  }
  return {
    name: text,
    algorithm: algorithm as SignatureAlgorithm,
    digest: encoding as DigestEncoding,
    key: usualKey,
    signed: '{body}',
    headers: [{ template: `${prefix}{digest}` }],
  };
}

/** Whether deliveries carry a timestamp, so that a signature grows old. */
export function hasTimestamp({ headers }: SignatureScheme): boolean {
  return headers.some(({ template }) => template.includes('{timestamp}'));
}
