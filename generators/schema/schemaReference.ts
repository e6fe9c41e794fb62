import { isRecord, type JsonSchema, type SchemaObject } from '../../spec/jsonSchema.ts';
import { isJsonObject, type Json } from '../json/json.ts';
import { fromPointer, toPointer, valueAt } from '../json/jsonPointer.ts';
import type { Resolve } from './schemaCases.ts';
import { type Compiled, type SchemaPlace, UnsupportedSchema } from './schemaContext.ts';

/**
 * Makes the function that follows a `$ref` within a schema: `#`, `#/a/json/pointer` or `#anchor`.
 *
 * @param deepest - how many references that lead back to themselves may be followed on one way. Default: any number
 * @throws (when called) UnsupportedSchema for a reference that leads out of the schema, or nowhere
 */
export function schemaReference(root: JsonSchema, deepest = Infinity): Resolve {
  const isRecursive = recursiveReferences(root);
  return (reference, from) => {
    const pointer = pointerOf(reference, root);
    const schema = pointer === undefined ? undefined : valueAt(root as Json, pointer);
    if (pointer === undefined || schema === undefined || !isSchema(schema)) throw unresolvable(reference, from);
    const recursions = deepest < Infinity && isRecursive(pointer) ? from.recursions + 1 : from.recursions;
    return recursions > deepest ? undefined : { schema: schema as JsonSchema, pointer, recursions };
  };
}

/** Makes the function that says whether the schema at a pointer can lead back to itself. */
function recursiveReferences(root: JsonSchema): (pointer: string) => boolean {
  const direct = new Map<string, readonly string[]>();
  const known = new Map<string, boolean>();
  const next = (pointer: string): readonly string[] => {
    const found = direct.get(pointer) ?? referencesIn(valueAt(root as Json, pointer), root);
    direct.set(pointer, found);
    return found;
  };
  return (pointer) => {
    const reached = new Set(known.has(pointer) ? [] : next(pointer));
    for (const each of reached) for (const other of next(each)) reached.add(other);
    const isRecursive = known.get(pointer) ?? reached.has(pointer);
    known.set(pointer, isRecursive);
    return isRecursive;
  };
}

/** Where the references of a schema lead, those in its `$defs` aside. */
function referencesIn(part: unknown, root: JsonSchema): readonly string[] {
  if (Array.isArray(part)) return part.flatMap((each) => referencesIn(each, root));
  if (!isRecord(part)) return [];
  return Object.entries(part).flatMap(([name, value]) => {
    if (name === '$defs' || name === 'definitions') return [];
    return name === '$ref' && typeof value === 'string' ? (pointerOf(value, root) ?? []) : referencesIn(value, root);
  });
}

function pointerOf(reference: string, root: JsonSchema): string | undefined {
  if (reference === '#' || reference.startsWith('#/')) return decodeURIComponent(reference.slice(1));
  return reference.startsWith('#') ? findAnchor(root, reference.slice(1), []) : undefined;
}

function findAnchor(part: unknown, anchor: string, path: readonly string[]): string | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  if (isRecord(part) && part['$anchor'] === anchor) return toPointer(path);
  for (const [name, inner] of Object.entries(part)) {
    const found = findAnchor(inner, anchor, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isRecord(value);
}

function unresolvable(reference: string, from: SchemaPlace): UnsupportedSchema {
  const advice = 'Valid is a JSON Pointer or an $anchor within the same schema. Bundle what it refers to into $defs.';
  return new UnsupportedSchema(`${from.pointer}/$ref`, '$ref', `'${reference}' leads to no schema in here`, advice);
}

/**
 * The schemas that speak of the member at a JSON Pointer of the value, found through `properties`, `allOf` and `$ref`. What
 * stands in alternatives (`anyOf`, `if`, ...) does not count.
 */
export function schemasAt(schema: JsonSchema, pointer: string): readonly SchemaObject[] {
  return fromPointer(pointer).reduce<readonly SchemaObject[]>(
    (schemas, name) => schemas.flatMap((each) => conjuncts(innerSchema(each, name), schema)),
    conjuncts(schema, schema),
  );
}

/** Of a member of an object, or of an item of a list. */
function innerSchema({ properties, prefixItems = [], items }: SchemaObject, name: string): JsonSchema | undefined {
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return /^\d+$/.test(name) ? (prefixItems[Number(name)] ?? items) : undefined;
}

/** The values to which `enum` and `const` restrict the member at a JSON Pointer, or undefined where they do not. */
export function valuesAt(schema: JsonSchema, pointer: string): readonly Json[] | undefined {
  const lists = schemasAt(schema, pointer).flatMap((each) => [
    ...('const' in each ? [[each.const]] : []),
    ...(each.enum === undefined ? [] : [each.enum]),
  ]);
  return lists.toSorted((one, other) => one.length - other.length)[0] as readonly Json[] | undefined;
}

/** A schema, and all that its values have to meet beside it. */
function conjuncts(
  schema: JsonSchema | undefined,
  root: JsonSchema,
  entered: readonly string[] = [],
): readonly SchemaObject[] {
  if (schema === undefined || typeof schema === 'boolean') return [];
  const { $ref: reference } = schema;
  const pointer =
    typeof reference === 'string' && !entered.includes(reference) ? pointerOf(reference, root) : undefined;
  const target = pointer === undefined ? undefined : valueAt(root as Json, pointer);
  return [
    schema,
    ...(isRecord(target) ? conjuncts(target, root, [...entered, String(reference)]) : []),
    ...(schema.allOf ?? []).flatMap((part) => conjuncts(part, root, entered)),
  ];
}

/** A part of a value together with one of the schemas that speak of it. */
export interface SchemaVisit {
  readonly value: Json;
  readonly schema: SchemaObject;
  /** Where the part stands in the value, as a JSON Pointer. */
  readonly at: string;
}

/**
 * Goes through a value and its schema side by side, depth first: every part of the value with every schema object that
 * speaks of it, those in alternatives (`anyOf`, `oneOf`, `if`) included.
 *
 * @throws UnsupportedSchema for a `$ref` that leads out of the schema
 */
export function schemaWalk(value: Json, root: JsonSchema): readonly SchemaVisit[] {
  const resolve = schemaReference(root);
  const visit = (part: Json, schema: JsonSchema | undefined, at: string): readonly SchemaVisit[] => {
    if (schema === undefined || typeof schema === 'boolean') return [];
    const inner = Array.isArray(part) ? itemsOf(part, schema) : isJsonObject(part) ? membersOf(part, schema) : [];
    return [
      { value: part, schema, at },
      ...applied(schema).flatMap((other) => visit(part, other, at)),
      ...inner.flatMap(([token, item, each]) => visit(item, each, at + toPointer([token]))),
    ];
  };
  const applied = (schema: SchemaObject): readonly JsonSchema[] => {
    const reference = schema['$ref'];
    const from = { schema, pointer: '', recursions: 0 };
    const target = typeof reference === 'string' ? [resolve(reference, from)?.schema] : [];
    const branches = ['then', 'else'].map((keyword) => schema[keyword] as JsonSchema | undefined);
    const all = [...target, ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...branches];
    return all.filter((each) => each !== undefined);
  };
  return visit(value, root, '');
}

type Inner = readonly [token: string | number, value: Json, schema: JsonSchema | undefined];

function itemsOf(items: readonly Json[], { prefixItems = [], items: rest }: SchemaObject): readonly Inner[] {
  return items.map((item, index) => [index, item, prefixItems[index] ?? rest]);
}

function membersOf(object: { readonly [name: string]: Json }, schema: SchemaObject): readonly Inner[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  return Object.entries(object).flatMap(([name, value]): readonly Inner[] => {
    const own = Object.hasOwn(properties, name) ? [properties[name]] : [];
    const matching = Object.entries(patternProperties).filter(([pattern]) => new RegExp(pattern, 'u').test(name));
    const schemas = [...own, ...matching.map(([, each]) => each)];
    return (schemas.length > 0 ? schemas : [additionalProperties]).map((each) => [name, value, each]);
  });
}

/** What was compiled of the parts of documents, by the schema that stands there and all that decides what is made of it. */
const parts = new WeakMap<object, Map<string, Compiled>>();

/** @param key - what decides what is made of these places, beside the choices */
type SharedParts = (
  places: readonly SchemaPlace[],
  key: string,
  compile: () => Compiled | undefined,
) => Compiled | undefined;

/**
 * Makes the function that compiles what several schemas of one document share once for all of them: what they hold in their
 * `$defs` is the very same object then.
 *
 * @param choices - how values are made, as a text
 */
export function sharedParts(root: JsonSchema, choices: string): SharedParts {
  const hasParts = typeof root !== 'boolean' && root['$defs'] !== undefined;
  return (places, key, compile) => {
    const schema = places[0]?.schema;
    if (!hasParts || typeof schema !== 'object' || !places.every(isShared)) return compile();
    const made = parts.get(schema) ?? new Map<string, Compiled>();
    parts.set(schema, made);
    const id = `${choices}\n${key}`;
    const compiled = made.get(id) ?? compile();
    if (compiled !== undefined) made.set(id, compiled);
    return compiled;
  };
}

function isShared({ pointer }: SchemaPlace): boolean {
  return pointer.startsWith('/$defs/');
}

/** By pointer: what is generated of a schema is kept by the schema. */
const made = new WeakMap<SchemaObject, Map<string, JsonSchema>>();

/**
 * The schema, and beside it that every value has the member at this JSON Pointer, where the schema leaves that open. A delivery
 * carries its id where the contract places it, whether or not the schema requires it there.
 */
export function surelyAt(schema: JsonSchema, pointer: string): JsonSchema {
  if (typeof schema === 'boolean') return schema ? presence(pointer, text) : schema;
  const known = made.get(schema) ?? new Map<string, JsonSchema>();
  made.set(schema, known);
  const found = known.get(pointer) ?? requiring(schema, pointer);
  known.set(pointer, found);
  return found;
}

const text: JsonSchema = { type: 'string' };

function requiring(schema: SchemaObject, pointer: string): JsonSchema {
  const names = fromPointer(pointer);
  const holders = names.map((_, depth) => schemasAt(schema, toPointer(names.slice(0, depth))));
  // What stands in a list is there where the list has so many items, which is for its schema to say.
  if (holders.flat().some(({ type }) => [type].flat().includes('array'))) return schema;
  if (names.every((name, depth) => isRequired(name, holders[depth] ?? []))) return schema;
  // Alternatives may say what stands there.
  const isOpen = holders.flat().some((each) => 'anyOf' in each || 'oneOf' in each || 'if' in each);
  const isDescribed = isOpen || schemasAt(schema, pointer).length > 0;
  return { ...schema, allOf: [...(schema.allOf ?? []), presence(pointer, isDescribed || text)] };
}

/** @param holder - all schemas that speak of the object */
function isRequired(name: string, holder: readonly SchemaObject[]): boolean {
  const types = holder.flatMap(({ type }) => (type === undefined ? [] : [[type].flat()]));
  const isObject = types.length === 0 || types.some((each) => each.every((type) => type === 'object'));
  return isObject && holder.some(({ required = [] }) => required.includes(name));
}

function presence(pointer: string, member: JsonSchema): JsonSchema {
  return fromPointer(pointer).reduceRight<JsonSchema>(
    (inner, name) => ({ type: 'object', required: [name], properties: { [name]: inner } }),
    member,
  );
}
