import { ContractError } from './contractError.ts';
import { isRecord, type Mapping } from './jsonSchema.ts';

/** A JSON Pointer (RFC 6901) to a place below another one: `below('#/paths', '/orders')` is `#/paths/~1orders`. */
export function below(pointer: string, ...names: readonly (string | number)[]): string {
  return [pointer, ...names.map((name) => String(name).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}

/** Where a member stands: the pointer without its last name, `/data` of `/data/id`. The root is its own parent. */
export function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

/** The names that a pointer of the form `#/components/schemas/Webhook` goes through, from the root on. */
export function namesIn(pointer: string): readonly string[] {
  return pointer
    .slice(2)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * What a reference of the form `#/components/schemas/Webhook` points at (RFC 6901, as a URI fragment).
 *
 * @throws ContractError (`contract/unresolvable-reference`) where it leads nowhere, or out of the document
 */
export function pointed(document: unknown, reference: string): unknown {
  return valueAt(document, decoded(reference));
}

/**
 * What stands at a pointer of the form `#/components/schemas/Webhook` whose percent-escapes are undone.
 *
 * @throws ContractError (`contract/unresolvable-reference`) where nothing does
 */
export function valueAt(document: unknown, pointer: string): unknown {
  return namesIn(pointer).reduce((value, name) => {
    if (isContainer(value) && Object.prototype.propertyIsEnumerable.call(value, name)) return value[name];
    throw unresolvable(pointer);
  }, document);
}

/**
 * A reference with its percent-escapes undone, so that two spellings of one place are one.
 *
 * @throws ContractError (`contract/unresolvable-reference`) for one that is no pointer into the same document
 */
export function decoded(reference: string): string {
  try {
    if (reference.startsWith('#/')) return decodeURIComponent(reference);
  } catch {
    // Broken escapes lead nowhere either.
  }
  throw unresolvable(reference);
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return Array.isArray(value) || isRecord(value);
}

function unresolvable(reference: string): ContractError {
  return new ContractError(
    'contract/unresolvable-reference',
    `The $ref "${reference}" leads nowhere. Valid is a JSON Pointer to a place in the same document, such as #/components/schemas/Name. Correct the reference, or add what it points at.`,
  );
}

/** Writes every `$ref` of a part of the document out inline, so that the part stands for itself. */
export type Dereference = (part: unknown) => unknown;

/** Keywords whose values are data: a `$ref` in there refers to nothing. */
const data: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'example', 'examples']);

/** Members that map names of the author's own choice to parts: the names are no keywords. */
const maps =
  /^(properties|patternProperties|dependentSchemas|\$defs|schemas|parameters|headers|content|responses|requestBodies|paths|webhooks|pathItems|callbacks|links|securitySchemes|variables)$/;

/** Keywords beside a `$ref` that say nothing about what is valid. */
const annotations = /^(summary|title|description|deprecated|readOnly|writeOnly|examples?|default|\$comment|x-.*)$/;

/**
 * Makes the function that resolves references within one document.
 *
 * What stands beside a `$ref` is kept: annotations replace the target's own, other keywords apply as well (`allOf`),
 * as JSON Schema 2020-12 has it.
 *
 * @param options.circles - `open`: a `$ref` that leads back to itself is taken for the schema of any value. Default: an error
 * @throws (when called) ContractError for a `$ref` that leads nowhere, out of the document, or back to itself
 */
export function createDereference(document: unknown, { circles }: { readonly circles?: 'open' } = {}): Dereference {
  const resolved = new Map<string, unknown>();

  function resolve(reference: string, trail: readonly string[]): unknown {
    if (trail.includes(reference)) {
      if (circles === 'open') return {};
      throw recursive([...trail, reference]);
    }
    if (!resolved.has(reference)) {
      resolved.set(reference, walk(pointed(document, reference), [...trail, reference]));
    }
    return resolved.get(reference);
  }

  function walk(part: unknown, trail: readonly string[]): unknown {
    if (Array.isArray(part)) return part.map((item) => walk(item, trail));
    if (!isRecord(part)) return part;
    const { $ref: reference, ...beside } = part;
    if (typeof reference === 'string') return combine(resolve(reference, trail), walkMembers(beside, trail));
    return walkMembers(part, trail);
  }

  function walkMembers(part: Mapping, trail: readonly string[]): Mapping {
    return mapMembers(part, (name, value) => {
      if (data.has(name)) return value;
      return maps.test(name) && isRecord(value)
        ? mapMembers(value, (_, each) => walk(each, trail))
        : walk(value, trail);
    });
  }

  return (part) => walk(part, []);
}

function mapMembers(part: Mapping, change: (name: string, value: unknown) => unknown): Mapping {
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, change(name, value)]));
}

function combine(target: unknown, beside: Mapping): unknown {
  const names = Object.keys(beside);
  if (names.length === 0) return target;
  if (isRecord(target) && names.every((name) => annotations.test(name))) return { ...target, ...beside };
  const { allOf, ...rest } = beside;
  return { allOf: [target, ...(Array.isArray(allOf) ? (allOf as unknown[]) : [])], ...rest };
}

function recursive(trail: readonly string[]): ContractError {
  return new ContractError(
    'contract/recursive-reference',
    `The $ref "${trail.at(-1) ?? ''}" leads back to itself (${trail.join(' -> ')}), so it cannot be written out inline. Break the circle, for example with an open schema at its deepest level.`,
  );
}
