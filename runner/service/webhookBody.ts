import fc from 'fast-check';

import { isJsonObject, type Json } from '../../generators/json/json.ts';
import { valueAt, withPointer } from '../../generators/json/jsonPointer.ts';
import { givenSecret, isTakenBy, requiredBeside, requiredElse } from '../../generators/calls/plainBody.ts';
import type { Contract } from '../../spec/contract.ts';
import { idText } from '../../spec/delivery.ts';
import type { ServiceTerms, WebhookMember } from '../../spec/serviceTerms.ts';
import type { Call } from '../../suites/exchange.ts';
import type { Registration } from '../../suites/serviceKit.ts';
import { parentOf } from '../../spec/pointer.ts';

/** What a client sets of a webhook, by the last part of the place where each stands. */
export type Attributes = Readonly<Record<string, Json>>;

type Terms = Pick<ServiceTerms, 'webhook'>;

interface Planned {
  readonly contract: Contract;
  readonly terms: Terms;
}

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

/** What a creation takes of these attributes, and what an update has to set. A webhook is active where nothing else is said. */
export function splitAttributes({ contract, terms }: Planned, attributes: Attributes) {
  const untaken = settable.flatMap((name) => {
    const place = terms.webhook.members[name];
    return place === undefined || isTakenBy(contract, 'create', name) ? [] : [[name, lastOf(place)] as const];
  });
  const later = untaken.filter(([name, key]) => key in attributes && !(name === 'active' && attributes[key] === true));
  const omitted = untaken.map(([, key]) => key);
  return {
    taken: Object.fromEntries(Object.entries(attributes).filter(([key]) => !omitted.includes(key))),
    ...(later.length > 0 && { later: Object.fromEntries(later.map(([, key]) => [key, attributes[key]!])) }),
    isOff: later.some(([name]) => name === 'active'),
  };
}

/** The body of a creation: with these, and what else it has to hold. */
export function creationBody(planned: Planned, attributes: Attributes): Json {
  const { contract, terms } = planned;
  const [resource, secret] = [resourceOf(terms, attributes), givenSecret(contract)];
  const place = terms.webhook.members.secret;
  if (secret === undefined || place === undefined) return completed(planned, 'create', resource);
  return completed(planned, 'create', withPlace(resource, place, fc.sample(secret, 1)[0]!));
}

/** The secret that the client gave a webhook in its creation; nothing where the service makes it. */
export function secretGiven({ contract, terms }: Planned, { request }: Call): Json | undefined {
  if (!isTakenBy(contract, 'create', 'secret')) return undefined;
  return webhookMember(terms, JSON.parse(request.body.toString()) as Json, 'secret');
}

/** What a client has set of a webhook. */
export interface Whole {
  readonly whole: Attributes;
  /** Nothing where the service made it. */
  readonly secret?: Json | undefined;
}

/** What an update changes. */
interface Change {
  readonly attributes: Attributes;
  /** What the webhook has then. */
  readonly set: Whole;
  /** Whether the update replaces all of it; else it names what it changes, and what is required. */
  readonly isAll: boolean;
}

/** The body of an update. @param id - as answers show it */
export function updateBody(planned: Planned, id: Json, { attributes, set, isAll }: Change): Json {
  const { contract, terms } = planned;
  const { whole, secret } = set;
  const required = requiredBeside(contract, 'update').filter((name) => name in whole);
  const named = isAll ? whole : { ...Object.fromEntries(required.map((name) => [name, whole[name]!])), ...attributes };
  const { id: placeOfId, secret: place = '' } = terms.webhook.members;
  const isKept =
    isAll && secret !== undefined && !(lastOf(place) in attributes) && isTakenBy(contract, 'update', 'secret');
  const resource = resourceOf(terms, named);
  const secured = isKept ? withPlace(resource, place, secret) : resource;
  return completed(
    planned,
    'update',
    isTakenBy(contract, 'update', 'id') ? withPlace(secured, placeOfId, id) : secured,
  );
}

function completed({ contract, terms }: Planned, role: 'create' | 'update', resource: Json): Json {
  return requiredElse(contract, role).reduce<Json>(
    (body, [pointer, value]) => withPlace(body, pointer, value),
    withPlace({}, terms.webhook.wrapper, resource),
  );
}

/** What an update turns a webhook off by; nothing where the contract has no such thing. */
export function turnedOff({ webhook }: Terms): Attributes | undefined {
  const place = webhook.members.active;
  return place === undefined ? undefined : { [lastOf(place)]: false };
}

function resourceOf({ webhook: { type, members } }: Terms, attributes: Attributes): Json {
  const bare = withPlace({}, parentOf(members.url), attributes);
  return type === undefined || members.type === undefined ? bare : withPlace(bare, members.type, type);
}

/** A value with something at a place, and with the objects on the way to it. */
function withPlace(value: Json, pointer: string, member: Json): Json {
  const parent = parentOf(pointer);
  const isThere = pointer === '' || valueAt(value, parent) !== undefined;
  return withPointer(isThere ? value : withPlace(value, parent, {}), pointer, member);
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
