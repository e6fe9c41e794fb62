import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { fromPointer, toPointer, valueAt } from './jsonPointer.ts';
import { withPointer } from './withPointer.ts';

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

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));
}
