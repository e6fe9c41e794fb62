import fc, { type Arbitrary } from 'fast-check';

/** Seaports with their UN/LOCODEs. */
const ports = [
  'USOAK',
  'USLAX',
  'USSAV',
  'CNSHA',
  'CNYTN',
  'SGSIN',
  'NLRTM',
  'DEHAM',
  'BEANR',
  'KRPUS',
  'JPTYO',
  'AEJEA',
  'MXZLO',
  'INNSA',
];

/** For UN/LOCODEs of seaports: a country (ISO 3166-1) and three characters. Shrinks to the first of a list. */
export function locode(): Arbitrary<string> {
  return fc.constantFrom(...ports);
}
