import type { SchemaObject } from '../../spec/jsonSchema.ts';
import { toPointer } from '../json/jsonPointer.ts';
import { UnsupportedSchema } from './unsupportedSchema.ts';

/** Keywords that restrict values, all of which the generators honour. */
const honoured = new Set(
  [
    '$ref allOf anyOf oneOf not if then else dependentRequired dependentSchemas',
    'type const enum format',
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
    'minLength maxLength pattern',
    'items prefixItems contains minContains maxContains minItems maxItems uniqueItems',
    'properties patternProperties additionalProperties propertyNames required',
    'minProperties maxProperties unevaluatedProperties',
  ].flatMap((names) => names.split(' ')),
);

/** Keywords that restrict nothing: annotations of JSON Schema 2020-12 and of OpenAPI 3.1, and places for other schemas. */
const ignored = new Set(
  [
    '$schema $id $anchor $defs definitions $comment $vocabulary',
    'title description default examples deprecated readOnly writeOnly',
    'contentEncoding contentMediaType contentSchema',
    'discriminator xml externalDocs example',
  ].flatMap((names) => names.split(' ')),
);

/** @throws UnsupportedSchema for the first keyword that is neither honoured nor an annotation */
export function assertKnownKeywords(schema: SchemaObject, pointer: string): void {
  for (const keyword of Object.keys(schema)) {
    if (honoured.has(keyword) || ignored.has(keyword) || keyword.startsWith('x-')) continue;
    throw new UnsupportedSchema(
      pointer + toPointer([keyword]),
      keyword,
      'the keyword is not known here',
      adviceOn(keyword),
    );
  }
}

function adviceOn(keyword: string): string {
  if (keyword === 'nullable') return "Name the type 'null' beside the others: type: [string, 'null'].";
  if (keyword === 'dependencies') return 'Use dependentRequired or dependentSchemas instead.';
  if (keyword === 'unevaluatedItems') return "Use 'items: false' beside 'prefixItems' instead.";
  if (keyword.startsWith('$')) return 'Use $ref with a JSON Pointer or $anchor within the schema instead.';
  return "Use the keywords of JSON Schema 2020-12; an annotation of one's own begins with 'x-'.";
}
