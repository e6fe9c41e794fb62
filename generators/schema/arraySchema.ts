import fc, { type Arbitrary } from 'fast-check';

import { canonicalJson, type Json } from '../json/json.ts';
import {
  type Compiled,
  probedFilter,
  type SchemaContext,
  type SchemaPlace,
  UnsupportedSchema,
} from './schemaContext.ts';
import { childAt, type SchemaObjectPlace } from './schemaCases.ts';

type Items = Arbitrary<readonly Json[]>;

/** What all the schemas together ask of an array. */
interface ArrayDemands {
  /** The items at the first places, which have schemas of their own. */
  readonly first: readonly Compiled[];
  /** The items at all other places. */
  readonly rest: Compiled | undefined;
  readonly minItems: number;
  readonly maxItems: number;
  /** Whether it may have as many items as its schema allows: one within another would make too many. */
  readonly isOuter: boolean;
  /** Where `uniqueItems` stands in the schemas, if it does. */
  readonly unique: string | undefined;
}

/**
 * For arrays that meet `prefixItems`, `items`, `contains`, `minItems`, `maxItems` and `uniqueItems` of all the schemas.
 * Undefined where there are none.
 *
 * @param at - the place in the generated value, where it is fixed; its items stand at `-` below it
 * @throws UnsupportedSchema where too few arrays meet `contains` or `uniqueItems`
 */
export function arraySchema(
  parts: readonly SchemaObjectPlace[],
  context: SchemaContext,
  at: string | undefined,
): Items | undefined {
  const item = at === undefined ? undefined : `${at}/-`;
  const demands = demandsOf(parts, context, item);
  if (demands.minItems > demands.maxItems) return undefined;
  const containing = parts.filter(({ schema }) => schema.contains !== undefined && schema.minContains !== 0);
  const built =
    containing.length === 1
      ? withContained(containing[0] as SchemaObjectPlace, parts, demands, context)
      : plain(demands);
  if (built === undefined) return undefined;
  return parts
    .filter(({ schema }) => schema.contains !== undefined)
    .reduce((arrays, part) => checked(arrays, part, context), built);
}

/** Whether a place of the generated value lies in an array, or may: where it is not fixed. */
export function isNested(at: string | undefined): boolean {
  return at === undefined || at.includes('/-');
}

function demandsOf(parts: readonly SchemaObjectPlace[], context: SchemaContext, at: string | undefined): ArrayDemands {
  const schemas = parts.map(({ schema }) => schema);
  const firstPlaces = Math.max(0, ...schemas.map(({ prefixItems }) => prefixItems?.length ?? 0));
  const compiled = Array.from({ length: firstPlaces }, (_, index) => context.compile(itemsAt(parts, index), at));
  const impossible = compiled.indexOf(undefined);
  const rest = context.compile(itemsAt(parts, firstPlaces), at);
  const minItems = Math.max(0, ...schemas.map((schema) => schema.minItems ?? 0));
  const isOuter = !isNested(at?.slice(0, -'/-'.length));
  const usual = isOuter ? Infinity : Math.max(minItems, context.options.nestedItems ?? Infinity);
  const mostPlaces = impossible >= 0 ? impossible : rest === undefined ? firstPlaces : Infinity;
  const unique = parts.find(({ schema }) => schema.uniqueItems === true)?.pointer;
  const mostValues = unique !== undefined && firstPlaces === 0 ? (rest?.values?.length ?? Infinity) : Infinity;
  return {
    first: compiled.slice(0, impossible < 0 ? undefined : impossible) as Compiled[],
    rest,
    minItems,
    isOuter,
    maxItems: Math.min(mostPlaces, mostValues, usual, ...schemas.map(({ maxItems }) => maxItems ?? Infinity)),
    unique: unique === undefined ? undefined : `${unique}/uniqueItems`,
  };
}

/** The schemas that the item at an index has to meet. */
function itemsAt(parts: readonly SchemaObjectPlace[], index: number): readonly SchemaPlace[] {
  return parts.flatMap((part) => {
    const { prefixItems, items } = part.schema;
    const own = prefixItems?.[index];
    if (own !== undefined) return [childAt(part, ['prefixItems', index], own)];
    return items === undefined ? [] : [childAt(part, ['items'], items)];
  });
}

function plain(demands: ArrayDemands): Items | undefined {
  const { first, rest, minItems, maxItems, unique, isOuter } = demands;
  if (first.length === 0) return alike(rest, minItems, maxItems, unique, isOuter);
  const lengths = Array.from({ length: first.length + 1 }, (_, length) => length);
  const choices = lengths
    .filter((length) => length <= maxItems && (length === first.length || length >= minItems))
    .flatMap((length) => startingWith(first.slice(0, length), length === first.length ? demands : undefined));
  return choices.length === 0 ? undefined : withoutRepetition(fc.oneof(...choices), unique);
}

/** Arrays whose first items are these; where demands are given, others follow. */
function startingWith(first: readonly Compiled[], demands: ArrayDemands | undefined): readonly Items[] {
  const start = fc.tuple(...first.map(({ arbitrary }) => arbitrary));
  if (demands === undefined) return [start];
  const least = Math.max(0, demands.minItems - first.length);
  const rest = alike(demands.rest, least, demands.maxItems - first.length, undefined);
  if (rest === undefined) return [];
  return [joined(start, rest, () => first.length)];
}

/** So many items are drawn as often as few. */
const mostDrawn = 32;

/** @param unique - where `uniqueItems` stands, if the items have to differ */
function alike(
  item: Compiled | undefined,
  least: number,
  most: number,
  unique: string | undefined,
  isOuter = false,
): Items | undefined {
  if (item === undefined || most === 0) return least === 0 ? fc.constant([]) : undefined;
  const lengths = { minLength: least, ...(most < Infinity && { maxLength: most }) };
  const size = isOuter && most <= mostDrawn ? { size: 'max' as const } : {};
  if (unique === undefined) return fc.array(item.arbitrary, { ...lengths, ...size });
  const { values } = item;
  if (values !== undefined && values.length < least) return undefined;
  if (values === undefined) {
    return distinctArray(item.arbitrary, {
      ...lengths,
      selector: canonicalJson,
      pointer: unique,
      keyword: 'uniqueItems',
    });
  }
  return fc.shuffledSubarray([...values], { minLength: least, maxLength: Math.min(most, values.length) });
}

/** Some items that `contains` asks for come first, then any others. */
function withContained(
  part: SchemaObjectPlace,
  parts: readonly SchemaObjectPlace[],
  demands: ArrayDemands,
  context: SchemaContext,
): Items | undefined {
  if (demands.first.length > 0) return plain(demands);
  const contained = childAt(part, ['contains'], part.schema.contains ?? true);
  const item = context.compile([...itemsAt(parts, 0), contained], undefined);
  const least = part.schema.minContains ?? 1;
  const most = Math.min(demands.maxItems, part.schema.maxContains ?? least + 1);
  if (item === undefined || least > most) return undefined;
  const wanted = alike(item, least, most, demands.unique);
  const others = alike(
    demands.rest,
    Math.max(0, demands.minItems - least),
    Math.max(0, demands.maxItems - most),
    demands.unique,
  );
  if (wanted === undefined || others === undefined) return undefined;
  const countWanted = (items: readonly Json[]): number => {
    const end = items.findIndex((value) => !context.isValid(contained, value));
    return Math.min(most, end < 0 ? items.length : end);
  };
  return withoutRepetition(joined(wanted, others, countWanted), demands.unique);
}

function checked(arrays: Items, part: SchemaObjectPlace, context: SchemaContext): Items {
  const { contains, minContains = 1, maxContains = Infinity } = part.schema;
  const contained = childAt(part, ['contains'], contains ?? true);
  const isMet = (items: readonly Json[]): boolean => {
    const count = items.filter((item) => context.isValid(contained, item)).length;
    return count >= minContains && count <= maxContains;
  };
  return probedFilter(arrays, isMet, `${part.pointer}/contains`, 'contains');
}

function joined(start: Items, rest: Items, startLength: (items: readonly Json[]) => number): Items {
  return fc.tuple(start, rest).map(
    ([one, other]) => [...one, ...other],
    (items) => {
      if (!Array.isArray(items)) throw new Error('not an array');
      const length = startLength(items as Json[]);
      return [items.slice(0, length), items.slice(length)] as [Json[], Json[]];
    },
  );
}

function withoutRepetition(arrays: Items, unique: string | undefined): Items {
  if (unique === undefined) return arrays;
  const isMet = (items: readonly Json[]): boolean => new Set(items.map(canonicalJson)).size === items.length;
  return probedFilter(arrays, isMet, unique, 'uniqueItems');
}

/** Constraints of {@link distinctArray}. */
interface DistinctArrayConstraints<T> {
  readonly minLength: number;
  /** Default: none; what is generated stays short. */
  readonly maxLength?: number;
  /** Two items with the same key are the same. */
  readonly selector: (item: T) => string;
  /** Where the keyword that asks for it stands in the schema. */
  readonly pointer: string;
  readonly keyword: string;
}

/**
 * For arrays without repetition. Some items are drawn first (always the same ones) to see whether there are enough.
 *
 * @throws UnsupportedSchema where these are fewer than `minLength` different ones
 */
export function distinctArray<T>(item: Arbitrary<T>, constraints: DistinctArrayConstraints<T>): Arbitrary<T[]> {
  const { minLength, maxLength, selector, pointer, keyword } = constraints;
  if (minLength > 1) {
    const drawn = fc.sample(item, { numRuns: 20 + 10 * minLength, seed: 1 });
    const different = new Set(drawn.map(selector)).size;
    if (different < minLength) throw tooFew(pointer, keyword, different, constraints);
  }
  const lengths = { minLength, ...(maxLength !== undefined && { maxLength }) };
  return fc.uniqueArray(item, { ...lengths, selector });
}

function tooFew(
  pointer: string,
  keyword: string,
  different: number,
  { minLength }: { readonly minLength: number },
): UnsupportedSchema {
  const received = `${minLength} different ones are asked for, and only ${different} were found`;
  return new UnsupportedSchema(pointer, keyword, received, 'Ask for fewer, or take more values.');
}
