import fc, { type Arbitrary } from 'fast-check';

import { UnsupportedSchema } from './schemaContext.ts';

/** Constraints of {@link distinctArray}. */
export interface DistinctArrayConstraints<T> {
  readonly minLength: number;
  /** Default: none; what is generated stays short. */
  readonly maxLength?: number;
  /** Two items with the same key are the same. */
  readonly selector: (item: T) => string;
  /** Where the keyword that asks for it stands in the schema. */
  readonly pointer: string;
  readonly keyword: string;
}

/**
 * For arrays without repetition. Some items are drawn first (always the same ones) to see whether there are enough.
 *
 * @throws UnsupportedSchema where these are fewer than `minLength` different ones
 */
export function distinctArray<T>(item: Arbitrary<T>, constraints: DistinctArrayConstraints<T>): Arbitrary<T[]> {
  const { minLength, maxLength, selector, pointer, keyword } = constraints;
  if (minLength > 1) {
    const drawn = fc.sample(item, { numRuns: 20 + 10 * minLength, seed: 1 });
    const different = new Set(drawn.map(selector)).size;
    if (different < minLength) throw tooFew(pointer, keyword, different, constraints);
  }
  const lengths = { minLength, ...(maxLength !== undefined && { maxLength }) };
  return fc.uniqueArray(item, { ...lengths, selector });
}

function tooFew(
  pointer: string,
  keyword: string,
  different: number,
  { minLength }: { readonly minLength: number },
): UnsupportedSchema {
  const received = `${minLength} different ones are asked for, and only ${different} were found`;
  return new UnsupportedSchema(pointer, keyword, received, 'Ask for fewer, or take more values.');
}
