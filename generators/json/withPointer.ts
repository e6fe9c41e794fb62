import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { fromPointer, memberOf, toPointer } from './jsonPointer.ts';

/**
 * A copy of the value with something else at a JSON Pointer. Only what lies on the way is copied. The last token may
 * name a new member of an object; everything before it has to exist.
 *
 * @throws RangeError where the pointer leads nowhere
 */
export function withPointer(value: Json, pointer: string, replacement: Json): Json {
  return replaceAt(value, fromPointer(pointer), 0, pointer, replacement);
}

function replaceAt(value: Json, tokens: readonly string[], depth: number, pointer: string, replacement: Json): Json {
  const token = tokens[depth];
  if (token === undefined) return replacement;
  const isLast = depth === tokens.length - 1;
  const inner = memberOf(value, token);
  if (inner === undefined && !(isLast && isJsonObject(value))) throw leadsNowhere(pointer, tokens.slice(0, depth));
  const next = isLast ? replacement : replaceAt(inner as Json, tokens, depth + 1, pointer, replacement);
  if (Array.isArray(value)) return value.with(Number(token), next);
  return withMember(value as JsonObject, token, next);
}

/** A plain assignment would set the prototype where the member is called `__proto__`. */
function withMember(object: JsonObject, name: string, member: Json): Json {
  if (name !== '__proto__') return { ...object, [name]: member };
  return Object.defineProperty({ ...object }, name, {
    value: member,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

function leadsNowhere(pointer: string, reached: readonly string[]): RangeError {
  const end = reached.length === 0 ? 'the value itself' : `'${toPointer(reached)}'`;
  return new RangeError(`The pointer '${pointer}' leads nowhere: it ends at ${end}. Point at a place that exists.`);
}
