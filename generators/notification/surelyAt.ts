import type { JsonSchema, SchemaObject } from '../../spec/jsonSchema.ts';
import { fromPointer, toPointer } from '../json/jsonPointer.ts';
import { schemasAt } from '../schema/schemaReference.ts';

/** By pointer: what is generated of a schema is kept by the schema. */
const made = new WeakMap<SchemaObject, Map<string, JsonSchema>>();

/**
 * The schema, and beside it that every value has the member at this JSON Pointer, where the schema leaves that open. A delivery
 * carries its id where the contract places it, whether or not the schema requires it there.
 */
export function surelyAt(schema: JsonSchema, pointer: string): JsonSchema {
  if (typeof schema === 'boolean') return schema ? presence(pointer, text) : schema;
  const known = made.get(schema) ?? new Map<string, JsonSchema>();
  made.set(schema, known);
  const found = known.get(pointer) ?? requiring(schema, pointer);
  known.set(pointer, found);
  return found;
}

const text: JsonSchema = { type: 'string' };

function requiring(schema: SchemaObject, pointer: string): JsonSchema {
  const names = fromPointer(pointer);
  const holders = names.map((_, depth) => schemasAt(schema, toPointer(names.slice(0, depth))));
  // What stands in a list is there where the list has so many items, which is for its schema to say.
  if (holders.flat().some(({ type }) => [type].flat().includes('array'))) return schema;
  if (names.every((name, depth) => isRequired(name, holders[depth] ?? []))) return schema;
  // Alternatives may say what stands there.
  const isOpen = holders.flat().some((each) => 'anyOf' in each || 'oneOf' in each || 'if' in each);
  const isDescribed = isOpen || schemasAt(schema, pointer).length > 0;
  return { ...schema, allOf: [...(schema.allOf ?? []), presence(pointer, isDescribed || text)] };
}

/** @param holder - all schemas that speak of the object */
function isRequired(name: string, holder: readonly SchemaObject[]): boolean {
  const types = holder.flatMap(({ type }) => (type === undefined ? [] : [[type].flat()]));
  const isObject = types.length === 0 || types.some((each) => each.every((type) => type === 'object'));
  return isObject && holder.some(({ required = [] }) => required.includes(name));
}

function presence(pointer: string, member: JsonSchema): JsonSchema {
  return fromPointer(pointer).reduceRight<JsonSchema>(
    (inner, name) => ({ type: 'object', required: [name], properties: { [name]: inner } }),
    member,
  );
}
