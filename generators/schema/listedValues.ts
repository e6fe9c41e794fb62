import type { JsonType, SchemaObject } from '../../spec/jsonSchema.ts';
import { canonicalJson, isJsonObject, type Json } from '../json/json.ts';

/** The values that `const` and `enum` of all the schemas leave, or undefined where there is neither. */
export function listedValues(schemas: readonly SchemaObject[]): readonly Json[] | undefined {
  const lists = schemas.flatMap((schema) => [
    ...('const' in schema ? [[schema.const]] : []),
    ...(schema.enum === undefined ? [] : [schema.enum]),
  ]) as Json[][];
  const [first, ...others] = lists;
  if (first === undefined) return undefined;
  const texts = others.map((list) => new Set(list.map(canonicalJson)));
  return first.filter((value) => texts.every((set) => set.has(canonicalJson(value))));
}

/** Whether a schema restricts values by `const`, `enum` and `type` alone, as most that list values do. */
export function isPlainList(schema: SchemaObject): boolean {
  const plain = /^(const|enum|type|title|description|default|examples?|deprecated|x-.*)$/;
  return Object.keys(schema).every((keyword) => plain.test(keyword));
}

/** Whether the value is of the type, or of one of the types, that the schema names. */
export function hasType({ type }: SchemaObject, value: Json): boolean {
  return type === undefined || [type].flat().some((each) => isOfType(each, value));
}

function isOfType(type: JsonType, value: Json): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}
