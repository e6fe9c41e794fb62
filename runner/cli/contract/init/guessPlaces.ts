import { schemasAt, valuesAt } from '../../../../generators/schema/schemaReference.ts';
import { type JsonSchema, type SchemaObject, isRecord } from '../../../../spec/jsonSchema.ts';
import type { WebhookBody, WebhookHeader } from '../../../../spec/webhookBodies.ts';
import { isSameName } from '../../../../spec/headerText.ts';
import { below } from '../../../../spec/pointer.ts';

/** A place of a delivery, as a runtime expression, and what stands there. */
export interface GuessedPlace {
  readonly at: string;
  readonly form?: string;
  /** Where an operation of the document holds what the place calls the event. */
  readonly value?: string;
}

/** What usually holds events, ids and times in a body; of several events in a list, the first. */
const holders = ['', '/data', '/event', '/meta', '/metadata', '/payload', '/notification', '/data/attributes', '/0'];

const eventNames = [
  'event_type',
  'webhook_type',
  'eventType',
  'event',
  'type',
  'event_name',
  'eventName',
  'topic',
  'kind',
  'name',
  'action',
];

const idNames = [
  'event_id',
  'eventId',
  'delivery_id',
  'deliveryId',
  'message_id',
  'messageId',
  'notification_id',
  'notificationId',
  'id',
  'uuid',
];

/** Objects that are about the delivery rather than about what happened. */
const envelopes =
  /^(meta(data)?|headers?|envelope|context|info|event(_?(info|meta))?|delivery|notification|message|webhook)$/i;

const timeNames = [
  'created_at',
  'createdAt',
  'created',
  'occurred_at',
  'occurredAt',
  'timestamp',
  'event_time',
  'eventTime',
  'sent_at',
  'sentAt',
  'emitted_at',
  'emittedAt',
  'issued_at',
  'published_at',
  'time',
  'at',
];

const eventHeader = /(^|-)(event|topic|event-(type|name)|webhook-(event|topic))$/i;

const idHeaders = [
  /-delivery$/i,
  /(delivery|message|msg|event|notification|request|batch)-?id$/i,
  /^(webhook|svix)-id$/i,
  /(idempotency|unique)-key$/i,
];

/** Where a delivery names its event: a constant in the bodies, else a header, else a member of a usual name. */
export function guessEvent(bodies: readonly WebhookBody[]): Guess<GuessedPlace> {
  if (bodies.length === 0) return usualPlace;
  const ranked = pointersTo(eventNames, bodies)
    .map((pointer) => ({ pointer, texts: bodies.flatMap(({ schema }) => onlyText(valuesAt(schema, pointer))) }))
    .filter(({ texts }) => texts.length >= bodies.length * most && new Set(texts).size === texts.length)
    .toSorted((a, b) => b.texts.length - a.texts.length);
  const [constant] = ranked;
  if (constant !== undefined) {
    const { pointer, texts } = constant;
    const have =
      texts.length === bodies.length
        ? 'every body has a text of its own'
        : `${texts.length} of ${bodies.length} bodies have texts of their own`;
    return { value: inBody(pointer), why: `${have} there (${texts[0]})` };
  }
  const header = commonHeaders(bodies).find(({ name }) => eventHeader.test(name));
  if (header !== undefined) return inEventHeader(header, bodies);
  const member = pointersTo(eventNames, bodies).find((pointer) => isCommon(bodies, pointer, isText));
  if (member === undefined) return usualPlace;
  const isListed = bodies.some((body) => listedEvents(body, inBody(member)).length > 0);
  const values = isListed ? 'the document lists its values' : 'the document names no values';
  return { value: inBody(member), why: `a text of this name stands in most bodies; ${values}` };
}

/** The events that a body stands for, where the place of the event lists several. */
export function listedEvents({ schema, headers }: WebhookBody, { at }: GuessedPlace): readonly string[] {
  const [, name = ''] = at.split('$request.header.');
  const header = headers.find((each) => isSameName(each.name, name))?.schema ?? true;
  const values = name === '' ? valuesAt(schema, at.slice(inBody('').at.length)) : valuesAt(header, '');
  const texts = (values ?? []).filter((each) => typeof each === 'string');
  return texts.length > 1 ? texts : [];
}

const usualPlace: Guess<GuessedPlace> = {
  value: inBody('/type'),
  why: 'nothing in the document says where the event is named; this is where most providers have it',
};

function inEventHeader(header: WebhookHeader, bodies: readonly WebhookBody[]): Guess<GuessedPlace> {
  const named = guessEventValue(bodies);
  const why = 'the header is named like one that carries the event';
  return named === undefined
    ? { value: inHeader(header), why: `${why}, and is taken to hold the name of the webhook` }
    : { value: { ...inHeader(header), value: named.value }, why: `${why}, and ${named.why}` };
}

/** Where a delivery carries its id; nothing where nothing looks like one. */
export function guessId(bodies: readonly WebhookBody[]): Guess<GuessedPlace> | undefined {
  if (bodies.length === 0) return undefined;
  const headers = commonHeaders(bodies).filter(({ name }) => !/hook-id$/i.test(name) || /^webhook-id$/i.test(name));
  const header = idHeaders
    .map((form) => headers.find(({ name }) => form.test(name)))
    .find((found) => found !== undefined);
  if (header !== undefined) {
    const form = idForm(typeof header.schema === 'boolean' ? {} : header.schema);
    return {
      value: { ...inHeader(header), ...(form !== undefined && { form }) },
      why: `the header is named like one that carries the id of a delivery${formUnknown(form)}`,
    };
  }
  const pointers = pointersTo(idNames, bodies);
  const text = pointers.find((each) => isCommon(bodies, each, isText));
  const pointer = text ?? pointers.find((each) => isCommon(bodies, each, isWhole));
  if (pointer === undefined) return undefined;
  const [first] = bodies.flatMap(({ schema }) => schemasAt(schema, pointer));
  const form = idForm(first ?? {});
  return {
    value: { ...inBody(pointer), ...(form !== undefined && { form }) },
    why: `a ${text === undefined ? 'whole number' : 'text'} of this name stands in most bodies; it has to be the same when a delivery is repeated, and another in every other delivery${formUnknown(form)}`,
  };
}

/** Where the body says when the event happened; nothing where nothing looks like it. */
export function guessCreatedAt(bodies: readonly WebhookBody[]): Guess<GuessedPlace> | undefined {
  if (bodies.length === 0) return undefined;
  for (const pointer of pointersTo(timeNames, bodies)) {
    if (isCommon(bodies, pointer, ({ format }) => format === 'date-time'))
      return { value: { ...inBody(pointer), form: 'rfc3339' }, why: 'a date-time of this name stands in most bodies' };
    if (isCommon(bodies, pointer, countsMilliseconds))
      return {
        value: { ...inBody(pointer), form: 'unixMilliseconds' },
        why: 'a whole number of this name stands in most bodies, and its schema speaks of milliseconds',
      };
    if (isCommon(bodies, pointer, isWhole))
      return {
        value: { ...inBody(pointer), form: 'unix' },
        why: 'a whole number of this name stands in most bodies; it may be unixMilliseconds',
      };
  }
  return undefined;
}

/** Headers that most deliveries have. */
export function commonHeaders(bodies: readonly WebhookBody[]): readonly WebhookHeader[] {
  const all = bodies.flatMap(({ headers }) => headers);
  const byName = Map.groupBy(all, ({ name }) => name.toLowerCase());
  return [...byName.values()].filter((each) => each.length >= bodies.length * most).flatMap(([first]) => first ?? []);
}

/** Where members of these names usually stand, and then where they stand in what is about the delivery, further in. */
function pointersTo(names: readonly string[], bodies: readonly WebhookBody[]): readonly string[] {
  const further = new Set(bodies.flatMap(({ schema }) => objectsIn(schema, '', 3)));
  return [...new Set([...holders, ...further])].flatMap((holder) => names.map((name) => `${holder}/${name}`));
}

/** The objects about the delivery that a schema describes, the outer ones first. */
function objectsIn(schema: JsonSchema, pointer: string, depth: number): readonly string[] {
  if (depth === 0) return [];
  const names = new Set(schemasAt(schema, pointer).flatMap(({ properties = {} }) => Object.keys(properties)));
  const inner = [...names].map((name) => ({ name, at: below(pointer, name) }));
  return [
    ...inner.flatMap(({ name, at }) => (envelopes.test(name) ? [at] : [])),
    ...inner.flatMap(({ at }) => objectsIn(schema, at, depth - 1)),
  ];
}

function isCommon(bodies: readonly WebhookBody[], pointer: string, fits: (schema: SchemaObject) => boolean): boolean {
  return bodies.filter(({ schema }) => schemasAt(schema, pointer).some(fits)).length >= bodies.length * most;
}

function isText({ type, enum: values }: SchemaObject): boolean {
  return type === 'string' || (values ?? []).some((value) => typeof value === 'string');
}

function countsMilliseconds(schema: SchemaObject): boolean {
  const { description = '' } = schema as { readonly description?: unknown };
  return isWhole(schema) && /milliseconds|\bms\b/i.test(String(description));
}

function isWhole({ type }: SchemaObject): boolean {
  return type === 'integer';
}

function onlyText(values: readonly unknown[] | undefined): readonly string[] {
  const [only, ...others] = values ?? [];
  return typeof only === 'string' && others.length === 0 ? [only] : [];
}

/** What to look at where the document does not show it: the kit takes an id for a uuid then. */
function formUnknown(form: string | undefined): string {
  return form === undefined ? '; if it is no uuid, add its form' : '';
}

/** `uuid`, `integer`, or the pattern of the schema, for a whole id. Nothing where the schema says none of them. */
export function idForm({ type, format, pattern }: SchemaObject): string | undefined {
  if (type === 'integer') return 'integer';
  if (format === 'uuid') return 'uuid';
  return typeof pattern === 'string' && /^\^[^|]*\$$/.test(pattern) ? pattern.slice(1, -1) : undefined;
}

function inBody(pointer: string): GuessedPlace {
  return { at: `$request.body#${pointer}` };
}

function inHeader({ name }: WebhookHeader): GuessedPlace {
  return { at: `$request.header.${name}` };
}

/**
 * Where the operation of a webhook holds what a header calls the event, a JSON Pointer: a text of an extension with which the
 * name of the webhook begins. `issues-opened` comes as `issues`, where `x-github: { subcategory: issues }` says so.
 */
function guessEventValue(bodies: readonly WebhookBody[]): Guess<string> | undefined {
  const found = bodies.flatMap(({ key, extensions }) =>
    textsIn(extensions, '').flatMap(([pointer, text]) => (begins(key, text) ? [{ pointer, text }] : [])),
  );
  const [best] = [...Map.groupBy(found, ({ pointer }) => pointer)].toSorted(([, a], [, b]) => b.length - a.length);
  if (best === undefined || best[1].length < bodies.length * most) return undefined;
  const [pointer, texts] = best;
  return {
    value: pointer,
    why: `the names of webhooks begin with what an extension of their operations says (${texts[0]?.text})`,
  };
}

/** The texts of extensions, and of the mappings that they are. */
function textsIn(value: unknown, pointer: string): readonly (readonly [pointer: string, text: string])[] {
  if (typeof value === 'string') return [[pointer, value]];
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, below(pointer, name)));
}

/** Whether a name begins with a text, whatever divides their words. */
function begins(name: string, text: string): boolean {
  const words = (each: string): string =>
    `${each
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .join('-')}-`;
  return text !== '' && words(name).startsWith(words(text));
}

/** Something that a draft says, and why, where the document does not say so itself. */
export interface Guess<Value> {
  readonly value: Value;
  /** The reason of a guess; nothing where the document says it. */
  readonly why?: string;
}

/** A part of a contract: its members by name, each a guess or a part of its own. */
export interface GuessedBlock {
  readonly [name: string]: Guess<string | boolean> | GuessedBlock;
}

/** How much of what should be the same everywhere has to be so. */
const most = 0.8;
