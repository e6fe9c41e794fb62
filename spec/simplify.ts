import { type JsonSchema, type SchemaObject, isRecord } from './jsonSchema.ts';

/**
 * Merges `allOf` away wherever the merged schema takes exactly the same values: the same type, other properties,
 * narrower enumerations. Whatever cannot be merged so stays as it is.
 */
export function simplify(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const inner = mapSubschemas(schema, simplify);
  const { allOf, ...rest } = inner;
  if (allOf === undefined) return inner;
  const merged = [...allOf, rest].reduce<SchemaObject | undefined>(mergeParts, {});
  return merged ?? inner;
}

function mergeParts(left: SchemaObject | undefined, right: JsonSchema): SchemaObject | undefined {
  return left === undefined || typeof right === 'boolean' ? undefined : merge(left, right);
}

/** Keywords whose meaning depends on the keywords beside them: moving them next to others would change it. */
const dependent =
  /^(additionalProperties|unevaluated.*|prefixItems|.*[cC]ontains|if|then|else|\$defs|\$anchor|\$dynamic.*|\$id)$/;

/** The schema that takes what both take, or nothing where that cannot be decided keyword by keyword. */
function merge(left: SchemaObject, right: SchemaObject): SchemaObject | undefined {
  if ([...Object.keys(left), ...Object.keys(right)].some((keyword) => dependent.test(keyword))) return undefined;
  const merged: Record<string, unknown> = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    const both = keyword in left ? mergeKeyword(keyword, left[keyword], value) : value;
    if (both === undefined) return undefined;
    merged[keyword] = both;
  }
  return narrowed(merged);
}

function mergeKeyword(keyword: string, left: unknown, right: unknown): unknown {
  if (JSON.stringify(left) === JSON.stringify(right)) return left;
  if (keyword === 'properties') return mergeProperties(left, right);
  if (keyword === 'required') return [...new Set([...(left as string[]), ...(right as string[])])];
  return /^(title|description|examples?|x-.*)$/.test(keyword) ? right : undefined;
}

function mergeProperties(left: unknown, right: unknown): unknown {
  const merged: Record<string, unknown> = { ...(left as object) };
  for (const [name, schema] of Object.entries(right as Readonly<Record<string, unknown>>)) {
    const other = merged[name];
    const both = other === undefined ? schema : isRecord(other) && isRecord(schema) ? merge(other, schema) : undefined;
    if (both === undefined) return undefined;
    merged[name] = both;
  }
  return merged;
}

/** A `const` that its `enum` lists says all that the two say together. */
function narrowed(schema: SchemaObject): SchemaObject {
  const { enum: listed, ...rest } = schema;
  return 'const' in schema && listed?.includes(schema.const) === true ? rest : schema;
}

const single = ['items', 'contains', 'additionalProperties', 'propertyNames', 'not'];
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const maps = ['properties', 'patternProperties'];

function mapSubschemas(schema: SchemaObject, change: (schema: JsonSchema) => JsonSchema): SchemaObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (single.includes(keyword)) return [keyword, change(value as JsonSchema)];
      if (lists.includes(keyword)) return [keyword, (value as readonly JsonSchema[]).map(change)];
      if (!maps.includes(keyword)) return [keyword, value];
      const entries = Object.entries(value as Readonly<Record<string, JsonSchema>>);
      return [keyword, Object.fromEntries(entries.map(([name, each]) => [name, change(each)]))];
    }),
  );
}
