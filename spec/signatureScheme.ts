/** How a delivery is signed, as data. */
export interface SignatureScheme {
  /** As `parseScheme` reads it. */
  readonly name: string;
  readonly algorithm: SignatureAlgorithm;
  readonly encoding: SignatureEncoding;
  /** Literal text before the encoded digest, for example `sha256=` or `v1,`. */
  readonly prefix: string;
  /**
   * What is signed and where it stands: `body` is the raw body in one header; `timestamped` is `<t>.<body>`, sent as
   * `t=<t>,v1=<digest>`; `standard-webhooks` is `<id>.<t>.<body>` in three headers of its own.
   */
  readonly layout: 'body' | 'timestamped' | 'standard-webhooks';
}

type SignatureAlgorithm = 'sha1' | 'sha256' | 'sha512';
type SignatureEncoding = 'hex' | 'base64' | 'base64url';

/** Names a scheme that does not exist; the message lists what does. */
export class SignatureSchemeError extends Error {
  override readonly name = 'SignatureSchemeError';
  readonly code = 'signature/unknown-scheme';
}

/** The schemes that have a layout of their own, by the name that stands for all of it. */
const fixed: Readonly<Record<string, SignatureScheme>> = {
  timestamped: { name: 'timestamped', algorithm: 'sha256', encoding: 'hex', prefix: 'v1=', layout: 'timestamped' },
  'standard-webhooks': {
    name: 'standard-webhooks',
    algorithm: 'sha256',
    encoding: 'base64',
    prefix: 'v1,',
    layout: 'standard-webhooks',
  },
};

/** Those schemes, for all that has to know each of them. */
export const fixedSchemes: readonly SignatureScheme[] = Object.values(fixed);

/** What `parseScheme` reads, in plain words. */
export const schemeSyntax = `hmac-<sha1|sha256|sha512>-<hex|base64|base64url>, with any literal prefix before it (sha256=hmac-sha256-hex), ${Object.keys(fixed).join(', or ')}`;

const hmac = /^([\x21-\x7e]{0,64}?)hmac-(sha1|sha256|sha512)-(hex|base64|base64url)$/;

/**
 * Reads a scheme's name.
 *
 * @param text - `hmac-sha256-hex`, `sha256=hmac-sha256-hex` (a literal prefix of visible ASCII), `timestamped` or
 * `standard-webhooks`
 * @throws SignatureSchemeError for anything else
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
    encoding: encoding as SignatureEncoding,
    prefix,
    layout: 'body',
  };
}
