import type { SignatureScheme } from '../../spec/signature.ts';
import { withField } from '../../spec/signatureTemplate.ts';

/** Another spelling of a right signature, which a receiver may take or refuse: the format is a gap of the contract. */
interface SignatureSpelling {
  readonly name: string;
  readonly spell: (value: string) => string;
}

/** The spellings in which receivers are known to take a signature of this scheme beside its own. */
export function signatureSpellings({
  algorithm,
  digest,
  headers: [{ template }],
  several,
}: SignatureScheme): readonly SignatureSpelling[] {
  const other = digest === 'hex' ? 'base64' : 'hex';
  const recode = (text: string): string => Buffer.from(text, digest).toString(other);
  return [
    { name: 'a signature in capital letters', spell: (value) => value.toUpperCase() },
    { name: `a signature behind "${algorithm}="`, spell: (value) => `${algorithm}=${value}` },
    {
      name: 'a list of signatures with the right one first',
      spell: (value) => `${value}, ${'0'.repeat(value.length)}`,
    },
    { name: `a signature in ${other}`, spell: (value) => withField(template, several, value, ['digest', recode]) },
  ];
}
