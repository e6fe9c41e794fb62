import fc, { type Arbitrary } from 'fast-check';

import { scac } from './scac.ts';

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
