import fc, { type Arbitrary } from 'fast-check';

import { containerNumber } from './containerNumber.ts';

/** For the numbers by which a shipment can be tracked: bill of lading, booking or container numbers. */
export function trackingNumber(): Arbitrary<string> {
  return fc.oneof(billOfLading(), bookingNumber(), containerNumber());
}

/**
 * For booking numbers as shipping lines give them: nine digits, or three capital letters and seven digits. They have no
 * common standard. Shrinks to digits.
 */
export function bookingNumber(): Arbitrary<string> {
  return fc.oneof(fc.stringMatching(/^[0-9]{9}$/), fc.stringMatching(/^[A-Z]{3}[0-9]{7}$/));
}

/** Constraints of {@link billOfLading}. */
export interface BillOfLadingConstraints {
  /** The shipping line's SCAC, which the number begins with. Default: any shipping line's. */
  readonly carrier?: string;
}

/**
 * For master bill of lading numbers as shipping lines write them: the line's SCAC and eight digits or capital letters.
 * Shrinks to the first line and to zeros.
 */
export function billOfLading(constraints: BillOfLadingConstraints = {}): Arbitrary<string> {
  const carrier = constraints.carrier === undefined ? scac() : fc.constant(constraints.carrier);
  const digit = fc.constantFrom(...Array.from('0123456789'));
  const serial = fc.string({
    unit: fc.oneof({ arbitrary: digit, weight: 9 }, fc.constantFrom(...Array.from('ABCDEFGHJKLMNPRSTUVWXYZ'))),
    minLength: 8,
    maxLength: 8,
  });
  return fc.tuple(carrier, serial).map(
    ([line, rest]) => line + rest,
    (number) => {
      const match = typeof number === 'string' ? /^([A-Z]{2,4})([0-9A-Z]{8})$/.exec(number) : null;
      if (match === null) throw new Error('not a bill of lading number');
      return [match[1] as string, match[2] as string];
    },
  );
}

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

/** For voyage numbers as shipping lines write them: three digits and a direction, as in `042W`. Shrinks to `000E`. */
export function voyageNumber(): Arbitrary<string> {
  return fc.stringMatching(/^[0-9]{3}[EWNS]$/);
}

/**
 * For IMO ship identification numbers (IMO resolution A.1117(30)): six digits and a check digit, the last digit of the
 * sum of the six, weighted 7 to 2. Without the letters IMO. Shrinks to the smallest number.
 *
 * @example fc.sample(imoNumber()) // '9074729', ...
 */
export function imoNumber(): Arbitrary<string> {
  return fc.integer({ min: 100_000, max: 999_999 }).map(
    (serial) => `${serial}${imoCheckDigit(String(serial))}`,
    (number) => {
      if (typeof number !== 'string' || !/^\d{7}$/.test(number)) throw new Error('not an IMO number');
      return Number(number.slice(0, -1));
    },
  );
}

/** @param serial - the first six digits */
export function imoCheckDigit(serial: string): number {
  return Array.from(serial).reduce((sum, digit, index) => sum + Number(digit) * (7 - index), 0) % 10;
}

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
