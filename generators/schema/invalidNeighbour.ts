import type { ErrorObject } from 'ajv';
import fc, { type Arbitrary } from 'fast-check';

import type { JsonSchema, ValidateFunction } from '../../spec/contract.ts';
import { type Json, isJsonObject, type JsonObject } from '../json/json.ts';
import { toPointer, withPointer } from '../json/jsonPointer.ts';
import { probedFilter } from './schemaContext.ts';
import { schemaArbitrary, type SchemaArbitraryOptions } from './schemaArbitrary.ts';
import { isQuickNearby } from './stringMatching.ts';
import { schemaWalk, type SchemaVisit } from './schemaReference.ts';
import type { SchemaObject } from '../../spec/jsonSchema.ts';
import { hasType } from './schemaCases.ts';

/** A valid value and one that differs from it in one place, and is invalid because of that place alone. */
export interface InvalidNeighbour {
  readonly valid: Json;
  readonly invalid: Json;
  /** The place of the one change, as a JSON Pointer: that of the member itself where it was removed or added. */
  readonly at: string;
  /** The keyword of the schema that no longer holds there. */
  readonly keyword: string;
  /** What was changed, in plain words: "/data/type: a number". */
  readonly change: string;
}

/** Constraints of {@link invalidNeighbour}. */
export interface InvalidNeighbourOptions extends SchemaArbitraryOptions {
  /** The valid values to start from. Default: any of the schema. */
  readonly valid?: Arbitrary<Json>;
  /** The keywords to break. Default: all. */
  readonly keywords?: readonly string[];
}

/**
 * For invalid values, each beside the valid one that it was made from by one change. Every one is proven before it is
 * used: the validator refuses it at the changed place and at no other.
 *
 * All keywords that can be broken in a value are equally likely. Shrinks the valid value first, then the choice of the
 * change. Values in which nothing can be broken are passed over.
 *
 * @param validate - the compiled schema; it has to report all errors (Ajv's `allErrors`)
 * @throws UnsupportedSchema for a schema that cannot be generated, or where changes hardly ever
 *   make its values invalid
 * @example invalidNeighbour(event.schema, event.validate).map(({ invalid }) => JSON.stringify(invalid))
 */
export function invalidNeighbour(
  schema: JsonSchema,
  validate: ValidateFunction,
  options: InvalidNeighbourOptions = {},
): Arbitrary<InvalidNeighbour> {
  const { valid = schemaArbitrary(schema, options), keywords } = options;
  const changes = valid
    .map((value) => changesOf(value, schema, keywords))
    .filter((all) => all.length > 0)
    .chain(anyChange);
  const proven = probedFilter(changes, (change) => isProven(toNeighbour(change), validate), '', 'not');
  return proven.map(toNeighbour);
}

/** A change that may or may not make a valid value invalid. */
interface Change {
  readonly valid: Json;
  readonly visit: SchemaVisit;
  readonly broken: Break;
}

function changesOf(valid: Json, schema: JsonSchema, keywords: readonly string[] | undefined): readonly Change[] {
  return schemaWalk(valid, schema).flatMap((visit) => {
    if (!isTryable(visit.schema)) return [];
    const all = keywordBreaks(visit.value, visit.schema);
    const wanted = keywords === undefined ? all : all.filter(({ keyword }) => keywords.includes(keyword));
    return wanted.map((broken) => ({ valid, visit, broken }));
  });
}

/** A pattern may search for ever in what does not match it: what stands there is left as it is. */
function isTryable({ pattern }: SchemaObject): boolean {
  return pattern === undefined || isQuickNearby(pattern);
}

function anyChange(changes: readonly Change[]): Arbitrary<Change> {
  const byKeyword = Object.values(Object.groupBy(changes, ({ broken }) => broken.keyword));
  return fc.oneof(...byKeyword.map((group = []) => fc.constantFrom(...group)));
}

function toNeighbour({ valid, visit, broken: { keyword, change, value, member } }: Change): InvalidNeighbour {
  const at = member === undefined ? visit.at : visit.at + toPointer([member]);
  const place = at === '' ? 'the whole value' : at;
  return { valid, invalid: withPointer(valid, visit.at, value), at, keyword, change: `${place}: ${change}` };
}

function isProven({ invalid, at, keyword }: InvalidNeighbour, validate: ValidateFunction): boolean {
  if (validate(invalid)) return false;
  const errors = validate.errors ?? [];
  const isMeant = errors.some((error) => error.keyword === keyword && placeOf(error) === at);
  return isMeant && errors.every((error) => isThere(error, at));
}

/**
 * Whether an error speaks of the changed place. Where alternatives are tried, each that fails reports from its own
 * point of view, and so does the keyword that holds them, further out.
 */
function isThere(error: ErrorObject, at: string): boolean {
  const place = placeOf(error);
  if (place === at || error.instancePath === at) return true;
  const isOfAlternatives = /\/(anyOf|oneOf|if|not|contains|propertyNames)(\/|$)/.test(error.schemaPath);
  return isOfAlternatives && at.startsWith(`${error.instancePath}/`);
}

/** Where an error lies: for a member that is missing or not allowed, at the member and not at the object around it. */
function placeOf({ instancePath, params, propertyName }: ErrorObject): string {
  const { missingProperty, additionalProperty, unevaluatedProperty } = params as Readonly<Record<string, unknown>>;
  const name =
    missingProperty ??
    additionalProperty ??
    unevaluatedProperty ??
    (params as { propertyName?: unknown }).propertyName ??
    propertyName;
  return typeof name === 'string' ? instancePath + toPointer([name]) : instancePath;
}

/** What may be put in place of a value so that one keyword of its schema no longer holds. Not proven yet. */
interface Break {
  readonly keyword: string;
  /** What was done, to follow "with": "a number instead of a string". */
  readonly change: string;
  readonly value: Json;
  /** The member that was removed or added, where the change lies in one. */
  readonly member?: string;
}

/** One value of each type, and a fraction for where only whole numbers are valid. */
const samples: readonly (readonly [words: string, value: Json])[] = [
  ['null', null],
  ['a boolean', true],
  ['a number', 7],
  ['a fraction', 0.5],
  ['a string', 'seven'],
  ['an array', []],
  ['an object', {}],
];

/** For each keyword, ways to break it. Which of them work for a value in its place is for a validator to say. */
const breaks: Readonly<Record<string, (value: Json, schema: SchemaObject) => readonly Omit<Break, 'keyword'>[]>> = {
  type: (_value, schema) => others((value) => !hasType(schema, value)),
  const: (value) => [...nearStrings(value), ...others(() => true)],
  enum: (value) => [...nearStrings(value), ...others(() => true)],
  anyOf: () => others(() => true),
  oneOf: () => others(() => true),
  pattern: (value) => nearStrings(value),
  format: (value) => nearStrings(value),
  minLength: (value, { minLength = 0 }) =>
    typeof value === 'string' && minLength > 0
      ? [
          {
            change: 'a string that is too short',
            value: Array.from(value)
              .slice(0, minLength - 1)
              .join(''),
          },
        ]
      : [],
  maxLength: (value, { maxLength = 0 }) =>
    typeof value === 'string'
      ? [{ change: 'a string that is too long', value: value.padEnd(maxLength + 1 + value.length, 'a') }]
      : [],
  minimum: (value, { minimum = 0 }) => number(value, minimum - 1, 'a number that is too small'),
  exclusiveMinimum: (value, { exclusiveMinimum = 0 }) => number(value, exclusiveMinimum, 'a number that is too small'),
  maximum: (value, { maximum = 0 }) => number(value, maximum + 1, 'a number that is too large'),
  exclusiveMaximum: (value, { exclusiveMaximum = 0 }) => number(value, exclusiveMaximum, 'a number that is too large'),
  multipleOf: (value, { multipleOf = 1 }) =>
    number(
      value,
      typeof value === 'number' ? value + multipleOf / 2 : 0,
      `a number that is no multiple of ${multipleOf}`,
    ),
  required: (value, { required = [] }) => (isJsonObject(value) ? required.flatMap((name) => removed(value, name)) : []),
  additionalProperties: (value) => added(value, 'unexpected_member'),
  unevaluatedProperties: (value) => added(value, 'unexpected_member'),
  propertyNames: (value) => [
    ...added(value, ''),
    ...added(value, 'Unexpected Name!'),
    ...added(value, 'a'.repeat(300)),
  ],
  minProperties: (value) => (isJsonObject(value) ? [{ change: 'no members', value: {} }] : []),
  maxProperties: (value, { maxProperties = 0 }) => crowded(value, maxProperties),
  minItems: (value, { minItems = 0 }) =>
    Array.isArray(value) && minItems > 0
      ? [{ change: 'too few items', value: value.slice(0, minItems - 1) as Json[] }]
      : [],
  maxItems: (value, { maxItems = 0 }) => lengthened(value, maxItems + 1),
  uniqueItems: (value) =>
    Array.isArray(value) && value.length > 0
      ? [{ change: 'an item twice', value: [...value, value[0]] as Json[] }]
      : [],
  contains: (value) => (Array.isArray(value) ? [{ change: 'no items', value: [] }] : []),
};

/** Ways to break the keywords of one schema at the place of a value that is valid for it. */
function keywordBreaks(value: Json, schema: SchemaObject): readonly Break[] {
  return Object.keys(schema).flatMap((keyword) => {
    const ways = Object.hasOwn(breaks, keyword) ? breaks[keyword]?.(value, schema) : undefined;
    return (ways ?? []).map((way) => ({ ...way, keyword }));
  });
}

function others(isOther: (value: Json) => boolean): readonly Omit<Break, 'keyword'>[] {
  return samples.filter(([, value]) => isOther(value)).map(([change, value]) => ({ change, value }));
}

/** Strings that differ in one detail, as typing errors and careless programs make them. */
function nearStrings(value: Json): readonly Omit<Break, 'keyword'>[] {
  if (typeof value !== 'string') return [];
  return [
    { change: 'a character more', value: `${value}x` },
    { change: 'the last character missing', value: value.slice(0, -1) },
    { change: 'a space before it', value: ` ${value}` },
    { change: 'other letter case', value: value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase() },
    { change: 'a line feed after it', value: `${value}\n` },
    { change: 'an empty string', value: '' },
  ];
}

function number(value: Json, instead: number, change: string): readonly Omit<Break, 'keyword'>[] {
  return typeof value === 'number' ? [{ change, value: instead }] : [];
}

function removed(object: JsonObject, name: string): readonly Omit<Break, 'keyword'>[] {
  const { [name]: gone, ...rest } = object;
  return gone === undefined ? [] : [{ change: 'the member missing', value: rest, member: name }];
}

function added(value: Json, name: string): readonly Omit<Break, 'keyword'>[] {
  if (!isJsonObject(value) || Object.hasOwn(value, name)) return [];
  return [{ change: 'a member that may not be there', value: { ...value, [name]: 'value' }, member: name }];
}

function crowded(value: Json, most: number): readonly Omit<Break, 'keyword'>[] {
  if (!isJsonObject(value)) return [];
  const more = Array.from({ length: most + 1 }, (_, index) => [`extra_${index}`, 'value'] as const);
  return [{ change: 'too many members', value: { ...value, ...Object.fromEntries(more) } }];
}

function lengthened(value: Json, length: number): readonly Omit<Break, 'keyword'>[] {
  if (!Array.isArray(value) || value.length === 0) return [];
  const items = Array.from({ length }, (_, index) => value[index % value.length] as Json);
  return [{ change: 'too many items', value: items }];
}
