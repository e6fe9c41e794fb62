import { isRecord, type JsonType } from '../jsonSchema.ts';

/** What the value of a keyword has to be. */
export type KeywordKind = keyof typeof fits;

const natural = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const number = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Whether a value is of a kind. Schemas are looked into later. */
export const fits = {
  any: () => true,
  string: (value: unknown) => typeof value === 'string',
  boolean: (value: unknown) => typeof value === 'boolean',
  number,
  step: (value: unknown) => number(value) && (value as number) > 0,
  natural,
  strings: isStrings,
  list: (value: unknown) => Array.isArray(value) && value.length > 0,
  schema: (value: unknown) => typeof value === 'boolean' || isRecord(value),
  schemas: (value: unknown) => Array.isArray(value) && value.length > 0,
  named: isRecord,
  namedStrings: (value: unknown) => isRecord(value) && Object.values(value).every(isStrings),
} as const satisfies Readonly<Record<string, (value: unknown) => boolean>>;

/** What each kind is called in a message. */
export const kindNames: Readonly<Record<KeywordKind, string>> = {
  any: 'anything',
  string: 'a text',
  boolean: 'true or false',
  number: 'a number',
  step: 'a number above 0',
  natural: 'a whole number from 0 on',
  strings: 'a list of texts',
  list: 'a list of values',
  schema: 'a schema',
  schemas: 'a list of schemas',
  named: 'a mapping of names to schemas',
  namedStrings: 'a mapping of names to lists of texts',
};

/** The keywords of JSON Schema 2020-12 that restrict values and that the kit honours, by what their values have to be. */
const honoured: Readonly<Record<KeywordKind, string>> = {
  any: 'type const',
  string: '$ref format pattern',
  boolean: 'uniqueItems',
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum',
  step: 'multipleOf',
  natural: 'minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties',
  strings: 'required',
  list: 'enum',
  schema: 'items contains additionalProperties unevaluatedProperties propertyNames not if then else',
  schemas: 'prefixItems allOf anyOf oneOf',
  named: 'properties patternProperties dependentSchemas',
  namedStrings: 'dependentRequired',
};

/** What the value of a keyword has to be; nothing for one that restricts nothing or is not known. */
export const kindOf: ReadonlyMap<string, KeywordKind> = new Map(
  (Object.keys(honoured) as KeywordKind[]).flatMap((kind) =>
    honoured[kind].split(' ').map((keyword) => [keyword, kind]),
  ),
);

/** Annotations that stay, because people and programs may ask for them. */
export const kept: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
]);

/** Keywords that OpenAPI and JSON Schema define and that say nothing about what is valid, or nothing of their own. */
export const silent: ReadonlySet<string> = new Set(
  [
    '$schema $id $anchor $comment $vocabulary $defs definitions id',
    'readOnly writeOnly externalDocs xml discriminator nullable',
    'contentEncoding contentMediaType contentSchema',
  ].flatMap((names) => names.split(' ')),
);

/** The lower and the upper bound of one thing: where the first is above the second, nothing is valid. */
export const bounds: readonly (readonly [lower: string, upper: string])[] = [
  ['minimum', 'maximum'],
  ['exclusiveMinimum', 'maximum'],
  ['minimum', 'exclusiveMaximum'],
  ['exclusiveMinimum', 'exclusiveMaximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minContains', 'maxContains'],
  ['minProperties', 'maxProperties'],
];

/** The formats of strings that are checked and generated: JSON Schema 2020-12, 7.3, and OpenAPI. */
export const stringFormats: ReadonlySet<string> = new Set(
  [
    'date time date-time iso-time iso-date-time duration email hostname ipv4 ipv6 uuid regex',
    'uri url uri-reference uri-template json-pointer relative-json-pointer json-pointer-uri-fragment',
    'byte binary password',
  ].flatMap((names) => names.split(' ')),
);

/** The formats of numbers that OpenAPI defines. */
export const numberFormats: ReadonlySet<string> = new Set(['int32', 'int64', 'float', 'double']);

/** The ranges of number formats that other tools write. Those of OpenAPI mean the same to every reader. */
export const numberRanges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int8: [-(2 ** 7), 2 ** 7 - 1],
  int16: [-(2 ** 15), 2 ** 15 - 1],
  uint: [0, 2 ** 32 - 1],
  uint8: [0, 2 ** 8 - 1],
  uint16: [0, 2 ** 16 - 1],
  uint32: [0, 2 ** 32 - 1],
  uint64: [0, Number.MAX_SAFE_INTEGER],
  unixtime: [0, 4_102_444_799],
  'unix-time': [0, 4_102_444_799],
};

const types: readonly string[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** Whether a value names a type of JSON Schema. */
export function isType(value: unknown): value is JsonType {
  return typeof value === 'string' && types.includes(value);
}
