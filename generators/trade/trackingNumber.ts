import fc, { type Arbitrary } from 'fast-check';

import { billOfLading } from './billOfLading.ts';
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
