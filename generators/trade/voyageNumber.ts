import fc, { type Arbitrary } from 'fast-check';

/** For voyage numbers as shipping lines write them: three digits and a direction, as in `042W`. Shrinks to `000E`. */
export function voyageNumber(): Arbitrary<string> {
  return fc.stringMatching(/^[0-9]{3}[EWNS]$/);
}
