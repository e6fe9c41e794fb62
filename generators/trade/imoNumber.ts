import fc, { type Arbitrary } from 'fast-check';

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
