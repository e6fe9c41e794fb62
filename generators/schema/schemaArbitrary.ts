import fc, { type Arbitrary } from 'fast-check';

import type { JsonSchema, JsonType, SchemaObject } from '../../spec/jsonSchema.ts';
import { anyJson } from './anyJson.ts';
import { arraySchema, isNested } from './arraySchema.ts';
import { canonicalJson, type Json } from '../json/json.ts';
import {
  hasType,
  isPlainList,
  listedValues,
  type Resolve,
  type SchemaCase,
  schemaCases,
  type SchemaObjectPlace,
} from './schemaCases.ts';
import { numberSchema } from './numberSchema.ts';
import { objectSchema } from './objectSchema.ts';
import {
  type Compiled,
  probedFilter,
  type SchemaContext,
  type SchemaPlace,
  type StringSource,
  UnsupportedSchema,
  validatorFor,
} from './schemaContext.ts';
import { schemaReference, sharedParts } from './schemaReference.ts';
import { stringSchema } from './stringSchema.ts';
import type { TextKind } from './text.ts';
import type { TimestampForm } from './timestamp.ts';

export { UnsupportedSchema } from './schemaContext.ts';

/** Constraints of {@link schemaArbitrary}. */
export interface SchemaArbitraryOptions {
  /** Default: `ascii`. */
  readonly text?: TextKind;
  /** Whether U+0000 may appear in unicode text. Default: false. */
  readonly nul?: boolean;
  /** `plain` (default): timestamps in whole seconds. `any`: with 0 to 6 digits of a fraction. A number: just as many. */
  readonly timestamps?: TimestampForm;
  /** `any` (default): all finite doubles. `plain`: decimals with up to seven digits of a fraction. */
  readonly numbers?: 'plain' | 'any';
  /** A better source of strings for some schemas. What it makes has to be valid mostly; the rest is filtered out. */
  readonly strings?: StringSource;
  /**
   * What to put at places of the generated value (JSON Pointers through objects) instead of what the schema says there;
   * `null` leaves the member out. The caller answers for the values being valid.
   */
  readonly members?: Readonly<Record<string, Arbitrary<Json> | null>>;
  /**
   * How many items an array within another array has at most, unless its schema asks for more: they multiply. Default:
   * no limit of its own.
   */
  readonly nestedItems?: number;
  /**
   * Receives each part that cannot be honoured, which is then not generated: its member is left out, its alternative
   * not taken, its array empty. All values stay valid. Default: the first one is thrown.
   */
  readonly passOver?: (problem: UnsupportedSchema) => void;
}

/**
 * For values that are valid for a JSON Schema (2020-12, the dialect of OpenAPI 3.1).
 *
 * Values are built, not found: filters are used only for what cannot be built (`not`, `oneOf`, two patterns at once, ...),
 * and only where they let enough values through. References within the schema are followed; a recursive ones are
 * followed at most three times on one way, oftener only where no value is valid otherwise. Strings and names are I-JSON (RFC 7493), whole numbers within ±(2^53 - 1).
 *
 * @throws UnsupportedSchema for a keyword or a combination that it cannot honour, and for a schema without any value
 * @example
 * schemaArbitrary({ type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } })
 */
export function schemaArbitrary(schema: JsonSchema, options: SchemaArbitraryOptions = {}): Arbitrary<Json> {
  const impossible: ImpossibleMember[] = [];
  for (const deepest of depths) {
    const context = createContext(schema, options, deepest, impossible);
    const compiled = context.compile([{ schema, pointer: '', recursions: 0 }], '');
    if (compiled !== undefined) return compiled.arbitrary;
  }
  const advice = 'Look for bounds that exclude each other, or for a recursion that has no end.';
  throw new UnsupportedSchema(innermost(impossible), 'schema', 'no value is valid for it', advice);
}

/** How deep recursion goes: deeper than the first only where nothing is valid within it. */
const depths = [3, 12, 48];

/** A member that has to be there and cannot be: where its schema stands, and where it would stand in the value. */
interface ImpossibleMember {
  readonly pointer: string;
  readonly at: string | undefined;
}

/** The member that makes the root impossible. What holds it was noted after it. */
function innermost(impossible: readonly ImpossibleMember[]): string {
  const { pointer } = impossible.reduceRight<ImpossibleMember>(
    (outer, inner) => (outer.pointer === '' || inner.at?.startsWith(`${outer.at}/`) ? inner : outer),
    { pointer: '', at: '' },
  );
  return pointer;
}

function createContext(
  root: JsonSchema,
  options: SchemaArbitraryOptions,
  deepest: number,
  impossible: ImpossibleMember[],
): SchemaContext {
  const { text = 'ascii', nul = false, timestamps = 'plain', numbers = 'any', members = {} } = options;
  const { strings = () => undefined, nestedItems, passOver } = options;
  const resolve = schemaReference(root, deepest);
  const known = new Map<string, Compiled | undefined>();
  const choices = [text, nul, timestamps, numbers, nestedItems, deepest, passOver === undefined, options.strings?.name];
  const shared = sharedParts(root, choices.join());
  const stringsAreFree = options.strings === undefined || options.strings.isPlaceFree === true;
  /** Whether what is made there would be made anywhere else as well, so that it need not be compiled again. */
  const isPlaceFree = (at: string | undefined): boolean =>
    stringsAreFree && !Object.keys(members).some((member) => `${member}/`.startsWith(`${at}/`));
  const context: SchemaContext = {
    options: { text, nul, timestamps, numbers, strings, nestedItems, passOver },
    isValid: validatorFor(root),
    noteImpossible: (pointer, at) => impossible.push({ pointer, at }),
    wanted: (at) => (Object.hasOwn(members, at) ? members[at] : undefined),
    compile: (places, at) => {
      const compiled = (): Compiled | undefined => passingOver(() => compile(places, context, resolve, at), context);
      if (places.some(({ made }) => made)) return compiled();
      const isFree = isPlaceFree(at);
      const place = isFree ? isNested(at) : at;
      const key = [place, ...places.map(({ pointer, recursions }) => `${pointer} ${recursions}`)].join('\n');
      if (!known.has(key)) known.set(key, isFree ? shared(places, key, compiled) : compiled());
      return known.get(key);
    },
  };
  return context;
}

/** What cannot be honoured counts as what no value is valid for, where the caller wants that. */
function passingOver(make: () => Compiled | undefined, { options: { passOver } }: SchemaContext): Compiled | undefined {
  if (passOver === undefined) return make();
  try {
    return make();
  } catch (error) {
    if (!(error instanceof UnsupportedSchema)) throw error;
    passOver(error);
    return undefined;
  }
}

function compile(
  places: readonly SchemaPlace[],
  context: SchemaContext,
  resolve: Resolve,
  at: string | undefined,
): Compiled | undefined {
  const compiled = schemaCases(places, resolve).flatMap((one) => {
    const all = passingOver(() => compileCase(one, places, context, at), context);
    return all === undefined ? [] : [all];
  });
  const [first, ...others] = compiled;
  if (first === undefined || others.length === 0) return first;
  const arbitrary = fc.oneof({ withCrossShrink: true }, ...compiled.map((each) => each.arbitrary));
  if (!compiled.every((each) => each.values !== undefined)) return { arbitrary };
  const values = compiled.flatMap((each) => each.values ?? []);
  return { arbitrary, values: [...new Map(values.map((value) => [canonicalJson(value), value])).values()] };
}

function compileCase(
  { parts, residuals }: SchemaCase,
  places: readonly SchemaPlace[],
  context: SchemaContext,
  at: string | undefined,
): Compiled | undefined {
  const listed = listedValues(parts.map(({ schema }) => schema));
  const isMet = (value: Json): boolean =>
    residuals.every(({ place, expected }) => context.isValid(place, value) === expected);
  if (listed !== undefined) {
    const valid = listed.filter((value) => isListedValid(value, [...places, ...parts], context) && isMet(value));
    return valid.length === 0 ? undefined : { arbitrary: fc.constantFrom(...valid), values: valid };
  }
  const compiled = compileTypes({ parts, residuals }, context, at);
  const [first] = residuals;
  if (compiled === undefined || first === undefined) return compiled;
  return { arbitrary: probedFilter(compiled.arbitrary, isMet, first.place.pointer, first.keyword) };
}

/** Compiling a validator takes milliseconds, so the simple case does without. */
function isListedValid(value: Json, places: readonly SchemaPlace[], context: SchemaContext): boolean {
  return places.every((place) => {
    if (typeof place.schema !== 'boolean' && isPlainList(place.schema)) return hasType(place.schema, value);
    return place.made || context.isValid(place, value);
  });
}

function compileTypes({ parts }: SchemaCase, context: SchemaContext, at: string | undefined): Compiled | undefined {
  const types = schemaTypes(parts);
  if (types === undefined) return { arbitrary: anyJson(context.options) };
  const compiled = types.flatMap((type) => passingOver(() => compileType(type, parts, context, at), context) ?? []);
  const [first, ...others] = compiled;
  if (first === undefined || others.length === 0) return first;
  return { arbitrary: fc.oneof({ withCrossShrink: true }, ...compiled.map(({ arbitrary }) => arbitrary)) };
}

function compileType(
  type: JsonType,
  parts: SchemaCase['parts'],
  context: SchemaContext,
  at: string | undefined,
): Compiled | undefined {
  if (type === 'null') return { arbitrary: fc.constant(null), values: [null] };
  if (type === 'boolean') return { arbitrary: fc.boolean(), values: [false, true] };
  const arbitrary = arbitraryOf(type, parts, context, at);
  return arbitrary === undefined ? undefined : { arbitrary };
}

function arbitraryOf(
  type: Exclude<JsonType, 'null' | 'boolean'>,
  parts: SchemaCase['parts'],
  context: SchemaContext,
  at: string | undefined,
): Arbitrary<Json> | undefined {
  if (type === 'string') return stringSchema(parts, context, at);
  if (type === 'array') return arraySchema(parts, context, at);
  if (type === 'object') return objectSchema(parts, context, at);
  return numberSchema(parts, type === 'integer', context.options.numbers);
}

/** The one that values are made smaller towards comes first: null is the one that readers expect least. */
const all: readonly JsonType[] = ['boolean', 'integer', 'number', 'string', 'array', 'object', 'null'];

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
 * anyone who writes `minLength` means strings.
 */
function schemaTypes(parts: readonly SchemaObjectPlace[]): readonly JsonType[] | undefined {
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
