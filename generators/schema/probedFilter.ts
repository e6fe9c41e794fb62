import fc, { type Arbitrary } from 'fast-check';

import { UnsupportedSchema } from './schemaContext.ts';

const draws = 30;
/** Below one in ten, filtering gets slow, and what passes says little about what the schema means. */
const enough = draws / 10;

/**
 * Filters an arbitrary where that is cheap: some values are drawn first (always the same ones).
 *
 * @param pointer - where the keyword stands in the schema that asks for the filter
 * @throws UnsupportedSchema where fewer than one value in ten passes
 */
export function probedFilter<T>(
  arbitrary: Arbitrary<T>,
  predicate: (value: T) => boolean,
  pointer: string,
  keyword: string,
): Arbitrary<T> {
  // The first of them decide nearly always, and take a tenth of the time.
  const passed = passing(arbitrary, predicate, enough) === enough ? enough : passing(arbitrary, predicate, draws);
  if (passed >= enough) return arbitrary.filter(predicate);
  const received = `of ${draws} values made for the keywords beside it, ${passed} meet it`;
  throw new UnsupportedSchema(
    pointer,
    keyword,
    received,
    'Say it in a way that builds values instead: narrow the keywords beside it, or list the values in an enum.',
  );
}

function passing<T>(arbitrary: Arbitrary<T>, predicate: (value: T) => boolean, numRuns: number): number {
  return fc.sample(arbitrary, { numRuns, seed: 1 }).filter(predicate).length;
}
