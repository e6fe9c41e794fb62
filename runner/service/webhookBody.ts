import fc from 'fast-check';

import { isJsonObject, type Json } from '../../generators/json/json.ts';
import { valueAt, withPlace } from '../../generators/json/jsonPointer.ts';
import { givenSecret, isRequired, isTakenBy, requiredElse } from '../../generators/calls/plainBody.ts';
import type { Contract } from '../../spec/contract.ts';
import { idText } from '../../spec/delivery.ts';
import { activeBy, offers, type ServiceTerms, settable, stateOf, type WebhookMember } from '../../spec/serviceTerms.ts';
import type { Call } from '../../suites/exchange.ts';
import { parsed } from './answers.ts';
import type { Registration } from '../../suites/serviceKit.ts';
import { below, parentOf } from '../../spec/pointer.ts';

/** What a client sets of a webhook, by the last part of the place where each stands: whether it is active as true or false. */
export type Attributes = Readonly<Record<string, Json>>;

type Terms = Pick<ServiceTerms, 'webhook'>;

interface Planned {
  readonly contract: Contract;
  readonly terms: Terms;
}

/** Reads a member of a webhook's resource, or of a document that wraps one; nothing where the contract places none. Active is true or false. */
export function webhookMember({ webhook }: Terms, resource: Json, name: WebhookMember): Json | undefined {
  const { answer, members } = webhook;
  const place = members[name];
  if (place === undefined) return undefined;
  const inner = valueAt(resource, answer);
  const shown = valueAt(inner !== undefined && isJsonObject(inner) ? inner : resource, place);
  return name === 'active' && shown !== undefined ? activeBy({ webhook }, shown) : shown;
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

/** Whether an update has to hold more of a webhook than a client sets, such as the version that is to be changed. */
export function isReadFirst({ contract }: Pick<Planned, 'contract'>): boolean {
  return offers(contract, 'read') && requiredElse(contract, 'update').length > 0;
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
  const { wrapper, members } = terms.webhook;
  // A service may take what is no JSON, or begins with a byte order mark.
  const body = parsed(request.body.toString().replace(/^\uFEFF/, ''));
  return body === undefined ? undefined : valueAt(body, `${wrapper}${members.secret}`);
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
  /** The webhook as the service shows it: what else an update has to hold stays as it is there. */
  readonly shown?: Json | undefined;
}

/** The body of an update. @param id - as answers show it */
export function updateBody(planned: Planned, id: Json, { attributes, set, isAll, shown }: Change): Json {
  const { contract, terms } = planned;
  const { id: placeOfId, secret: placeOfSecret = '' } = terms.webhook.members;
  const named = isAll ? set.whole : attributes;
  const places = Object.keys(named).map((key) => placeOf(terms, key));
  const isSent = (holder: string): boolean =>
    holder === '' ||
    places.length === 0 ||
    places.some((place) => place.startsWith(`${holder}/`)) ||
    isRequired(contract, 'update', holder);
  const required = Object.entries(set.whole).filter(([key]) => {
    const place = placeOf(terms, key);
    return isRequired(contract, 'update', place) && isSent(parentOf(place));
  });
  const resource = resourceOf(terms, { ...Object.fromEntries(required), ...named });
  const secret = isAll && !(lastOf(placeOfSecret) in set.whole) ? set.secret : undefined;
  const isKept = secret !== undefined && isTakenBy(contract, 'update', 'secret');
  const secured = isKept ? withPlace(resource, placeOfSecret, secret) : resource;
  const whole = isTakenBy(contract, 'update', 'id') ? withPlace(secured, placeOfId, id) : secured;
  return completed(planned, 'update', whole, shown);
}

/** With what else the objects that it holds have to hold. */
function completed({ contract, terms }: Planned, role: 'create' | 'update', resource: Json, shown: Json = null): Json {
  const { wrapper } = terms.webhook;
  const current = (pointer: string): Json | undefined =>
    pointer.startsWith(`${wrapper}/`) ? valueAt(shown, pointer.slice(wrapper.length)) : undefined;
  return requiredElse(contract, role).reduce<Json>(
    (body, [pointer, value]) => {
      if (valueAt(body, parentOf(pointer)) === undefined) return body;
      return withPlace(body, pointer, current(pointer) ?? value);
    },
    withPlace({}, wrapper, resource),
  );
}

/** What an update turns a webhook off by; nothing where the contract has no such thing. */
export function turnedOff({ webhook }: Terms): Attributes | undefined {
  const place = webhook.members.active;
  return place === undefined ? undefined : { [lastOf(place)]: false };
}

function resourceOf(terms: Terms, attributes: Attributes): Json {
  const { type, members } = terms.webhook;
  const keys = Object.keys(attributes);
  const bare = keys.reduce<Json>(
    (resource, key) => withPlace(resource, placeOf(terms, key), writtenAs(terms, key, attributes[key]!)),
    keys.length === 0 ? withPlace({}, parentOf(members.url), {}) : {},
  );
  return type === undefined || members.type === undefined ? bare : withPlace(bare, members.type, type);
}

/** An attribute as a resource holds it. */
function writtenAs(terms: Terms, key: string, value: Json): Json {
  const { active } = terms.webhook.members;
  const isState = active !== undefined && key === lastOf(active) && typeof value === 'boolean';
  return isState ? stateOf(terms, value) : value;
}

/** Where in a resource an attribute stands; beside the url, where the contract places none of this name. */
function placeOf({ webhook: { members } }: Terms, key: string): string {
  const own = ([...settable, 'secret'] as const)
    .map((name) => members[name])
    .find((place) => place !== undefined && lastOf(place) === key);
  return own ?? below(parentOf(members.url), key);
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
