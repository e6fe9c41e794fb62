import { isJsonObject, type Json } from '../../generators/json/json.ts';
import { valueAt, toPointer } from '../../generators/json/jsonPointer.ts';
import type { Contract } from '../../spec/contract.ts';
import type { RecordMember } from '../../spec/serviceTerms.ts';
import { parentOf } from '../../spec/pointer.ts';

/**
 * What an item of the list of notifications says: where the contract places it, else where a delivered body holds it. A
 * list shows what such a body wraps, or the wrapper as well.
 *
 * @returns nothing where the contract places no such member, or the item does not have it
 */
export function recordMember({ delivery, service }: Contract, item: Json, name: RecordMember): Json | undefined {
  const own = service?.notification?.members;
  if (own !== undefined) return valueIn(item, own[name]);
  const { members } = delivery;
  const wrapper = parentOf(members.id ?? '');
  const isWrapped = wrapper === '' || isJsonObject(valueAt(item, wrapper) ?? null);
  return valueIn(item, isWrapped ? members[name] : members[name]?.slice(wrapper.length));
}

function valueIn(item: Json, pointer: string | undefined): Json | undefined {
  return pointer === undefined ? undefined : valueAt(item, pointer);
}

/**
 * Where the answer of a list holds its items: the usual place where that is a list, else the whole answer, else the one list
 * beside the usual place, where each list has a name of its own, else the one member of the answer that is a list.
 *
 * @param usual - a JSON Pointer (`list.items`)
 * @returns a JSON Pointer; nothing where there is no list
 */
export function itemsPointer(value: Json, usual: string): string | undefined {
  if (Array.isArray(valueAt(value, usual))) return usual;
  if (Array.isArray(value)) return '';
  const holder = parentOf(usual);
  return onlyListIn(value, holder) ?? (holder === '' ? undefined : onlyListIn(value, ''));
}

function onlyListIn(value: Json, holder: string): string | undefined {
  const object = valueAt(value, holder);
  if (object === undefined || !isJsonObject(object)) return undefined;
  const lists = Object.keys(object).filter((name) => Array.isArray(object[name]));
  return lists.length === 1 ? holder + toPointer(lists) : undefined;
}
