import fc, { type Arbitrary } from 'fast-check';

import { distinctArray } from './distinctArray.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { memberName } from './memberName.ts';
import { probedFilter } from './probedFilter.ts';
import type { SchemaChoices, SchemaContext, SchemaPlace } from './schemaContext.ts';
import { isInterchangeable } from './text.ts';

/** A kind of member that a schema does not name. */
export interface MemberPattern {
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
export function anyMembers(
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
    const matching = fc.stringMatching(new RegExp(pattern, 'u'));
    const isUsable = (name: string): boolean => isInterchangeable(name) && isFree(name);
    return probedFilter(matching, isUsable, `${pointer}/patternProperties`, 'patternProperties');
  }
  const string = { schema: { type: 'string' }, pointer, entered: [], made: true } as const;
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
