import type { SignatureScheme } from '../../../../spec/signature.ts';

/** A signature in words: what is signed, with which key, what the headers hold, and how old it may be. */
export function signatureText(scheme: SignatureScheme): readonly string[] {
  const { algorithm, digest, signed, headers, several, tolerance } = scheme;
  return [
    `HMAC-${algorithm.toUpperCase()} over ${signed === '{body}' ? 'the raw body' : signed}, in ${digest}`,
    `key: ${keyText(scheme)}`,
    ...headers.map(({ name = '', template }) => `${name}: ${template}`),
    ...(several === undefined ? [] : [`several in one header, with ${JSON.stringify(several)} between them`]),
    ...(signed.includes('{timestamp}') ? [toleranceText(tolerance)] : []),
  ];
}

function keyText({ key: { encoding, prefix } }: SignatureScheme): string {
  const bytes = encoding === 'utf8' ? "the secret's text (UTF-8)" : `the bytes that the secret holds in ${encoding}`;
  return prefix === '' ? bytes : `${bytes}, without ${prefix} before it`;
}

function toleranceText(tolerance: number | undefined): string {
  if (tolerance === undefined) return 'tolerance: none is promised; no timestamp is too old';
  return `tolerance: a timestamp more than ${tolerance / 1000} s away is refused`;
}
