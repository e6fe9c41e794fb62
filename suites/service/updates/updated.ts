import { type Json, isJsonObject } from '../../../generators/json/json.ts';
import { Unobservable } from '../../check.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { listed, sameUrl } from '../creation.ts';
import { untilThere } from '../lists/allListed.ts';
import { describeAnswer } from '../../answer.ts';
import type { Call, Caught } from '../../exchange.ts';

/** What an update can name. */
export const changeable = ['url', 'active', 'events', 'headers'] as const;
export type Changeable = (typeof changeable)[number];

/** All that must stay as it is where an update does not name it. */
export const shown = [...changeable, 'id', 'type', 'secret', 'createdAt'] as const;

/** What an update of an inactive webhook puts there. */
export function changeOf(kit: ServiceKit, name: Changeable): Json {
  switch (name) {
    case 'url':
      return kit.endpoint().url;
    case 'active':
      return true;
    case 'events':
      return kit.contract.events.slice(-3).map((event) => event.name);
    case 'headers':
      return [{ name: 'X-Fleet', value: 'north' }];
  }
}

/** The webhook as it is listed. @throws Unobservable where it is not */
export async function expectListed(kit: ServiceKit, webhook: Webhook): Promise<Json> {
  const found = await untilThere(
    kit,
    () => listed(kit, webhook),
    (seen) => seen !== undefined,
  );
  if (found !== undefined) return found;
  throw new Unobservable('the service does not list the webhook, so that nothing shows what an update changed');
}

/** Whether a member is what it should be. Header names may be capitalised, and events may be in any order. */
export function isShownAs(name: string, one: Json, other: Json): boolean {
  if (name === 'url' && typeof other === 'string') return sameUrl(one, other);
  return normal(one) === normal(other);
}

function normal(value: Json): string {
  return Array.isArray(value) ? JSON.stringify(value.map(normalItem).toSorted()) : JSON.stringify(value);
}

/** A header has a name and a value, and maybe more that a service adds. */
function normalItem(item: Json): string {
  if (!isJsonObject(item) || typeof item['name'] !== 'string') return JSON.stringify(item);
  return JSON.stringify([item['name'].toLowerCase(), item['value'] ?? null]);
}

/** @throws Unobservable where the service deletes no webhook in this way (GAP-13) */
export async function deleted(kit: ServiceKit, { id }: Webhook): Promise<Call> {
  const call = await kit.call('delete', { parameters: { id } });
  if (kit.succeeded(call)) return call;
  throw new Unobservable(`the service does not delete the webhook: ${describeAnswer(call.answer)}`);
}

/** A custom header of a webhook before its update, and the one that the update puts there. */
export const before = { name: 'X-Kit-Before', value: 'before' } as const;
export const later = { name: 'X-Kit-Later', value: 'later' } as const;

type HeaderOfUpdate = typeof before | typeof later;

/** What is wrong with the headers of a delivery, in words; nothing where they are right, or webhooks have none. */
export function wrongHeaders(
  kit: ServiceKit,
  caught: Caught,
  { wanted, gone }: { readonly wanted: HeaderOfUpdate; readonly gone: HeaderOfUpdate },
): string | undefined {
  if (kit.terms.webhook.members.headers === undefined) return undefined;
  if (kit.header(caught, wanted.name) !== wanted.value) return `${wanted.name} was not sent`;
  return kit.header(caught, gone.name) === undefined ? undefined : `${gone.name} was still sent`;
}

/** Items of a list that a sentence has room for. */
const few = 3;

/** A member as a sentence names it: of a long list the first items; `gone` where there is none. */
export function inWords(value: unknown): string {
  if (!Array.isArray(value) || value.length <= few + 1) return JSON.stringify(value) ?? 'gone';
  const items = value.slice(0, few).map((item) => JSON.stringify(item));
  return `[${items.join(',')}, and ${value.length - few} more]`;
}
