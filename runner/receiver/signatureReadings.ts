import {
  digestEncodings,
  keyEncodings,
  keyText,
  type SignatureAlgorithm,
  signatureAlgorithms,
  type SignatureHeader,
  type SignatureScheme,
} from '../../spec/signatureScheme.ts';

/** How a receiver may take deliveries to be signed that takes a secret, or the contract, for another. */
export interface SignatureReading {
  readonly scheme: SignatureScheme;
  readonly secret: string;
  /** How they are signed then, in words: `with the secret with a line feed behind it`. */
  readonly words: string;
  /** In what the receiver differs: from the secret that was given, or from the contract. */
  readonly of: '--secret' | 'the contract';
}

const secrets: Readonly<Record<string, (secret: string) => string>> = {
  'with a line feed behind it': (secret) => `${secret}\n`,
  'with a carriage return and a line feed behind it': (secret) => `${secret}\r\n`,
  'with a space behind it': (secret) => `${secret} `,
  'in quotation marks': (secret) => `"${secret}"`,
  'in single quotation marks': (secret) => `'${secret}'`,
  'without the white space around it': (secret) => secret.trim(),
  'without the quotation marks around it': (secret) => secret.replace(/^(["'])(.*)\1$/, '$2'),
};

/** What a receiver may have for its secret that was to have this one, and how else it may make the signature of it. */
export function signatureReadings(
  scheme: SignatureScheme,
  header: string,
  secret: string,
): readonly SignatureReading[] {
  const ofSecret = Object.entries(secrets).map(([how, read]) => [`with the secret ${how}`, read(secret)] as const);
  const others = [...keys(scheme, secret), ...layouts(scheme), ...digests(scheme), ...older(scheme, header)];
  return [
    ...ofSecret
      .filter(([, text]) => text !== secret && text !== '')
      .map(([words, text]) => ({ scheme, secret: text, words, of: '--secret' }) as const),
    ...others.map(
      ([words, change]) => ({ scheme: { ...scheme, ...change }, secret, words, of: 'the contract' }) as const,
    ),
  ];
}

type Reading = readonly [words: string, change: Partial<SignatureScheme>];

const readAs = { utf8: 'text', hex: 'hex', base64: 'base64' } as const;

/** The key is made of the secret in another way: with or without what it begins with, as text or as the bytes of an encoding. */
function keys({ key }: SignatureScheme, secret: string): readonly Reading[] {
  const begins = key.prefix === '' ? (/^[^_]+_/.exec(secret)?.[0] ?? '') : key.prefix;
  const isBegun = begins !== '' && secret.startsWith(begins);
  const all = ['', ...(isBegun ? [begins] : [])].flatMap((prefix) =>
    keyEncodings.map((encoding) => ({ encoding, prefix })),
  );
  const [usual] = keyText(key, secret);
  return all
    .filter((other) => other.encoding !== key.encoding || keyText(other, secret)[0] !== usual)
    .filter((other) => keyText(other, secret)[1] === other.encoding)
    .map((other) => {
      const part = other.prefix === '' ? 'all of the secret' : 'the secret behind its first "_"';
      return [`with ${part} as the key, read as ${readAs[other.encoding]},`, { key: other }] as const;
    });
}

/** The body alone is signed, or the time is in another unit. */
function layouts({ signed, headers: [first, ...others] }: SignatureScheme): readonly Reading[] {
  const inMilliseconds = (template: string): string => template.replaceAll('{timestamp}', '{timestamp}000');
  const timed = (header: SignatureHeader) => ({ ...header, template: inMilliseconds(header.template) });
  return [
    ...(signed === '{body}' ? [] : [['over the body alone', { signed: '{body}' }] as const]),
    ...(signed.includes('{timestamp}')
      ? [
          [
            'with a timestamp in milliseconds',
            { signed: inMilliseconds(signed), headers: [timed(first), ...others.map(timed)] },
          ] as const,
        ]
      : []),
  ];
}

function digests({ algorithm, digest }: SignatureScheme): readonly Reading[] {
  return [
    ...digestEncodings
      .filter((other) => other !== digest)
      .map((other) => [`with the digest in ${other}`, { digest: other }] as const),
    ...signatureAlgorithms
      .filter((other) => other !== algorithm)
      .map((other) => [`by ${hmac(other)}`, { algorithm: other }] as const),
  ];
}

/** An older kind of signature, in the header that is called like this one without the name of its algorithm. */
function older({ algorithm, headers: [first, ...others] }: SignatureScheme, header: string): readonly Reading[] {
  const name = header.replace(/-?(?:sha-?)?256$/i, '');
  if (name === header) return [];
  const template = first.template.replace(algorithm, 'sha1');
  return [[`by ${hmac('sha1')} in ${name}`, { algorithm: 'sha1', headers: [{ name, template }, ...others] }]];
}

const hmac = (algorithm: SignatureAlgorithm): string => `HMAC-${algorithm.toUpperCase()}`;
