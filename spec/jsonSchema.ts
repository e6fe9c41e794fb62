/** The types that a JSON Schema may name. */
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/**
 * A JSON Schema 2020-12 object. The keywords that validate are typed; annotations and extensions (`x-...`) are
 * whatever the document holds.
 */
export interface SchemaObject {
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly contains?: JsonSchema;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly patternProperties?: { readonly [pattern: string]: JsonSchema };
  readonly additionalProperties?: JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly [keyword: string]: unknown;
}

/** A JSON Schema: `true` takes every value, `false` none. */
export type JsonSchema = boolean | SchemaObject;

/** A schema as an object: one that takes no value takes none either. */
export function objectOf(schema: JsonSchema): SchemaObject {
  if (typeof schema !== 'boolean') return schema;
  return schema ? {} : { allOf: [false] };
}

/** A JSON object: what a schema, a YAML mapping and an OpenAPI object have in common. */
export type Mapping = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The mapping; an empty one in place of anything else. */
export function mapping(value: unknown): Mapping {
  return isRecord(value) ? value : {};
}
