import type { KeyEncoding, SigningKey } from './signatureScheme.ts';

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
