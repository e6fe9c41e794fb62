import fc, { type Arbitrary } from 'fast-check';

/** A text that is no URL, and what is wrong with it. */
export interface InvalidUrl {
  readonly url: string;
  /** In a few words, to follow "a url": "without a scheme". */
  readonly flaw: string;
}

const flaws: readonly (readonly [flaw: string, spoil: (host: string) => string])[] = [
  ['without a scheme', (host) => `${host}/hooks`],
  ['that is relative', (host) => `/hooks/${host}`],
  ['without a scheme, but with slashes', (host) => `//${host}/hooks`],
  ['that is empty', () => ''],
  ['that is blank', () => ' '],
  ['that is some words', (host) => `not a url: ${host}`],
  ['with a space in its host', (host) => `https://a ${host}/hooks`],
  ['without a colon after its scheme', (host) => `https//${host}/hooks`],
  ['with an empty scheme', (host) => `://${host}/hooks`],
  ['with an IPv6 address that is not closed', () => 'https://[::1/hooks'],
  ['with a forbidden character in its host', (host) => `https://a^${host}/hooks`],
];

/**
 * For texts that no reader takes for an absolute URL: neither a URL parser (WHATWG, and Go's, which takes `<` and `>` in a
 * host) nor the format `uri` (RFC 3986).
 * Shrinks to the first flaw and a short host.
 */
export function invalidUrl(): Arbitrary<InvalidUrl> {
  return fc.oneof({ withCrossShrink: true }, ...invalidUrlKinds());
}

/** The same, one arbitrary for each flaw. */
export function invalidUrlKinds(): readonly Arbitrary<InvalidUrl>[] {
  const host = fc.stringMatching(/^[a-z]{1,12}$/).map((label) => `${label}.example`, labelOf);
  return flaws.map(([flaw, spoil]) =>
    (spoil.length === 0 ? fc.constant('') : host).map((name) => ({ flaw, url: spoil(name) })),
  );
}

function labelOf(host: unknown): string {
  if (typeof host === 'string' && host.endsWith('.example')) return host.slice(0, -'.example'.length);
  throw new Error('not a host of this kind');
}
