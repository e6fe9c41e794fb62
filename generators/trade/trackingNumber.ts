import fc, { type Arbitrary } from 'fast-check';

import { billOfLading } from './billOfLading.ts';
import { bookingNumber } from './bookingNumber.ts';
import { containerNumber } from './containerNumber.ts';

/** For the numbers by which a shipment can be tracked: bill of lading, booking or container numbers. */
export function trackingNumber(): Arbitrary<string> {
  return fc.oneof(billOfLading(), bookingNumber(), containerNumber());
}
