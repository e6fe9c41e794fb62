import { isJsonObject, type Json } from './json.ts';

/** Writes reference tokens as a JSON Pointer (RFC 6901): `['a/b', 0]` becomes `/a~1b/0`. */
export function toPointer(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
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
  return pointer.split('/').slice(1).map(unescapeToken);
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
