import type { ApiOperation, SchemaMember } from './apiOperations.ts';
import { type Guess, type GuessedBlock, idForm } from './guessPlaces.ts';
import { parentOf } from '../../../../spec/pointer.ts';

type Schema = SchemaMember['schema'];

const names = {
  url: /^(url|uri|target|target_?url|callback|callback_?url|webhook_?url|endpoint|endpoint_?url|delivery_?url|notification_?url|destination|address|href)$/i,
  events:
    /^(events?|event_?(types|names|filters)|(enabled|subscribed)_?events|subscribed?_?to|topics|subscriptions|types|triggers)$/i,
  active: /^((is_?)?(active|enabled))$/i,
  inactive: /^((is_?)?(inactive|disabled|paused|suspended|muted))$/i,
  headers: /^((custom|http|extra)_?)?headers$/i,
  id: /^(id|uuid|guid|(web)?hook_?id|endpoint_?id|subscription_?id)$/i,
  secret: /^((signing|webhook|hmac|shared|endpoint)_?)?(secret|secret_?key|signing_?key)$/i,
  createdAt: /^(created(_?at)?|creation_?(date|time)|date_?created)$/i,
  event: /^(event|event_?type|event_?name|topic|type)$/i,
  status: /^(delivery_?)?(status|state)$/i,
  ownId: /^(id|uuid)$/i,
  deliveryId: /^(delivery|message|msg|notification)_?(id|uuid)$/i,
} as const;

/** Whether a member is called so; dashes divide words as underscores do. */
function isCalled(form: keyof typeof names, { name }: SchemaMember): boolean {
  return names[form].test(name.replaceAll('-', '_'));
}

/** How the statuses of deliveries are called. */
const statuses = {
  underway: /^(pending|queued|new|sending|underway|in_?progress|processing|attempting|scheduled|retrying|open)$/i,
  accepted: /^(succeeded|success|successful|delivered|accepted|sent|ok|done|completed?)$/i,
  exhausted: /^(failed|failure|given_?up|exhausted|error|dead|undeliverable|abandoned)$/i,
} as const;

/** How the statuses of webhooks are called. */
const states = {
  active: /^(active|enabled|running|live|on)$/i,
  inactive: /^(inactive|disabled|paused|suspended|stopped|off)$/i,
} as const;

/** What the creation of a webhook says of its resource. */
interface GuessedWebhook {
  readonly block: GuessedBlock;
  /** Without what no service can be tested. */
  readonly missing: readonly string[];
  readonly events: readonly string[];
}

/**
 * Where things stand in the resource that a call creates: what a client sets by its body, the rest by its answer.
 *
 * @param update - what changes one: some members are set by it alone
 * @param parameter - of the paths that lead to one such resource: it is often named like the id
 */
export function guessWebhook(create: ApiOperation, update?: ApiOperation, parameter?: string): GuessedWebhook {
  const { sent, method, path } = create;
  const [body, answer] = [`in the body of ${method} ${path}`, `in the answer to ${method} ${path}`];
  const ofUpdate = `in the body of ${update?.method} ${update?.path}`;
  const changed = update?.sent ?? [];
  const { wrapper, holder, type, ...found } = membersOf({ sent, answered: create.answered }, changed, parameter);
  const form = found.id && idForm(found.id.schema);
  const missing = (['url', 'events', 'id'] as const).filter((name) => found[name] === undefined);
  const what = { url: `no URL ${body}`, events: `no list of events ${body}`, id: `no id ${answer}` };
  const places = Object.entries({ ...found, type }).flatMap(([name, member]) => {
    if (member === undefined) return [];
    const [why, around] = sent.includes(member)
      ? [body, wrapper]
      : changed.includes(member)
        ? [ofUpdate, wrapper]
        : [answer, holder];
    return [[name, { value: member.pointer.slice(around.length), why }] as const];
  });
  return {
    block: {
      ...(type && { type: { value: stringsOf(type.schema)[0] ?? '', why: `the type ${body}` } }),
      ...(wrapper !== '' && { wrapper: { value: wrapper, why: `the resource ${body}` } }),
      ...(holder !== wrapper && { answer: { value: holder, why: `the resource ${answer}` } }),
      ...(form !== undefined && { form: { value: form, why: `the form of the id ${answer}` } }),
      ...(found.active && { states: statesOf(found.active, sent.includes(found.active) ? body : ofUpdate) }),
      members: Object.fromEntries(places),
    },
    missing: missing.map((name) => what[name]),
    events: stringsOf(found.events?.schema['items']),
  };
}

/** The members of the resource that are found, and what holds it. */
function membersOf(
  { sent, answered }: Pick<ApiOperation, 'sent' | 'answered'>,
  changed: readonly SchemaMember[],
  parameter: string | undefined,
) {
  const url =
    sent.find((each) => isCalled('url', each) && isText(each.schema)) ??
    sent.find(({ schema }) => schema['format'] === 'uri');
  const place = url?.pointer ?? '';
  const isAround = ({ pointer }: SchemaMember, inner = place): boolean => inner.startsWith(`${parentOf(pointer)}/`);
  const around = sent.filter((each) => isAround(each));
  const lists = around.filter(({ schema }) => [schema['type']].flat().includes('array'));
  // The url as the answer shows it: there, the resource may stand in an object of its own.
  const shown = answered.find(({ pointer }) => pointer.endsWith(place)) ?? url;
  const ids = answered.filter((each) => isAround(each, shown?.pointer));
  const id = ids.find((each) => isCalled('id', each)) ?? ids.find(({ name }) => name === parameter);
  const holder = parentOf(id?.pointer ?? '');
  const inside = answered.filter(({ pointer }) => pointer.startsWith(`${holder}/`));
  const within = shown?.pointer.slice(holder.length) ?? '';
  const wrapper = place.endsWith(within) ? place.slice(0, place.length - within.length) : '';
  return {
    wrapper,
    holder,
    id,
    type: sent.find(({ pointer, schema }) => pointer === `${wrapper}/type` && stringsOf(schema).length === 1),
    url,
    active: around.find(isFlag) ?? changed.find((each) => isAround(each) && isFlag(each)),
    events:
      lists.find((each) => isCalled('events', each)) ??
      lists.find(({ schema }) => stringsOf(schema['items']).length > 1),
    secret: inside.find(isSecret) ?? sent.find((each) => each.pointer.startsWith(`${wrapper}/`) && isSecret(each)),
    headers: lists.find((each) => isCalled('headers', each) && isPairs(each.schema['items'])),
    createdAt: inside.find((each) => isCalled('createdAt', each) && each.schema['format'] === 'date-time'),
  };
}

function isSecret(member: SchemaMember): boolean {
  return isCalled('secret', member) && isText(member.schema);
}

function isFlag(member: SchemaMember): boolean {
  if (isBoolean(member)) return isCalled('active', member) || isCalled('inactive', member);
  return isCalled('status', member) && stateNames(member.schema) !== undefined;
}

function isBoolean({ schema }: SchemaMember): boolean {
  return [schema['type']].flat().includes('boolean');
}

/** The one status of webhooks that get deliveries, and the one of those that do not. */
function stateNames(schema: Schema): readonly [active: string, inactive: string] | undefined {
  const [active, inactive] = (['active', 'inactive'] as const).map((state) =>
    stringsOf(schema).filter((each) => states[state].test(each)),
  );
  return active?.length === 1 && inactive?.length === 1 ? [active[0]!, inactive[0]!] : undefined;
}

/** What stands there, where it is not true for a webhook that gets deliveries. */
function statesOf(member: SchemaMember, why: string): GuessedBlock {
  if (isBoolean(member) && isCalled('active', member)) return {};
  const [active, inactive] = (isBoolean(member) ? undefined : stateNames(member.schema)) ?? [false, true];
  return { active: { value: active, why }, inactive: { value: inactive, why } };
}

/** The body of a call for a sample; nothing where it names no URL and event. */
export function guessSample({ sent, method, path }: ApiOperation): GuessedBlock | undefined {
  const url = sent.find((each) => isCalled('url', each) && isText(each.schema));
  const event = sent.find((each) => isCalled('event', each) && isText(each.schema));
  if (url === undefined || event === undefined) return undefined;
  const secret = sent.find((each) => isCalled('secret', each));
  const guess = ({ pointer }: SchemaMember): Guess<string> => ({
    value: pointer,
    why: `in the body of ${method} ${path}`,
  });
  return { members: { url: guess(url), event: guess(event), ...(secret && { secret: guess(secret) }) } };
}

/** The items of a list of deliveries; nothing where they have no id, or whose statuses are not known by their names. */
export function guessStatuses({ list, method, path }: ApiOperation): GuessedBlock | undefined {
  const members = list?.members ?? [];
  const status = members.find((each) => isCalled('status', each) && stringsOf(each.schema).length > 0);
  // An attempt has an id of its own beside that of its delivery.
  const id = members.find((each) => isCalled('deliveryId', each)) ?? members.find((each) => isCalled('ownId', each));
  const event = members.find((each) => isCalled('event', each) && isText(each.schema));
  const called = Object.entries(statuses).map(
    ([name, form]) => [name, stringsOf(status?.schema).find((each) => form.test(each))] as const,
  );
  if (id === undefined || status === undefined || called.some(([, value]) => value === undefined)) return undefined;
  const why = `in the items of ${method} ${path}`;
  return {
    members: {
      id: { value: id.pointer, why: `${why}; deliveries have to carry the same id` },
      ...(event && { event: { value: event.pointer, why } }),
      status: { value: status.pointer, why },
    },
    statuses: Object.fromEntries(
      called.map(([name, value = '']) => [name, { value, why: `of ${stringsOf(status.schema).join(', ')}` }]),
    ),
  };
}

/** How a list turns its pages; nothing where the document does not show it. */
export function guessPaging({ list, parameters, answered, method, path }: ApiOperation): {
  readonly list?: GuessedBlock;
} {
  const parameter = (form: RegExp): string | undefined =>
    parameters.find(({ in: place, name }) => place === 'query' && form.test(name))?.name;
  const cursor = parameter(/^((starting_?)?after|cursor|(next_?|page_?|continuation_?)token|page\[(after|cursor)\])$/i);
  const places = [
    /^next(_?(page|cursor|url|page_?token|page_?url))?$/i,
    ...(cursor ? [/^((end|after)_?)?cursor$/i] : []),
  ];
  const next =
    answered.find(({ name, schema }) => places.some((form) => form.test(name)) && isText(schema))?.pointer ??
    // HAL: an object with the address, which many documents describe as one of any links.
    (answered.some(({ pointer }) => pointer === '/_links') ? '/_links/next' : undefined);
  const found = {
    items: list === undefined || /^(\/data|\/[^/]+)?$/.test(list.pointer) ? undefined : list.pointer,
    next,
    cursor: next && cursor,
    page: cursor === undefined ? parameter(/^(page|page_?(number|no)|page\[number\]|offset|skip)$/i) : undefined,
    size: parameter(/^(limit|size|per_?page|page_?size|page\[size\]|max_?results)$/i),
  };
  const there = Object.entries(found).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, { value, why: `${method} ${path}` }] as const],
  );
  return there.length === 0 ? {} : { list: Object.fromEntries(there) };
}

/** Whether a value may be a text. */
function isText({ type, enum: values, format }: Schema): boolean {
  const types = Array.isArray(type) ? type : [type];
  return (
    types.includes('string') ||
    format === 'uri' ||
    (Array.isArray(values) && values.some((each) => typeof each === 'string'))
  );
}

/** The texts to which a schema restricts a value. */
function stringsOf(schema: unknown): readonly string[] {
  const { const: only, enum: values } = (schema ?? {}) as Schema;
  return [only, ...(Array.isArray(values) ? values : [])].filter((each) => typeof each === 'string');
}

/** Whether a value is an object with a name and a value. */
function isPairs(schema: unknown): boolean {
  const { properties } = (schema ?? {}) as Schema;
  return ['name', 'value'].every((name) => typeof properties === 'object' && properties !== null && name in properties);
}
