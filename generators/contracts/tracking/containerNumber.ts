import fc, { type Arbitrary } from 'fast-check';

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
