import {
  fixedSchemes,
  parseScheme,
  type RunScheme,
  signatureHeaderName,
  verifySignature,
  type SignatureScheme,
} from '../../spec/signature.ts';
import type { Header } from '../../suites/delivery.ts';
import type { Caught, FoundSignature } from '../../suites/exchange.ts';

const digests = ['sha256', 'sha1', 'sha512'].flatMap((algorithm) =>
  ['hex', 'base64', 'base64url'].map((encoding) => ({ algorithm, encoding })),
);
/** Headers that never carry a signature. */
const plain = new Set([
  'host',
  'connection',
  'content-length',
  'content-type',
  'transfer-encoding',
  'accept',
  'user-agent',
  'date',
]);

/**
 * The scheme and the header in which a delivery is signed with this secret: the assumed ones first, then every scheme
 * that the kit knows in every header that came. Where the contract states the scheme, no other is looked for.
 *
 * @param header - the assumed name
 * @returns nothing where no header holds a signature of this body under this secret
 */
export function findSignature(
  caught: Caught,
  secret: string,
  assumed: Pick<RunScheme, 'scheme' | 'header'> & Partial<RunScheme>,
): FoundSignature | undefined {
  const named = caught.headers.find(
    ([name]) => name.toLowerCase() === signatureHeaderName(assumed.scheme, assumed.header).toLowerCase(),
  );
  if (named && matches(caught, secret, assumed.scheme, named[0])) return { scheme: assumed.scheme, header: named[0] };
  const others = caught.headers.filter(([name]) => !plain.has(name.toLowerCase()) && name !== named?.[0]);
  const all = [...(named ? [named] : []), ...others];
  for (const header of all) {
    const possible = assumed.isStated === true ? [assumed.scheme] : schemesIn(header);
    const scheme = possible.find((each) => matches(caught, secret, each, header[0]));
    if (scheme) return { scheme, header: header[0] };
  }
  return assumed.isStated === true ? undefined : firstOf(all, (header) => findVariant(caught, secret, header));
}

function firstOf<From, To>(all: readonly From[], find: (one: From) => To | undefined): To | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Ways to write a digest that no scheme has a name for, and how it reads in the usual one. */
const writings: readonly (readonly [variant: string, usual: (value: string) => string])[] = [
  ['hex in capitals', (value) => value.replaceAll(/[\dA-F]{40,}/g, (digits) => digits.toLowerCase())],
  ['base64 without padding', (value) => `${value}=`],
  ['base64 without padding', (value) => `${value}==`],
  [
    'base64 of the hex',
    (value) => value.replace(/[A-Za-z\d+/]{54,}={0,2}$/, (text) => Buffer.from(text, 'base64').toString()),
  ],
];

/** What the secret's text may stand for. */
const keys = (['hex', 'base64'] as const).map((encoding) => [encoding, { encoding, prefix: '' }] as const);

/** The algorithm, the encoding and the header's format are open: what a library writes by default may be none of the schemes. */
function findVariant(caught: Caught, secret: string, [name, value]: Header): FoundSignature | undefined {
  const written = writings.map(([variant, usual]) => [variant, usual(value)] as const);
  const rewritten = written.flatMap(([variant, usual]) => {
    const headers = caught.headers.map(([each, own]): Header => [each, each === name ? usual : own]);
    return schemesIn([name, usual]).map((scheme) => ({ scheme, variant, headers }));
  });
  const keyed = schemesIn([name, value]).flatMap((scheme) =>
    keys.map(([encoding, key]) => ({
      scheme: { ...scheme, key },
      variant: `keyed with the secret read as ${encoding}`,
      headers: caught.headers,
    })),
  );
  const found = [...rewritten, ...keyed].find(({ scheme, headers }) =>
    matches({ ...caught, headers }, secret, scheme, name),
  );
  return found && { scheme: found.scheme, header: name, variant: found.variant };
}

function matches(caught: Caught, secret: string, scheme: SignatureScheme, header: string): boolean {
  return verifySignature(scheme, header, (name) => valueOf(caught.headers, name), { secret, body: caught.body });
}

/** The schemes that a header's value may be made by: a prefix is whatever stands before the digest. */
function schemesIn([name, value]: Header): readonly SignatureScheme[] {
  const prefixed = digests.flatMap(({ algorithm, encoding }) => {
    const length = lengthOf(algorithm, encoding);
    const lengths = encoding === 'base64url' ? [length, length - paddingOf(algorithm)] : [length];
    return lengths
      .filter((each) => value.length >= each)
      .flatMap((each) => schemeNamed(`${value.slice(0, value.length - each)}hmac-${algorithm}-${encoding}`));
  });
  const isOwn = (scheme: SignatureScheme) => signatureHeaderName(scheme, name).toLowerCase() === name.toLowerCase();
  return [...prefixed, ...fixedSchemes.filter(isOwn)];
}

function schemeNamed(name: string): readonly SignatureScheme[] {
  try {
    return [parseScheme(name)];
  } catch {
    return [];
  }
}

const bytes: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 };

function lengthOf(algorithm: string, encoding: string): number {
  const count = bytes[algorithm]!;
  return encoding === 'hex' ? 2 * count : 4 * Math.ceil(count / 3);
}

function paddingOf(algorithm: string): number {
  return (3 - (bytes[algorithm]! % 3)) % 3;
}

/** The value of a header, whatever its case; several of one name are joined. */
export function valueOf(headers: readonly Header[], name: string): string | undefined {
  const values = headers.filter(([each]) => each.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}
