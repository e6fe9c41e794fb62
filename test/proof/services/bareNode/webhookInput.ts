import { catalogue } from './catalogue.ts';
import { isObject, type JsonObject } from './json.ts';
import { Refusal, demand } from './refusal.ts';

export interface CustomHeader {
  readonly name: string;
  readonly value: string;
}

/** What a client may say about a webhook. */
export interface WebhookInput {
  readonly url: string;
  readonly active: boolean;
  readonly events: readonly string[];
  readonly headers: readonly CustomHeader[] | undefined;
}

/** Headers that frame or describe the delivery itself. */
const reserved =
  /^(host|content-(type|length|encoding)|transfer-encoding|(proxy-)?connection|keep-alive|upgrade|te|trailer|expect)$/i;

const readers: { readonly [Member in keyof WebhookInput]: (value: unknown) => WebhookInput[Member] } = {
  url: deliverableUrl,
  active(value) {
    demand(typeof value === 'boolean', 'active must be true or false.\n');
    return value;
  },
  events(value) {
    demand(Array.isArray(value) && value.length > 0, 'events must be a list of at least one event.\n');
    demand(new Set(value).size === value.length, 'events must not name an event twice.\n');
    return value.map(catalogueEvent);
  },
  headers(value) {
    if (value === null) return undefined;
    demand(Array.isArray(value), 'headers must be a list of {name, value}.\n');
    return value.map(customHeader);
  },
};

/** The body of a creation. Without `events` the webhook gets all. @throws Refusal */
export function creation(body: unknown): WebhookInput {
  const attributes = attributesOf(body);
  return { events: [...catalogue], headers: undefined, ...changes(attributes), ...required(attributes) };
}

/** The body of an update: only what it names. @throws Refusal */
export function update(body: unknown, id: string): Partial<WebhookInput> {
  const attributes = attributesOf(body);
  const { data } = body as { data: JsonObject };
  if (data['id'] !== undefined && data['id'] !== id) throw new Refusal(409, 'The id in the body is another one.\n');
  const named = changes(attributes);
  demand(Object.keys(named).length > 0, 'Nothing to change: name url, active, events or headers.\n');
  return named;
}

export function catalogueEvent(value: unknown): string {
  demand(typeof value === 'string' && catalogue.has(value), 'An event must be one of the catalogue.\n');
  return value;
}

/** HTTPS, or HTTP to this machine for who tries things out. */
export function deliverableUrl(value: unknown): string {
  demand(typeof value === 'string' && !/[\p{White_Space}\p{Cc}]/u.test(value), 'url must be a URL.\n');
  const url = URL.parse(value);
  demand(url !== null, 'url must be a URL.\n');
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  demand(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback), 'url must be an HTTPS URL.\n');
  return value;
}

function attributesOf(body: unknown): JsonObject {
  demand(isObject(body) && isObject(body['data']), 'data is missing.\n');
  const { type, attributes } = body['data'];
  demand(type === 'webhook', 'data.type must be webhook.\n');
  demand(isObject(attributes), 'data.attributes is missing.\n');
  return attributes;
}

function required({ url, active }: JsonObject): Pick<WebhookInput, 'url' | 'active'> {
  return { url: readers.url(url), active: readers.active(active) };
}

function changes(attributes: JsonObject): Partial<WebhookInput> {
  const named = Object.entries(readers).filter(([member]) => Object.hasOwn(attributes, member));
  return Object.fromEntries(named.map(([member, read]) => [member, read(attributes[member])]));
}

function customHeader(item: unknown): CustomHeader {
  demand(isObject(item), 'A header must be an object with name and value.\n');
  const { name, value } = item;
  demand(typeof name === 'string' && /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name), 'That is no name of a header.\n');
  demand(typeof value === 'string' && /^[\t\x20-\x7e]*$/.test(value), 'A header must have one line of ASCII.\n');
  demand(!reserved.test(name), `${name} is not yours to set.\n`);
  return { name: name[0]!.toUpperCase() + name.slice(1), value };
}
