import type { ErrorObject } from 'ajv';
import fc, { type Arbitrary } from 'fast-check';

import type { JsonSchema, ValidateFunction } from '../../spec/contract.ts';
import type { Json } from '../json/json.ts';
import { toPointer } from '../json/jsonPointer.ts';
import { keywordBreaks, type Break } from './keywordBreaks.ts';
import { probedFilter } from './probedFilter.ts';
import { schemaArbitrary, type SchemaArbitraryOptions } from './schemaArbitrary.ts';
import { schemaWalk, type SchemaVisit } from './schemaWalk.ts';
import { withPointer } from '../json/withPointer.ts';

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
    const all = keywordBreaks(visit.value, visit.schema);
    const wanted = keywords === undefined ? all : all.filter(({ keyword }) => keywords.includes(keyword));
    return wanted.map((broken) => ({ valid, visit, broken }));
  });
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
