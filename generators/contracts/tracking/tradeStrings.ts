import fc, { type Arbitrary } from 'fast-check';

import type { SchemaObject } from '../../../spec/jsonSchema.ts';
import { lazily } from '../../arbitraries.ts';
import {
  billOfLading,
  containerNumber,
  imoNumber,
  locode,
  scac,
  trackingNumber,
  voyageNumber,
} from './tradeNumbers.ts';

/** What the trade writes where a schema asks for this pattern: the first whose strings all match. */
const byPattern = [billOfLading, containerNumber, scac, locode, imoNumber].map((make) =>
  withSample(lazily(() => make())),
);

/** What the trade writes in members that are called so, where no pattern says more. */
const byName: readonly (readonly [RegExp, Arbitrary<string>])[] = [
  [/voyage/i, lazily(voyageNumber)],
  [/(request|tracking)_?number$/i, lazily(trackingNumber)],
];

/**
 * For what people in the trade would write where a schema asks for a string: an identifier of the trade that its pattern
 * takes (ISO 6346, SCAC, UN/LOCODE, ...), or what its name says. Undefined: nothing special.
 *
 * @param at - where the string stands in the generated value (JSON Pointer), where that is fixed
 */
export function tradeStrings(schema: SchemaObject, at: string | undefined): Arbitrary<string> | undefined {
  if (schema.format !== undefined) return undefined;
  if (schema.pattern !== undefined) return matching(new RegExp(schema.pattern, 'u'));
  return byName.find(([name]) => at !== undefined && name.test(at))?.[1];
}

function matching(pattern: RegExp): Arbitrary<string> | undefined {
  return byPattern.find(({ sample }) => sample().every((text) => pattern.test(text)))?.strings;
}

function withSample(strings: Arbitrary<string>) {
  let sample: readonly string[] | undefined;
  return { strings, sample: () => (sample ??= fc.sample(strings, { numRuns: 20, seed: 1 })) };
}
