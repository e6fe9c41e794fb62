import type { WarningEffect } from '../contractError.ts';
import { isRecord, type JsonType, type SchemaObject, type Mapping } from '../jsonSchema.ts';
import { below } from '../pointer.ts';

/** What the reader of a schema needs to know of the document that holds it. */
export interface ForeignReading {
  /** Says what was not taken as it stands. With a topic: only the first time. */
  readonly say: (pointer: string, keyword: string, effect: WarningEffect, message: string, topic?: string) => void;
  /** The reference that takes the place of one in the document; nothing where that leads nowhere. */
  readonly refer: (reference: string) => string | undefined;
  /** What a reference points at, as it stands. */
  readonly target: (reference: string) => unknown;
  /** Whether `nullable` is a keyword of the document's dialect: in OpenAPI 3.0. */
  readonly isOpenApi30: boolean;
}

/** A schema or another mapping of the document. */
/** A value as it is shown in a message. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

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
  'readOnly',
  'writeOnly',
  'contentEncoding',
]);

/** Keywords that OpenAPI and JSON Schema define and that say nothing about what is valid, or nothing of their own. */
export const silent: ReadonlySet<string> = new Set(
  [
    '$schema $id $anchor $comment $vocabulary $defs definitions id',
    'externalDocs xml discriminator nullable',
    'contentMediaType contentSchema',
  ].flatMap((names) => names.split(' ')),
);

/** The lower and the upper bound of one thing: where the first is above the second, nothing is valid. */
const bounds: readonly (readonly [lower: string, upper: string])[] = [
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

/** The types of JSON Schema. */
export const types: readonly string[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** Whether a value names a type of JSON Schema. */
export function isType(value: unknown): value is JsonType {
  return typeof value === 'string' && types.includes(value);
}

/**
 * Leaves out keywords that no value can meet together.
 *
 * @param members - the schema as it was read
 * @param source - the schema as it stands in the document
 */
export function consistent(members: Mapping, source: Mapping, pointer: string, reading: ForeignReading): SchemaObject {
  const excluded = contradictionsIn(members);
  for (const [lower, upper] of excluded) {
    const message = `${lower} is ${shown(members[lower])} and ${upper} is ${shown(members[upper])}: no value meets both. Both were left out.`;
    reading.say(below(pointer, lower), lower, 'loosened', message);
  }
  const out = new Set(excluded.flat());
  const rest = Object.fromEntries(Object.entries(members).filter(([keyword]) => !out.has(keyword)));
  return withPartTypes(withListedTypes(rest, pointer, reading), source, pointer, reading);
}

/** The pairs of bounds that no value can meet together. */
export function contradictionsIn(members: Mapping): readonly (readonly [lower: string, upper: string])[] {
  return bounds.filter(([lower, upper]) => isAbove(members, lower, upper));
}

function isAbove(members: Mapping, lower: string, upper: string): boolean {
  const [least, most] = [members[lower], members[upper]];
  if (typeof least !== 'number' || typeof most !== 'number') return false;
  return least > most || (least === most && (lower + upper).includes('exclusive'));
}

function withListedTypes(members: Mapping, pointer: string, reading: ForeignReading): SchemaObject {
  const { type, ...rest } = members as SchemaObject;
  const listed = 'const' in rest ? [rest.const] : rest.enum;
  if (type === undefined || listed === undefined || listed.some((value) => isOf([type].flat(), value))) return members;
  const message = `None of the listed values (${listed.slice(0, 3).map(shown).join(', ')}) is of the type ${[type].flat().join(' or ')}. The type was left out.`;
  reading.say(below(pointer, 'type'), 'type', 'loosened', message);
  return rest;
}

function isOf(types: readonly string[], value: unknown): boolean {
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value === 'number')
    return types.includes('number') || (Number.isInteger(value) && types.includes('integer'));
  return types.includes(typeof value);
}

/** Where a part of `allOf` (or what a `$ref` leads to) has other types than stand beside it, the part is meant. */
function withPartTypes(members: SchemaObject, source: Mapping, pointer: string, reading: ForeignReading): SchemaObject {
  const { type, ...rest } = members;
  const own = type === undefined ? undefined : [type].flat();
  const parts = [...(Array.isArray(source['allOf']) ? (source['allOf'] as unknown[]) : []), { $ref: source['$ref'] }];
  const other = parts
    .map((part) => typesOf(part, reading))
    .find((types) => own && types && !own.some((each) => isAmong(each, types)));
  if (own === undefined || other === undefined) return members;
  const message = `The type is ${own.join(' or ')} here and ${other.join(' or ')} in a part of it: no value is both. The type here was left out.`;
  reading.say(below(pointer, 'type'), 'type', 'loosened', message);
  return rest;
}

function isAmong(type: string, types: readonly string[]): boolean {
  return (
    types.includes(type) ||
    (type === 'integer' && types.includes('number')) ||
    (type === 'number' && types.includes('integer'))
  );
}

function typesOf(schema: unknown, reading: ForeignReading, depth = 0): readonly string[] | undefined {
  if (!isRecord(schema) || depth > 5) return undefined;
  const { $ref: reference, type } = schema;
  if (typeof reference === 'string') return typesOf(reading.target(reference), reading, depth + 1);
  const types = [type].flat().filter(isType);
  return types.length > 0 ? types : undefined;
}
