import fc, { type Arbitrary } from 'fast-check';

import { type Json, type JsonObject, isJsonObject } from '../json/json.ts';
import { toPointer } from '../json/jsonPointer.ts';
import { childAt, type SchemaObjectPlace } from './schemaCases.ts';
import { probedFilter, type SchemaChoices, type SchemaContext, type SchemaPlace } from './schemaContext.ts';
import { distinctArray } from './arraySchema.ts';
import { memberName } from './anyJson.ts';
import { matching } from './stringMatching.ts';

/** The members that have a name: those that have to be there, and those that may. */
interface NamedMembers {
  readonly required: ReadonlyMap<string, Arbitrary<Json>>;
  readonly optional: ReadonlyMap<string, Arbitrary<Json>>;
}

/**
 * For objects that meet `properties`, `required`, `patternProperties`, `additionalProperties`, `unevaluatedProperties`,
 * `propertyNames`, `minProperties` and `maxProperties` of all the schemas. Undefined where there are none.
 *
 * Members that no schema names are generated where a schema speaks of them (`additionalProperties: true` does), where
 * no schema names any, and where `minProperties` asks for them.
 *
 * @param at - the place in the generated value, where it is fixed
 * @throws UnsupportedSchema where too few names meet `propertyNames`
 */
export function objectSchema(
  parts: readonly SchemaObjectPlace[],
  context: SchemaContext,
  at: string | undefined,
): Arbitrary<JsonObject> | undefined {
  const schemas = parts.map(({ schema }) => schema);
  const min = Math.max(0, ...schemas.map(({ minProperties }) => minProperties ?? 0));
  const max = Math.min(...schemas.map(({ maxProperties }) => maxProperties ?? Infinity));
  const named = namedMembers(parts, context, at);
  if (named === undefined || min > max || named.required.size > max) return undefined;
  const { required, optional } = counted(named, min, max);
  const record = fc.record(Object.fromEntries([...required, ...optional]), {
    requiredKeys: [...required.keys()],
    noNullPrototype: true,
  }) as Arbitrary<JsonObject>;
  const patterns = memberPatterns(parts, named, context, min > required.size);
  const least = Math.max(0, min - required.size);
  return anyMembers(record, patterns, { least, most: max - required.size - optional.size });
}

/** Undefined where a member that has to be there cannot be. */
function namedMembers(
  parts: readonly SchemaObjectPlace[],
  context: SchemaContext,
  at: string | undefined,
): NamedMembers | undefined {
  const requiredNames = new Set(parts.flatMap(({ schema }) => schema.required ?? []));
  const names = new Set([...parts.flatMap(({ schema }) => Object.keys(schema.properties ?? {})), ...requiredNames]);
  const required = new Map<string, Arbitrary<Json>>();
  const optional = new Map<string, Arbitrary<Json>>();
  for (const name of names) {
    const place = at === undefined ? undefined : at + toPointer([name]);
    const wanted = place === undefined ? undefined : context.wanted(place);
    const isRequired = requiredNames.has(name) || (wanted !== undefined && wanted !== null);
    const member = wanted === undefined ? memberArbitrary(name, parts, context, place) : (wanted ?? undefined);
    if (member === undefined && requiredNames.has(name)) {
      context.noteImpossible(declarationOf(name, parts), place);
      return undefined;
    }
    if (member !== undefined) (isRequired ? required : optional).set(name, member);
  }
  return { required, optional };
}

function declarationOf(name: string, parts: readonly SchemaObjectPlace[]): string {
  const declaring = parts.find(({ schema }) => Object.hasOwn(schema.properties ?? {}, name));
  return declaring === undefined ? pointerOf(parts) : declaring.pointer + toPointer(['properties', name]);
}

function memberArbitrary(
  name: string,
  parts: readonly SchemaObjectPlace[],
  context: SchemaContext,
  at: string | undefined,
): Arbitrary<Json> | undefined {
  if (!isAllowedName(name, parts, context)) return undefined;
  return context.compile(schemasOf(name, parts), at)?.arbitrary;
}

/** The schemas that a member has to meet because of its name. */
function schemasOf(name: string, parts: readonly SchemaObjectPlace[]): readonly SchemaPlace[] {
  const isKnown = parts.some(
    ({ schema }) => Object.hasOwn(schema.properties ?? {}, name) || matched(name, schema.patternProperties).length > 0,
  );
  return parts.flatMap((part) => {
    const { properties = {}, patternProperties, additionalProperties } = part.schema;
    const own = Object.hasOwn(properties, name) ? [childAt(part, ['properties', name], properties[name] ?? true)] : [];
    const patterns = matched(name, patternProperties);
    const all = [...own, ...patterns.map(([pattern, schema]) => childAt(part, ['patternProperties', pattern], schema))];
    if (all.length > 0) return all;
    if (additionalProperties !== undefined) return [childAt(part, ['additionalProperties'], additionalProperties)];
    const rest = part.schema['unevaluatedProperties'] as SchemaPlace['schema'] | undefined;
    return rest === undefined || isKnown ? [] : [childAt(part, ['unevaluatedProperties'], rest)];
  });
}

function matched(name: string, patterns: SchemaObjectPlace['schema']['patternProperties'] = {}) {
  return Object.entries(patterns).filter(([pattern]) => new RegExp(pattern, 'u').test(name));
}

/** As many optional members as `minProperties` asks for become required; those beyond `maxProperties` are left out. */
function counted({ required, optional }: NamedMembers, min: number, max: number): NamedMembers {
  const promoted = Math.min(optional.size, Math.max(0, min - required.size));
  const entries = [...optional];
  return {
    required: new Map([...required, ...entries.slice(0, promoted)]),
    optional: new Map(entries.slice(promoted, Math.max(promoted, max - required.size))),
  };
}

/** What the names of further members look like, and what such members hold. */
function memberPatterns(
  parts: readonly SchemaObjectPlace[],
  named: NamedMembers,
  context: SchemaContext,
  isNeeded: boolean,
): readonly MemberPattern[] {
  const declared = new Set([
    ...parts.flatMap(({ schema }) => Object.keys(schema.properties ?? {})),
    ...named.required.keys(),
  ]);
  const patterns = [...new Set(parts.flatMap(({ schema }) => Object.keys(schema.patternProperties ?? {})))];
  const speaksOfOthers = parts.some(
    ({ schema }) => schema.additionalProperties !== undefined || schema['unevaluatedProperties'] !== undefined,
  );
  const isOpen = speaksOfOthers || (declared.size === 0 && patterns.length === 0) || isNeeded;
  return [...patterns, ...(isOpen ? [undefined] : [])].flatMap((pattern) => {
    const isFree = (name: string): boolean => {
      const matches = patterns.filter((other) => new RegExp(other, 'u').test(name));
      return (
        !declared.has(name) && matches.length === (pattern === undefined ? 0 : 1) && isAllowedName(name, parts, context)
      );
    };
    const value = context.compile(patternSchemas(pattern, parts), undefined);
    const names = { pattern, isFree, options: context.options, pointer: pointerOf(parts), schemas: nameSchemas(parts) };
    return value === undefined ? [] : [{ ...names, value: value.arbitrary, compile: context.compile }];
  });
}

function patternSchemas(pattern: string | undefined, parts: readonly SchemaObjectPlace[]): readonly SchemaPlace[] {
  return parts.flatMap((part) => {
    const { patternProperties = {}, additionalProperties } = part.schema;
    const own = pattern === undefined ? undefined : patternProperties[pattern];
    if (own !== undefined) return [childAt(part, ['patternProperties', pattern as string], own)];
    if (additionalProperties !== undefined) return [childAt(part, ['additionalProperties'], additionalProperties)];
    const rest = part.schema['unevaluatedProperties'] as SchemaPlace['schema'] | undefined;
    return rest === undefined || pattern !== undefined ? [] : [childAt(part, ['unevaluatedProperties'], rest)];
  });
}

function nameSchemas(parts: readonly SchemaObjectPlace[]): readonly SchemaPlace[] {
  return parts.flatMap((part) =>
    part.schema.propertyNames === undefined ? [] : [childAt(part, ['propertyNames'], part.schema.propertyNames)],
  );
}

function isAllowedName(name: string, parts: readonly SchemaObjectPlace[], context: SchemaContext): boolean {
  return nameSchemas(parts).every((place) => context.isValid(place, name));
}

function pointerOf(parts: readonly SchemaObjectPlace[]): string {
  return (
    parts.find(({ schema }) => schema.type === 'object' || schema.properties !== undefined)?.pointer ??
    parts[0]?.pointer ??
    ''
  );
}

/** A kind of member that a schema does not name. */
interface MemberPattern {
  /** The pattern of `patternProperties` that the names match; undefined for names that match none. */
  readonly pattern: string | undefined;
  /** Whether a name belongs to this kind and to no other. */
  readonly isFree: (name: string) => boolean;
  /** The schemas of `propertyNames`. */
  readonly schemas: readonly SchemaPlace[];
  readonly value: Arbitrary<Json>;
  readonly options: SchemaChoices;
  readonly compile: SchemaContext['compile'];
  /** Where the schema of the object stands. */
  readonly pointer: string;
}

type Entry = readonly [name: string, value: Json];

/** Beyond what is asked for, at most this many members that no schema names. */
const usual = 3;

/**
 * For the objects of an arbitrary with more members, `least` to `most` in number (at most 3 where that is enough).
 * Undefined where members are asked for and there is no kind of them.
 */
function anyMembers(
  objects: Arbitrary<JsonObject>,
  patterns: readonly MemberPattern[],
  { least, most }: { readonly least: number; readonly most: number },
): Arbitrary<JsonObject> | undefined {
  if (patterns.length === 0 || most <= 0) return least > 0 ? undefined : objects;
  const entry: Arbitrary<Entry> = fc.oneof(...patterns.map((pattern) => fc.tuple(namesOf(pattern), pattern.value)));
  const entries = distinctArray(entry, {
    minLength: least,
    maxLength: Math.min(most, Math.max(least, usual)),
    selector: ([name]) => name,
    pointer: `${patterns[0]?.pointer ?? ''}/minProperties`,
    keyword: 'minProperties',
  });
  const isFree = (name: string): boolean => patterns.some((pattern) => pattern.isFree(name));
  return fc.tuple(objects, entries).map(
    ([object, more]) => ({ ...object, ...Object.fromEntries(more) }),
    (object) => takeApart(object, isFree),
  );
}

function namesOf({ pattern, schemas, isFree, options, pointer, compile }: MemberPattern): Arbitrary<string> {
  if (pattern !== undefined) {
    const place = `${pointer}/patternProperties`;
    return probedFilter(matching(pattern, place), isFree, place, 'patternProperties');
  }
  const string = { schema: { type: 'string' }, pointer, recursions: 0, made: true } as const;
  const allowed = schemas.length === 0 ? undefined : compile([...schemas, string], undefined);
  const names = (allowed?.arbitrary ?? memberName(options)) as Arbitrary<string>;
  return probedFilter(names, isFree, `${pointer}/propertyNames`, 'propertyNames');
}

function takeApart(object: unknown, isFree: (name: string) => boolean): [JsonObject, Entry[]] {
  if (!isJsonObject(object)) throw new Error('not an object');
  const entries = Object.entries(object);
  const named = entries.filter(([name]) => !isFree(name));
  return [Object.fromEntries(named), entries.filter(([name]) => isFree(name))];
}
