import fc, { type Arbitrary } from 'fast-check';

/**
 * For booking numbers as shipping lines give them: nine digits, or three capital letters and seven digits. They have no
 * common standard. Shrinks to digits.
 */
export function bookingNumber(): Arbitrary<string> {
  return fc.oneof(fc.stringMatching(/^[0-9]{9}$/), fc.stringMatching(/^[A-Z]{3}[0-9]{7}$/));
}
