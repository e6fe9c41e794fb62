import type { JsonSchema, SchemaObject } from '../../spec/jsonSchema.ts';
import { isJsonObject, type Json } from '../json/json.ts';
import { toPointer } from '../json/jsonPointer.ts';
import { schemaReference } from './schemaReference.ts';

/** A part of a value together with one of the schemas that speak of it. */
export interface SchemaVisit {
  readonly value: Json;
  readonly schema: SchemaObject;
  /** Where the part stands in the value, as a JSON Pointer. */
  readonly at: string;
}

/**
 * Goes through a value and its schema side by side, depth first: every part of the value with every schema object that
 * speaks of it, those in alternatives (`anyOf`, `oneOf`, `if`) included.
 *
 * @throws UnsupportedSchema for a `$ref` that leads out of the schema
 */
export function schemaWalk(value: Json, root: JsonSchema): readonly SchemaVisit[] {
  const resolve = schemaReference(root);
  const visit = (part: Json, schema: JsonSchema | undefined, at: string): readonly SchemaVisit[] => {
    if (schema === undefined || typeof schema === 'boolean') return [];
    const inner = Array.isArray(part) ? itemsOf(part, schema) : isJsonObject(part) ? membersOf(part, schema) : [];
    return [
      { value: part, schema, at },
      ...applied(schema).flatMap((other) => visit(part, other, at)),
      ...inner.flatMap(([token, item, each]) => visit(item, each, at + toPointer([token]))),
    ];
  };
  const applied = (schema: SchemaObject): readonly JsonSchema[] => {
    const reference = schema['$ref'];
    const from = { schema, pointer: '', recursions: 0 };
    const target = typeof reference === 'string' ? [resolve(reference, from)?.schema] : [];
    const branches = ['then', 'else'].map((keyword) => schema[keyword] as JsonSchema | undefined);
    const all = [...target, ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...branches];
    return all.filter((each) => each !== undefined);
  };
  return visit(value, root, '');
}

type Inner = readonly [token: string | number, value: Json, schema: JsonSchema | undefined];

function itemsOf(items: readonly Json[], { prefixItems = [], items: rest }: SchemaObject): readonly Inner[] {
  return items.map((item, index) => [index, item, prefixItems[index] ?? rest]);
}

function membersOf(object: { readonly [name: string]: Json }, schema: SchemaObject): readonly Inner[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  return Object.entries(object).flatMap(([name, value]): readonly Inner[] => {
    const own = Object.hasOwn(properties, name) ? [properties[name]] : [];
    const matching = Object.entries(patternProperties).filter(([pattern]) => new RegExp(pattern, 'u').test(name));
    const schemas = [...own, ...matching.map(([, each]) => each)];
    return (schemas.length > 0 ? schemas : [additionalProperties]).map((each) => [name, value, each]);
  });
}
