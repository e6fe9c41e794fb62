import fc, { type Arbitrary } from 'fast-check';

import type { IncludedResource } from '../../spec/contract.ts';
import type { Json, JsonObject } from '../json/json.ts';
import { schemaArbitrary, type SchemaArbitraryOptions } from '../schema/schemaArbitrary.ts';

/** A resource as JSON:API identifies it (JSON:API 1.1, 5.3). */
interface Identified extends JsonObject {
  readonly type: string;
  readonly id: string;
}

/**
 * For the resources that accompany an event, as many of each type as the contract says, no two with the same identity.
 *
 * The first one refers to all others and each of them refers to it, by `relationships` (JSON:API 1.1, 7.2.2). Shrinks
 * to the fewest resources of each type, with what their schemas require.
 */
export function relatedResources(
  included: readonly IncludedResource[],
  options: SchemaArbitraryOptions,
): Arbitrary<readonly JsonObject[]> {
  return fc.tuple(...included.map((kind) => resources(kind, options))).map((groups) => related(groups.flat()));
}

function resources(
  { schema, least, most }: IncludedResource,
  options: SchemaArbitraryOptions,
): Arbitrary<readonly Identified[]> {
  return fc.uniqueArray(resourceOf(schema, options), {
    minLength: least,
    maxLength: most,
    selector: ({ id }) => id,
    size: 'max',
  });
}

/** What was compiled of a schema, with the options it was compiled with: many events bring the same few resources. */
const compiled = new WeakMap<
  object,
  { readonly options: SchemaArbitraryOptions; readonly resource: Arbitrary<Identified> }[]
>();

function resourceOf(schema: IncludedResource['schema'], options: SchemaArbitraryOptions): Arbitrary<Identified> {
  if (typeof schema === 'boolean') return schemaArbitrary(schema, options) as Arbitrary<Identified>;
  const all = compiled.get(schema) ?? [];
  compiled.set(schema, all);
  const known = all.find((each) => isSame(each.options, options));
  if (known) return known.resource;
  const resource = schemaArbitrary(schema, options) as Arbitrary<Identified>;
  all.push({ options, resource });
  return resource;
}

function isSame(one: SchemaArbitraryOptions, other: SchemaArbitraryOptions): boolean {
  const entries = Object.entries(other);
  return Object.keys(one).length === entries.length && entries.every(([name, value]) => Object(one)[name] === value);
}

function related(resources: readonly Identified[]): readonly JsonObject[] {
  const [first, ...others] = resources;
  if (first === undefined || others.length === 0) return resources;
  return [withRelationships(first, others), ...others.map((other) => withRelationships(other, [first]))];
}

function withRelationships(resource: Identified, others: readonly Identified[]): JsonObject {
  const byType = Object.entries(Object.groupBy(others, ({ type }) => type));
  const relationships = byType.map(([type, all = []]) => {
    const identifiers: readonly Json[] = all.map(({ id }) => ({ type, id }));
    return [type, { data: identifiers.length === 1 ? (identifiers[0] as Json) : identifiers }] as const;
  });
  return { ...resource, relationships: Object.fromEntries(relationships) };
}
