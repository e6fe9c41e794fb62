import { ContractError, type warnOnce } from '../contractError.ts';
import { readForeignSchema } from './readForeignSchema.ts';
import type { ForeignReading } from './keywords.ts';
import { isRecord, type JsonSchema, objectOf, type SchemaObject } from '../jsonSchema.ts';
import { below, decoded, namesIn, valueAt } from '../pointer.ts';

/** A schema that stands for itself: what it refers to, however deep or recursive, stands in its own `$defs`. */
export interface Bundle {
  readonly schema: JsonSchema;
  /** Where a place of the schema (a JSON Pointer such as `/$defs/Order/properties/id`) comes from in the document. */
  source(place: string): string;
}

/** Reads the schema at a place of the document. What several schemas refer to is read once. */
export type ReadBundle = (pointer: string) => Bundle;

/** A schema as it was read, and the places of the document that it refers to. */
interface Part {
  readonly schema: JsonSchema;
  readonly references: readonly string[];
}

/**
 * Makes the function that takes schemas out of somebody else's document, one at a time.
 *
 * @param warn - receives what could not be taken as it stands, when a schema with it is first read; see `warnOnce`
 */
export function createBundler(
  document: Readonly<Record<string, unknown>>,
  warn: ReturnType<typeof warnOnce>,
): ReadBundle {
  const parts = new Map<string, Part>();
  const names = new Map<string, string>();
  const say: ForeignReading['say'] = (pointer, keyword, effect, message, topic) => {
    warn({ pointer, keyword, effect, message }, topic);
  };

  function partAt(pointer: string): Part {
    const known = parts.get(pointer) ?? readPart(pointer);
    parts.set(pointer, known);
    return known;
  }

  function readPart(pointer: string): Part {
    const references = new Set<string>();
    const reading: ForeignReading = {
      say,
      target: (reference) => targetOf(document, reference)?.value,
      refer: (reference) => {
        const target = targetOf(document, reference);
        if (target === undefined) return undefined;
        references.add(target.pointer);
        return `#/$defs${encodeURI(below('', nameOf(target.pointer, names)))}`;
      },
      isOpenApi30: String(document['openapi']).startsWith('3.0'),
    };
    return { schema: readForeignSchema(valueAt(document, pointer), pointer, reading), references: [...references] };
  }

  return (pointer) => {
    const root = rootOf(pointer, partAt);
    const { schema } = partAt(root);
    const places = reachable(root, partAt);
    if (places.length === 0 || typeof schema === 'boolean') return { schema, source: (place) => root + place };
    const $defs = Object.fromEntries(places.map((place) => [nameOf(place, names), partAt(place).schema]));
    return { schema: { ...schema, $defs }, source: (place) => sourceOf(place, root, names) };
  };
}

/** What satisfies two schemas of one bundler. */
export function both(one: Bundle, other: Bundle): Bundle {
  const [own, { $defs, ...added }] = [objectOf(one.schema), objectOf(other.schema)] as const;
  const parts = own.allOf ?? [];
  const place = `/allOf/${parts.length}`;
  const defined = { ...(own['$defs'] as object | undefined), ...($defs as object | undefined) };
  return {
    schema: { ...own, allOf: [...parts, added], ...(Object.keys(defined).length > 0 && { $defs: defined }) },
    source: (at) =>
      at === place || at.startsWith(`${place}/`) ? other.source(at.slice(place.length)) : one.source(at),
  };
}

/** The place of the schema itself, where one only refers to it. */
function rootOf(pointer: string, partAt: (pointer: string) => Part): string {
  const trail = new Set<string>();
  for (let place = pointer; ;) {
    const { schema, references } = partAt(place);
    const [next] = references;
    if (next === undefined || !isReferenceAlone(schema) || trail.has(next)) return place;
    trail.add(next);
    place = next;
  }
}

function isReferenceAlone(schema: JsonSchema): schema is SchemaObject {
  if (typeof schema === 'boolean' || schema['$ref'] === undefined) return false;
  return Object.keys(schema).every((keyword) =>
    /^(\$ref|title|description|default|examples?|deprecated)$/.test(keyword),
  );
}

/** Every place that a schema refers to, and those that these refer to. */
function reachable(root: string, partAt: (pointer: string) => Part): readonly string[] {
  const found = new Set<string>(partAt(root).references);
  for (const place of found) for (const next of partAt(place).references) found.add(next);
  return [...found];
}

/** What a reference leads to in the end; nothing where it leads nowhere, or back to itself with nothing in between. */
function targetOf(
  document: unknown,
  reference: string,
): { readonly pointer: string; readonly value: unknown } | undefined {
  const trail = new Set<string>();
  try {
    for (let next = decoded(reference); !trail.has(next);) {
      const value = valueAt(document, next);
      const further = isRecord(value) && Object.keys(value).length === 1 ? value['$ref'] : undefined;
      if (typeof further !== 'string') return { pointer: next, value };
      trail.add(next);
      next = decoded(further);
    }
    return undefined;
  } catch (error) {
    if (error instanceof ContractError) return undefined;
    throw error;
  }
}

/** The name of a place among `$defs`: its last one, with a number where two places end alike. */
function nameOf(pointer: string, names: Map<string, string>): string {
  const known = names.get(pointer);
  if (known !== undefined) return known;
  const own = namesIn(pointer).at(-1) ?? '';
  const taken = new Set(names.values());
  let name = own;
  for (let count = 2; taken.has(name); count += 1) name = `${own}-${count}`;
  names.set(pointer, name);
  return name;
}

function sourceOf(place: string, root: string, names: ReadonlyMap<string, string>): string {
  const [, keyword, name = ''] = place.split('/');
  if (keyword !== '$defs') return root + place;
  const origin = [...names].find(([, each]) => below('', each) === `/${name}`)?.[0] ?? root;
  return (
    origin +
    place
      .split('/')
      .slice(3)
      .map((token) => `/${token}`)
      .join('')
  );
}
