import type { JsonSchema, JsonType, SchemaObject } from '../../spec/jsonSchema.ts';
import { canonicalJson, isJsonObject, type Json } from '../json/json.ts';
import { toPointer } from '../json/jsonPointer.ts';
import { type SchemaPlace, UnsupportedSchema } from './schemaContext.ts';

/**
 * One of the ways to meet a schema: a conjunction without `$ref`, `allOf`, `anyOf`, `oneOf`, `if` and the like.
 *
 * Of the schema objects in `parts` only the keywords that look at one type count. What cannot be said by them is in
 * `residuals`, which are met by filtering.
 */
export interface SchemaCase {
  readonly parts: readonly SchemaObjectPlace[];
  readonly residuals: readonly Residual[];
}

export interface SchemaObjectPlace extends SchemaPlace {
  readonly schema: SchemaObject;
}

/** A schema that a value has to meet, or (`expected: false`) must not meet. */
export interface Residual {
  readonly place: SchemaPlace;
  readonly expected: boolean;
  readonly keyword: string;
}

/** Resolves a `$ref`, seen from the place that holds it; undefined where recursion has gone deep enough. */
export type Resolve = (reference: string, from: SchemaPlace) => SchemaPlace | undefined;

const mostCases = 256;
const nothingAsked: readonly SchemaCase[] = [{ parts: [], residuals: [] }];

/**
 * Takes the applicators of several schemas apart, all of which have to be met.
 *
 * @returns the cases; none where no value can meet the schemas
 * @throws UnsupportedSchema for a keyword that is not known, or where there are too many cases
 */
export function schemaCases(places: readonly SchemaPlace[], resolve: Resolve): readonly SchemaCase[] {
  return places.reduce((cases, place) => product(cases, casesOf(place, resolve), place), nothingAsked);
}

function casesOf(place: SchemaPlace, resolve: Resolve): readonly SchemaCase[] {
  const { schema } = place;
  if (typeof schema === 'boolean') return schema ? nothingAsked : [];
  assertKnownKeywords(schema, place.pointer);
  const own: readonly SchemaCase[] = [{ parts: [{ ...place, schema }], residuals: residualsOf(schema, place) }];
  return [...applications(schema, place, resolve)].reduce((cases, more) => product(cases, more, place), own);
}

function* applications(schema: SchemaObject, place: SchemaPlace, resolve: Resolve): Iterable<readonly SchemaCase[]> {
  const cases = (inner: SchemaPlace): readonly SchemaCase[] => casesOf(inner, resolve);
  if (typeof schema['$ref'] === 'string') yield referenced(schema['$ref'], place, resolve);
  yield* childrenOf(place, 'allOf', schema.allOf).map(cases);
  if (schema.anyOf !== undefined) yield childrenOf(place, 'anyOf', schema.anyOf).flatMap(cases);
  if (schema.oneOf !== undefined) yield exactlyOne(childrenOf(place, 'oneOf', schema.oneOf), resolve);
  if (schema['if'] !== undefined) yield conditional(schema, place, resolve);
  yield* dependencies(schema, place, resolve);
}

function referenced(reference: string, place: SchemaPlace, resolve: Resolve): readonly SchemaCase[] {
  const target = resolve(reference, place);
  return target === undefined ? [] : casesOf(target, resolve);
}

function exactlyOne(branches: readonly SchemaPlace[], resolve: Resolve): readonly SchemaCase[] {
  return branches.flatMap((branch) => {
    const others = branches.filter((other) => other !== branch && !haveDisjointTypes(branch.schema, other.schema));
    const residuals = others.map((other) => ({ place: other, expected: false, keyword: 'oneOf' }));
    return casesOf(branch, resolve).map((one) => ({ ...one, residuals: [...one.residuals, ...residuals] }));
  });
}

function conditional(schema: SchemaObject, place: SchemaPlace, resolve: Resolve): readonly SchemaCase[] {
  const branch = (keyword: string) => childAt(place, [keyword], (schema[keyword] ?? true) as JsonSchema);
  const condition = branch('if');
  const met = schemaCases([condition, branch('then')], resolve);
  const unmet = { place: condition, expected: false, keyword: 'if' };
  const otherwise = schemaCases([branch('else')], resolve);
  return [...met, ...otherwise.map((one) => ({ ...one, residuals: [...one.residuals, unmet] }))];
}

/** "Where `a` is present, then ..." is "`a` is absent, or it is present and ...". */
function* dependencies(schema: SchemaObject, place: SchemaPlace, resolve: Resolve): Iterable<readonly SchemaCase[]> {
  const made = (extra: SchemaObject): SchemaPlace => ({ ...place, schema: extra, made: true });
  const absent = (name: string) => made({ properties: { [name]: false } });
  for (const [name, required] of Object.entries((schema['dependentRequired'] ?? {}) as Record<string, string[]>)) {
    yield [absent(name), made({ required: [name, ...required] })].flatMap((one) => casesOf(one, resolve));
  }
  for (const [name, inner] of Object.entries((schema['dependentSchemas'] ?? {}) as Record<string, JsonSchema>)) {
    const present = [made({ required: [name] }), childAt(place, ['dependentSchemas', name], inner)];
    yield [...casesOf(absent(name), resolve), ...schemaCases(present, resolve)];
  }
}

/** Which members are evaluated depends on the branches that apply, so what was built for them is checked. */
function residualsOf(schema: SchemaObject, place: SchemaPlace): readonly Residual[] {
  const not: Residual[] =
    schema.not === undefined ? [] : [{ place: childAt(place, ['not'], schema.not), expected: false, keyword: 'not' }];
  const isChecked = schema['unevaluatedProperties'] !== undefined;
  return isChecked ? [...not, { place, expected: true, keyword: 'unevaluatedProperties' }] : not;
}

function product(left: readonly SchemaCase[], right: readonly SchemaCase[], place: SchemaPlace): readonly SchemaCase[] {
  if (left.length * right.length > mostCases) {
    const received = `there are more than ${mostCases} ways to meet this schema and those beside it`;
    throw new UnsupportedSchema(place.pointer, 'anyOf', received, 'Write the few that matter as one anyOf.');
  }
  return left.flatMap((one) =>
    right.map((other) => ({
      parts: [...one.parts, ...other.parts],
      residuals: [...one.residuals, ...other.residuals],
    })),
  );
}

function childrenOf(place: SchemaPlace, keyword: string, list: readonly JsonSchema[] = []): readonly SchemaPlace[] {
  return list.map((schema, index) => childAt(place, [keyword, index], schema));
}

/** The place of a schema within another one. */
export function childAt(place: SchemaPlace, tokens: readonly (string | number)[], schema: JsonSchema): SchemaPlace {
  return {
    schema,
    pointer: place.pointer + toPointer(tokens),
    recursions: place.recursions,
    ...(place.made && { made: true }),
  };
}

function haveDisjointTypes(left: JsonSchema, right: JsonSchema): boolean {
  const [one, other] = [left, right].map(typesNamed);
  return one !== undefined && other !== undefined && one.every((type) => !other.includes(type));
}

function typesNamed(schema: JsonSchema): readonly string[] | undefined {
  if (typeof schema === 'boolean' || schema.type === undefined) return undefined;
  return [schema.type].flat().map((type) => (type === 'integer' ? 'number' : type));
}

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
function assertKnownKeywords(schema: SchemaObject, pointer: string): void {
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
