import { ContractError } from './contractError.ts';
import { isRecord } from './jsonSchema.ts';

/** A JSON Pointer (RFC 6901) to a place below another one: `below('#/paths', '/orders')` is `#/paths/~1orders`. */
export function below(pointer: string, ...names: readonly (string | number)[]): string {
  return [pointer, ...names.map((name) => String(name).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
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
