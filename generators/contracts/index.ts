import fc, { type Arbitrary } from 'fast-check';

import type { Contract } from '../../spec/contract.ts';
import type { SchemaObject } from '../../spec/jsonSchema.ts';
import type { ShippedContract } from '../../spec/shippedContracts.ts';
import type { StringSource } from '../schema/schemaContext.ts';
import { tradeStrings } from './tracking/tradeStrings.ts';

/** The contracts that have words of their own. In the texts of all others stand the examples of their schemas. */
const own: Readonly<Partial<Record<ShippedContract, StringSource>>> = { tracking: withExamples(tradeStrings) };

const examplesAlone: StringSource = Object.assign((schema: SchemaObject) => exampleStrings(schema), {
  isPlaceFree: true,
});

/** The source of strings for a contract: the examples of its schemas, and what people of its trade would write. */
export function stringsOf({ name }: Pick<Contract, 'name'>): StringSource {
  return own[name as ShippedContract] ?? examplesAlone;
}

function withExamples(strings: StringSource): StringSource {
  return (schema, at) => exampleStrings(schema) ?? strings(schema, at);
}

/** For the `examples` of a schema, where it has some. */
function exampleStrings(schema: SchemaObject): Arbitrary<string> | undefined {
  const examples = Array.isArray(schema['examples']) ? (schema['examples'] as unknown[]) : [];
  const texts = examples.filter((example) => typeof example === 'string');
  return texts.length > 0 ? fc.constantFrom(...texts) : undefined;
}
