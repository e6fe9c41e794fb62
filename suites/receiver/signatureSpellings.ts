import type { SignatureScheme } from '../../spec/signature.ts';

/** Another spelling of a right signature, which a receiver may take or refuse: the format is a gap of the contract. */
interface SignatureSpelling {
  readonly name: string;
  readonly spell: (value: string) => string;
}

/** The spellings in which receivers are known to take a signature of this scheme beside its own. */
export function signatureSpellings({
  algorithm,
  encoding,
  prefix,
  layout,
}: SignatureScheme): readonly SignatureSpelling[] {
  const isHex = encoding === 'hex';
  const recode = (value: string) =>
    prefix + Buffer.from(value.slice(prefix.length), encoding).toString(isHex ? 'base64' : 'hex');
  return [
    { name: 'a signature in capital letters', spell: (value) => value.toUpperCase() },
    { name: `a signature behind "${algorithm}="`, spell: (value) => `${algorithm}=${value}` },
    {
      name: 'a list of signatures with the right one first',
      spell: (value) => `${value}, ${'0'.repeat(value.length)}`,
    },
    ...(layout === 'body' ? [{ name: `a signature in ${isHex ? 'base64' : 'hex'}`, spell: recode }] : []),
  ];
}
