import fc, { type Arbitrary } from 'fast-check';

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

/**
 * The seventh digit of a ship's IMO number, which checks the others.
 *
 * @param serial - the first six digits
 * @example imoCheckDigit('907472') // 9
 */
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

/** Constraints of {@link containerNumber}. */
export interface ContainerNumberConstraints {
  /** The owner's three letters. Default: any. */
  readonly owner?: string;
  /** `U` freight container (default), `J` detachable equipment, `Z` trailer or chassis. */
  readonly category?: 'U' | 'J' | 'Z';
}

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');

/**
 * For container numbers (ISO 6346): the owner's three letters, the category, six digits and a right check digit.
 *
 * Serial numbers whose remainder is 10 are left out, as the standard recommends: their check digit would be 0 as well.
 * Shrinks to the owner AAA and to small serial numbers.
 *
 * @example fc.sample(containerNumber()) // 'CSQU3054383', ...
 */
export function containerNumber(constraints: ContainerNumberConstraints = {}): Arbitrary<string> {
  const { owner, category = 'U' } = constraints;
  const anyOwner = fc.string({ unit: fc.constantFrom(...letters), minLength: 3, maxLength: 3 });
  return fc
    .tuple(owner === undefined ? anyOwner : fc.constant(owner), fc.nat(999_999))
    .map(([prefix, serial]) => `${prefix}${category}${String(serial).padStart(6, '0')}`)
    .filter((number) => remainder(number) !== 10)
    .map(
      (number) => number + containerCheckDigit(number),
      (number) => withoutCheckDigit(number),
    );
}

/**
 * The check digit of a container number (ISO 6346, annex A).
 *
 * @param number - its first ten characters: four letters and six digits
 * @throws RangeError for anything else
 * @example containerCheckDigit('CSQU305438') // 3
 */
export function containerCheckDigit(number: string): number {
  if (!/^[A-Z]{4}\d{6}$/.test(number)) {
    throw new RangeError(`'${number}' has to be four capital letters and six digits, as in CSQU305438.`);
  }
  return remainder(number) % 10;
}

function remainder(number: string): number {
  const sum = Array.from(number).reduce((total, character, index) => total + valueOf(character) * 2 ** index, 0);
  return sum % 11;
}

/** Letters count from 10 on, leaving out the multiples of 11. */
function valueOf(character: string): number {
  const index = letters.indexOf(character);
  if (index < 0) return Number(character);
  return index + 10 + (index >= 1 ? 1 : 0) + (index >= 11 ? 1 : 0) + (index >= 21 ? 1 : 0);
}

function withoutCheckDigit(number: unknown): string {
  if (typeof number !== 'string' || !/^[A-Z]{4}\d{7}$/.test(number)) throw new Error('not a container number');
  return number.slice(0, -1);
}
