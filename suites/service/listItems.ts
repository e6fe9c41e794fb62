import { isJsonObject, type Json } from '../../generators/json/json.ts';
import { toPointer, valueAt } from '../../generators/json/jsonPointer.ts';

/**
 * Where the answer of a list holds its items: the usual place where that is a list, else the whole answer, else its one
 * member that is a list.
 *
 * @param usual - a JSON Pointer (`list.items`)
 * @returns a JSON Pointer; nothing where there is no list
 */
export function itemsPointer(value: Json, usual: string): string | undefined {
  if (Array.isArray(valueAt(value, usual))) return usual;
  if (Array.isArray(value)) return '';
  if (!isJsonObject(value)) return undefined;
  const lists = Object.keys(value).filter((name) => Array.isArray(value[name]));
  return lists.length === 1 ? toPointer(lists) : undefined;
}
