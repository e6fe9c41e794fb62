import type { SchemaObject } from '../../spec/jsonSchema.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { hasType } from './listedValues.ts';

/** What may be put in place of a value so that one keyword of its schema no longer holds. Not proven yet. */
export interface Break {
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
export function keywordBreaks(value: Json, schema: SchemaObject): readonly Break[] {
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
