import { generateStatic } from '@stoplight/prism-http/dist/mocker/generator/JSONSchema.js';
import fc from 'fast-check';

import { schemaArbitrary, withPointer, type Json } from '../../../generators/index.ts';
import { schemaWalk } from '../../../generators/schema/schemaWalk.ts';
import { tradeStrings } from '../../../generators/trade/tradeStrings.ts';
import type { Contract, Operation } from '../../../spec/contract.ts';
import type { PrismOperation } from '../prismOperation.ts';

type Content = Operation['request'][string];
type Response = PrismOperation['responses'][number];
type MediaType = NonNullable<Response['contents']>[number];

/**
 * The same operations, with an example wherever the answer that Prism makes up does not keep the contract (it writes
 * `"string"` where a pattern asks for more). Always the same one.
 */
export function withValidAnswers(operations: readonly PrismOperation[], contract: Contract): PrismOperation[] {
  return operations.map((operation) => {
    const own = contract.operations.find(({ operationId }) => operationId === operation.iid);
    const responses = operation.responses.map((response) => ({
      ...response,
      contents: response.contents?.map((each) => exemplified(operation, each, own?.responses[response.code])) ?? [],
    }));
    return { ...operation, responses };
  });
}

function exemplified(
  operation: PrismOperation,
  offered: MediaType,
  known: Operation['request'] | undefined,
): MediaType {
  const content = known?.[offered.mediaType];
  if (content === undefined || (offered.examples ?? []).length > 0) return offered;
  const value = validStatic(operation, offered, content);
  return { ...offered, examples: [{ id: `${operation.id}-valid`, key: 'valid', value }] };
}

/** What Prism makes up for a schema, mended where the contract refuses it. */
export function validStatic(operation: PrismOperation, { schema }: Pick<MediaType, 'schema'>, content: Content): Json {
  const made = schema === undefined ? undefined : generateStatic(operation, schema);
  const draft = made?._tag === 'Right' ? (made.right as Json) : null;
  const mended = mend(draft, content);
  return content.validate(mended) ? mended : first(content.schema);
}

/** Replaces each place that the schema refuses by something that its own part of the schema takes. */
function mend(draft: Json, { schema, validate }: Content): Json {
  if (validate(draft)) return draft;
  const refused = new Set(validate.errors?.map(({ instancePath }) => instancePath));
  const visits = schemaWalk(draft, schema).filter(({ at }) => refused.has(at));
  return visits.reduce<Json>((value, visit) => withPointer(value, visit.at, first(visit.schema, visit.at)), draft);
}

function first(schema: Content['schema'], place?: string): Json {
  const strings: typeof tradeStrings = (part, at) => tradeStrings(part, place === undefined ? at : place + (at ?? ''));
  return fc.sample(schemaArbitrary(schema, { strings }), { seed: 1, numRuns: 1 })[0] ?? null;
}
