import { below, parentOf } from '../../spec/pointer.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';

/**
 * A copy of the value without the member at a JSON Pointer. Only what lies on the way is copied.
 *
 * @throws RangeError where the pointer names no member of an object
 */
export function withoutPointer(value: Json, pointer: string): Json {
  const tokens = fromPointer(pointer);
  const name = tokens.at(-1);
  const holder = toPointer(tokens.slice(0, -1));
  const object = valueAt(value, holder);
  if (name === undefined || !isJsonObject(object) || !Object.hasOwn(object, name)) {
    throw new RangeError(`There is no member at '${pointer}'. Point at a member of an object.`);
  }
  return withPointer(value, holder, without(object, name));
}

/** An object without one of its members. */
export function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));
}

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

/** A copy of the value with something at a JSON Pointer, and with the objects on the way to it. */
export function withPlace(value: Json, pointer: string, member: Json): Json {
  const parent = parentOf(pointer);
  const isThere = pointer === '' || valueAt(value, parent) !== undefined;
  return withPointer(isThere ? value : withPlace(value, parent, {}), pointer, member);
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

/** Writes reference tokens as a JSON Pointer (RFC 6901): `['a/b', 0]` becomes `/a~1b/0`. */
export function toPointer(tokens: readonly (string | number)[]): string {
  return below('', ...tokens);
}

/**
 * The reference tokens of a JSON Pointer (RFC 6901): `/a~1b/0` becomes `['a/b', '0']`.
 *
 * @throws RangeError where the text is no JSON Pointer
 */
export function fromPointer(pointer: string): readonly string[] {
  if (pointer !== '' && !pointer.startsWith('/')) {
    throw new RangeError(`'${pointer}' is no JSON Pointer: it has to be empty or to begin with '/', as in '/data/id'.`);
  }
  const tokens = pointer.split('/').slice(1);
  return pointer.includes('~') ? tokens.map(unescapeToken) : tokens;
}

/** What stands at a JSON Pointer, or undefined where nothing does. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  let current: Json | undefined = value;
  for (const token of fromPointer(pointer)) current = current === undefined ? undefined : memberOf(current, token);
  return current;
}

/** The member or item that a reference token names, or undefined where there is none. Inherited members do not count. */
export function memberOf(value: Json, token: string): Json | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
