import { type TemplateField, withField } from '../../spec/signatureTemplate.ts';
import type { Delivery, Header } from '../delivery.ts';
import type { SigningKit } from '../kit.ts';
import type { SignatureScheme } from '../../spec/signature.ts';
import { isSameName } from '../../spec/headerText.ts';

/** The value of the header that carries the signature. */
export function signatureValue(kit: SigningKit, delivery: Delivery): string {
  const found = delivery.headers.find(([name]) => isSignature(kit, name));
  if (!found) throw new Error('The delivery carries no signature: sign it before it is changed.');
  return found[1];
}

/** The headers with the signature's value replaced. */
export function withSignatureValue(
  kit: SigningKit,
  delivery: Delivery,
  change: (value: string) => string,
): readonly Header[] {
  return delivery.headers.map(([name, value]) => (isSignature(kit, name) ? [name, change(value)] : [name, value]));
}

/** The headers with one field of the signature changed, in whichever of the scheme's headers it stands. */
export function withSignatureField(
  { scheme, signatureHeader }: SigningKit,
  delivery: Delivery,
  field: TemplateField,
  change: (text: string) => string,
): readonly Header[] {
  return delivery.headers.map(([name, value]) => {
    const place = scheme.headers.findIndex((header) => isSameName(header.name ?? signatureHeader, name));
    const template = scheme.headers[place]?.template;
    if (template === undefined) return [name, value];
    return [name, withField(template, place === 0 ? scheme.several : undefined, value, [field, change])];
  });
}

export function isSignature(kit: SigningKit, name: string): boolean {
  return isSameName(name, kit.signatureHeader);
}

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
  isList,
}: SignatureScheme): readonly SignatureSpelling[] {
  const other = digest === 'hex' ? 'base64' : 'hex';
  const recode = (text: string): string => Buffer.from(text, digest).toString(other);
  const capital: SignatureSpelling = { name: 'a signature in capital letters', spell: (value) => value.toUpperCase() };
  const prefixed: SignatureSpelling = {
    name: `a signature behind "${algorithm}="`,
    spell: (value) => `${algorithm}=${value}`,
  };
  const list: SignatureSpelling = {
    name: 'a list of signatures with the right one first',
    spell: (value) => `${value}, ${'0'.repeat(value.length)}`,
  };
  return [
    // In base64 it would be another digest.
    ...(digest === 'hex' ? [capital] : []),
    // Behind text of the contract's own it would be no other spelling.
    ...(template === '{digest}' ? [prefixed] : []),
    // Where the contract itself allows several, that is no gap.
    ...(isList === true ? [] : [list]),
    { name: `a signature in ${other}`, spell: (value) => withField(template, several, value, ['digest', recode]) },
  ];
}
