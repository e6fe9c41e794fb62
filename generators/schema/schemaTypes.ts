import type { JsonType, SchemaObject } from '../../spec/jsonSchema.ts';
import type { SchemaObjectPlace } from './schemaCases.ts';

const all: readonly JsonType[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** The keywords that speak of one type only. */
const spokenOf: readonly (readonly [JsonType, readonly string[]])[] = [
  ['string', ['minLength', 'maxLength', 'pattern', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
  ['array', ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems']],
  [
    'object',
    [
      'properties',
      'patternProperties',
      'additionalProperties',
      'propertyNames',
      'required',
      'minProperties',
      'maxProperties',
      'unevaluatedProperties',
    ],
  ],
];

/**
 * The types that values may have to meet all of these schemas; never both `integer` and `number`. Undefined: any.
 *
 * A schema without `type` that speaks of strings, say, also takes everything that is no string. That is not generated:
 * whoever writes `minLength` means strings.
 */
export function schemaTypes(parts: readonly SchemaObjectPlace[]): readonly JsonType[] | undefined {
  const named = parts.map(({ schema }) => schema).filter((schema) => schema.type !== undefined);
  if (named.length === 0) return impliedTypes(parts.map(({ schema }) => schema));
  const common = all.filter((type) => named.every((schema) => takes(schema, type)));
  return common.includes('number') ? common.filter((type) => type !== 'integer') : common;
}

function takes({ type }: SchemaObject, candidate: JsonType): boolean {
  const types = [type].flat();
  return types.includes(candidate) || (candidate === 'integer' && types.includes('number'));
}

function impliedTypes(schemas: readonly SchemaObject[]): readonly JsonType[] | undefined {
  const spoken = spokenOf.filter(([, keywords]) => schemas.some((schema) => keywords.some((name) => name in schema)));
  return spoken.length === 0 ? undefined : spoken.map(([type]) => type);
}
