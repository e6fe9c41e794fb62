import { isJsonObject, type Json } from '../../generators/json/json.ts';
import { valueAt, withPointer } from '../../generators/json/jsonPointer.ts';
import { idText } from '../../spec/delivery.ts';
import type { ServiceTerms, WebhookMember } from '../../spec/serviceTerms.ts';
import type { Registration } from '../../suites/serviceKit.ts';
import { parentOf } from '../../spec/pointer.ts';

/** What a client sets of a webhook, by the last part of the place where each stands. */
export type Attributes = Readonly<Record<string, Json>>;

type Terms = Pick<ServiceTerms, 'webhook'>;

/** What a client sets, and sends as a whole where an update replaces the resource. The secret is the service's. */
const settable = ['url', 'active', 'events', 'headers'] as const satisfies readonly WebhookMember[];

/** Reads a member of a webhook's resource, or of a document that wraps one; nothing where the contract places none. */
export function webhookMember({ webhook }: Terms, resource: Json, name: WebhookMember): Json | undefined {
  const { wrapper, members } = webhook;
  const place = members[name];
  if (place === undefined) return undefined;
  const inner = valueAt(resource, wrapper);
  return valueAt(inner !== undefined && isJsonObject(inner) ? inner : resource, place);
}

/** The attributes of a plain webhook. */
export function plainAttributes(
  { webhook: { members } }: Terms,
  endpoint: string,
  { events, active = true, headers, folder = '', query = '', user }: Registration,
): Attributes {
  const origin = user === undefined ? endpoint : endpoint.replace('://', `://${user}@`);
  const url = origin.replace(/\/[^/]*$/, (name) => folder + name + query);
  const given = headers === undefined ? undefined : (headers?.map((each) => ({ ...each })) ?? null);
  const values = { url, active, events: events ?? undefined, headers: given };
  return Object.fromEntries(
    settable.flatMap((name) => {
      const [place, value] = [members[name], values[name]];
      return place === undefined || value === undefined ? [] : [[lastOf(place), value] as const];
    }),
  );
}

/** What a client has set, as a resource shows it. */
export function shownAttributes(terms: Terms, resource: Json): Attributes {
  return Object.fromEntries(
    settable.flatMap((name) => {
      const [place, value] = [terms.webhook.members[name], webhookMember(terms, resource, name)];
      return place === undefined || value === undefined ? [] : [[lastOf(place), value] as const];
    }),
  );
}

/** The body of a creation. */
export function creationBody(terms: Terms, attributes: Attributes): Json {
  return withPointer({}, terms.webhook.wrapper, resourceOf(terms, attributes));
}

/** The body of an update. @param id - as answers show it */
export function updateBody(terms: Terms, id: Json, attributes: Attributes): Json {
  const { wrapper, members } = terms.webhook;
  return withPointer({}, wrapper, withPointer(resourceOf(terms, attributes), members.id, id));
}

/** What an update turns a webhook off by; nothing where the contract has no such thing. */
export function turnedOff({ webhook }: Terms): Attributes | undefined {
  const place = webhook.members.active;
  return place === undefined ? undefined : { [lastOf(place)]: false };
}

function resourceOf({ webhook: { type, members } }: Terms, attributes: Attributes): Json {
  const bare = withPointer({}, parentOf(members.url), attributes);
  return type === undefined || members.type === undefined ? bare : withPointer(bare, members.type, type);
}

function lastOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

/** Characters of an id that stand in a path at most: servers read request lines of 8 to 16 KB. */
const longestId = 4096;

/** The id of a webhook, as calls name it; nothing where the value is none, or no path can hold it. */
export function callableId(shown: unknown): string | undefined {
  const id = idText(shown);
  return id === undefined || id.length > longestId ? undefined : id;
}
