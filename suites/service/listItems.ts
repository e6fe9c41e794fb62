import { isJsonObject, type Json } from '../../generators/json/json.ts';
import type { Call } from '../exchange.ts';
import { valueAt, toPointer } from '../../generators/json/jsonPointer.ts';
import type { Contract } from '../../spec/contract.ts';
import type { RecordMember, ServiceTerms } from '../../spec/serviceTerms.ts';
import { parentOf } from '../../spec/pointer.ts';
import type { ListedNotification } from '../serviceKit.ts';

export type Query = Readonly<Record<string, string>>;

/** The query that a link to the next page holds: a text, or an object with `href`. Nothing where it cannot be followed. */
export function linkedQuery(link: Json, { request }: Call): Query | undefined {
  const href = isJsonObject(link) ? link['href'] : link;
  if (typeof href !== 'string' || href === '') return undefined;
  return queryOf(href, request.path);
}

/** The address of the next page in the header Link (RFC 8288). */
export function nextLink({ answer }: Call): string | undefined {
  const headers = answer.kind === 'answered' ? answer.headers : [];
  const links = headers.flatMap(([name, value]) => (/^link$/i.test(name) ? [value] : [])).join(', ');
  return /<([^>]*)>(?:\s*;\s*(?!rel\b)[\w*-]+\s*=\s*("[^"]*"|[^\s",;]+))*\s*;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.exec(
    links,
  )?.[1];
}

/** The query of an address; nothing where it has none. */
export function queryOf(href: string, base: string): Query | undefined {
  const url = URL.parse(href, `http://localhost${base}`);
  if (url === null || url.search === '') return undefined;
  return Object.fromEntries(url.searchParams);
}

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

/** Whether a notification is listed in a status after which no attempt follows, whether it was accepted or not. */
export function isListedOver(
  { notification }: Pick<ServiceTerms, 'notification'>,
  listed?: ListedNotification,
): boolean {
  if (listed === undefined || notification === undefined) return false;
  const { accepted, exhausted } = notification.statuses;
  return listed.status === accepted || listed.status === exhausted;
}
