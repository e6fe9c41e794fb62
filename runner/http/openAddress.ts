import type { Header } from '../../suites/delivery.ts';

/** An address without the user and the password in it, and the header that they are sent as. */
export interface OpenAddress {
  readonly address: string;
  readonly authorization?: Header;
}

/**
 * Takes the user and the password out of an address.
 *
 * @param text - an address; any other text is left as it is
 * @see RFC 7617, the Basic authentication scheme
 * @example openAddress('https://me:s3cret@example.com/hooks').address // 'https://example.com/hooks'
 */
export function openAddress(text: string): OpenAddress {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null || (url.username === '' && url.password === '')) return { address: text };
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
  url.username = '';
  url.password = '';
  return {
    address: url.href,
    authorization: ['Authorization', `Basic ${Buffer.from(credentials).toString('base64')}`],
  };
}

/** The headers with the one of an address, unless they hold another in its place. */
export function withAuthorization(headers: readonly Header[], { authorization }: OpenAddress): readonly Header[] {
  if (authorization === undefined || headers.some(([name]) => /^authorization$/i.test(name))) return headers;
  return [...headers, authorization];
}

/** A part of an address without percent-encoding, where it has a meaning without. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * An address as errors show it: without the user and the password in it. What is no address is cut wherever there may be
 * some.
 *
 * @example maskedAddress('ftp://me:s3cret@example.com/hooks') // 'ftp://…@example.com/hooks'
 */
export function maskedAddress(text: string): string {
  const [, start = '', rest = text] = /^([a-z][\w+.-]*:\/\/)(.*)$/is.exec(text) ?? [];
  const isAddress = start !== '' && URL.parse(text) !== null;
  return start + rest.replace(isAddress ? /^[^/?#]*@/ : /^.*@/s, '…@');
}
