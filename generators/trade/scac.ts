import fc, { type Arbitrary } from 'fast-check';

/** Standard Carrier Alpha Codes of shipping lines that carry containers (the NMFTA keeps the list). */
export const shippingLineScacs: readonly string[] = [
  'MAEU',
  'MSCU',
  'CMDU',
  'COSU',
  'HLCU',
  'ONEY',
  'EGLV',
  'HDMU',
  'YMLU',
  'ZIMU',
  'OOLU',
  'WHLC',
  'SUDU',
  'MATS',
];

/** For the SCACs of shipping lines: four capital letters. Shrinks to the first of {@link shippingLineScacs}. */
export function scac(): Arbitrary<string> {
  return fc.constantFrom(...shippingLineScacs);
}
