import { type Compile, createLenientCompile, type ValidateFunction } from './compile.ts';
import { ContractError, type Warn } from './contractError.ts';
import type { ContractForm } from './contractForm.ts';
import type { DeclaredTerms } from './delivery.ts';
import type { Catalogue, CatalogueEvent } from './events.ts';
import { isHeaderValue, isSameName } from './headerText.ts';
import { isRecord, type JsonSchema, objectOf, type Mapping, mapping } from './jsonSchema.ts';
import { envelopePointer, ownMediaType } from './ownSchemas.ts';
import { below, namesIn, pointed } from './pointer.ts';
import { type WebhookBody, type WebhookHeader, webhookBodies } from './webhookBodies.ts';

/**
 * The events of a document that somebody else wrote, or that a contract lists itself: what cannot be honoured is left out,
 * and `warn` receives it. Schemas are read and compiled when an event is first drawn.
 *
 * @param root - the document, with the envelope and the events that the contract lists
 * @throws ContractError (`contract/event`) where it has no event of the contract's method
 */
export function foreignEvents(form: ContractForm, root: Mapping, terms: DeclaredTerms, warn: Warn): Catalogue {
  const envelope = form.envelope === undefined ? undefined : envelopePointer;
  const leftOut: string[] = [];
  const noted: Warn = (warning) => {
    if (warning.effect === 'left-out') leftOut.push(warning.message);
    warn(warning);
  };
  const bodies = webhookBodies(root, { warn: noted, envelope }).filter((body) => isSent(body, terms, noted));
  noteUnsentHeaders(bodies, terms, warn);
  const compile = createLenientCompile();
  const named = bodies.flatMap((body) => eventsOf(body, form, terms, compile));
  const [first, ...others] = distinct(named.filter((event) => canBeNamed(event, terms, noted)));
  if (first === undefined) {
    throw new ContractError(
      'contract/event',
      `The contract has no event that comes by ${terms.method}. ${leftOut.length > 0 ? `${leftOut[0]} ` : ''}Name an OpenAPI document with webhooks (openapi, or --openapi), or list the events (events) beside an envelope.`,
    );
  }
  return { events: [first, ...others], acceptedStatuses: acceptedBy(terms, bodies) };
}

/** The document with the envelope, and with the events that the contract lists, as far as they are not its own already. */
export function withListedEvents(document: Mapping, { envelope, events = {}, method = 'POST' }: ContractForm): Mapping {
  const root = envelope === undefined ? document : { ...document, envelope };
  const entries = Object.entries(events).map(([name, schema]) => {
    const content = { [ownMediaType]: { schema } };
    return [name, { [method.toLowerCase()]: { requestBody: { content } } }] as const;
  });
  return entries.length === 0
    ? root
    : { ...root, webhooks: { ...mapping(root['webhooks']), ...Object.fromEntries(entries) } };
}

function isSent({ key, method, pointer }: WebhookBody, terms: DeclaredTerms, warn: Warn): boolean {
  if (method === terms.method) return true;
  const message = `The webhook ${key} comes by ${method}, and the deliveries of the contract by ${terms.method}. It is left out.`;
  warn({ pointer, keyword: method.toLowerCase(), effect: 'left-out', message });
  return false;
}

/** A receiver may refuse deliveries without a header that the document requires and the contract does not name. */
function noteUnsentHeaders(bodies: readonly WebhookBody[], terms: DeclaredTerms, warn: Warn): void {
  const { headers: others, redeliveryHeaders, signature, id, event } = terms;
  const places = [id?.at, event].flatMap((at) => (at?.in === 'header' ? at : []));
  const named = [...others, ...redeliveryHeaders].map(([name]) => ({ name }));
  const sent = [{ name: 'Content-Type' }, ...named, ...(signature?.headers ?? []), ...places];
  const required = bodies.flatMap(({ headers }) => headers.filter(({ isRequired }) => isRequired));
  for (const all of Map.groupBy(required, ({ name }) => name.toLowerCase()).values()) {
    const [{ name, pointer, example }] = all as [WebhookHeader];
    if (sent.some((each) => isSameName(each.name ?? '', name))) continue;
    const value = example === undefined ? '' : ` (${name}: ${JSON.stringify(example)})`;
    const message = `The document requires the header ${name} of ${all.length} of ${bodies.length} webhooks, and the contract does not name it. Deliveries do not have it. If your receiver reads it, add it to headers${value}.`;
    warn({ pointer, keyword: 'parameters', effect: 'unsent', message });
  }
}

/** Whether the header that names the event can carry its name. */
function canBeNamed({ name, value }: CatalogueEvent, { event }: DeclaredTerms, warn: Warn): boolean {
  if (event.in !== 'header' || isHeaderValue(value)) return true;
  const message = `The event ${JSON.stringify(value)} cannot stand in the header ${event.name}, which carries visible ASCII. It is left out.`;
  warn({ pointer: below('#/webhooks', name), keyword: 'webhooks', effect: 'left-out', message });
  return false;
}

/** The event of a webhook; each that it lists where it stands for several, none of which has its own name. */
function eventsOf(
  body: WebhookBody,
  form: ContractForm,
  terms: DeclaredTerms,
  compile: Compile,
): readonly CatalogueEvent[] {
  const { key } = body;
  const place = terms.members.event;
  const names = namesOf(body, terms.event);
  const [only, ...others] = names;
  const isListed = form.events !== undefined && Object.hasOwn(form.events, key);
  const isOne = only !== undefined && others.length === 0;
  if (isOne && only !== key && isListed) throw namedTwice(key, only, place);
  const isSeveral = others.length > 0 && !isListed && form.event.value === undefined && !names.includes(key);
  const own = isSeveral ? names : [place !== undefined && isOne ? only : key];
  return own.map((name) => {
    const parts = place === undefined || isOne ? [] : [constantSchema(place, name)];
    return eventOf(body, { name, value: valueOf(body, form) ?? name }, lazily(body, parts, compile));
  });
}

/** The texts that may name the event in a delivery, as far as the document lists them. */
function namesOf({ schema, headers }: WebhookBody, event: DeclaredTerms['event']): readonly string[] {
  if (event.in === 'body') return textsAt(schema, event.pointer);
  const header = headers.find(({ name }) => isSameName(name, event.name));
  return header === undefined ? [] : textsAt(header.schema, '');
}

function eventOf(
  body: WebhookBody,
  { name, value }: Pick<CatalogueEvent, 'name' | 'value'>,
  compiled: () => Pick<CatalogueEvent, 'schema' | 'validate'>,
): CatalogueEvent {
  const { key, operationId = key, tags } = body;
  return {
    name,
    value,
    group: tags[0] ?? name.split(/[._/:-]/)[0] ?? name,
    operationId,
    get schema() {
      return compiled().schema;
    },
    get validate() {
      return compiled().validate;
    },
    included: [],
    report: (at, problem) => {
      body.report(at, problem);
    },
  };
}

/** The key of a document's webhook may be any word; what a contract lists is the name itself. */
function namedTwice(key: string, name: string, place = ''): ContractError {
  return new ContractError(
    'contract/event',
    `${below('#/events', key)} allows only ${JSON.stringify(name)} at ${place}, where deliveries name their event. Call the event ${JSON.stringify(name)} in events too, or take that const out of its schema: deliveries then say ${JSON.stringify(key)}.`,
  );
}

/** What a delivery calls the event, where the operation says so. */
function valueOf({ extensions, operationId, summary }: WebhookBody, { event }: ContractForm): string | undefined {
  if (event.value === undefined) return undefined;
  const value = namesIn(`#${event.value}`).reduce<unknown>(
    (found, name) => (isRecord(found) ? found[name] : undefined),
    { ...extensions, operationId, summary },
  );
  return typeof value === 'string' ? value : undefined;
}

/** The schema of a body with further ones that it has to satisfy. What it refers to stays in its own `$defs`. */
function lazily(body: WebhookBody, parts: readonly JsonSchema[], compile: Compile) {
  let made: { readonly schema: JsonSchema; readonly validate: ValidateFunction } | undefined;
  const make = () => {
    if (parts.length === 0) return body;
    const own = objectOf(body.schema);
    const schema = { ...own, allOf: [...(own.allOf ?? []), ...parts] };
    return compile(`the webhook ${body.key}`, schema);
  };
  return () => (made ??= make());
}

/** The texts that a schema lists at a JSON Pointer, also behind references, and within an `allOf`; those of the part that lists least. */
function textsAt(schema: JsonSchema, pointer: string): readonly string[] {
  const within = (part: unknown, names: readonly string[], entered: readonly string[]): readonly string[] => {
    if (!isRecord(part)) return [];
    const [name, ...deeper] = names;
    const own = name === undefined ? listedTexts(part) : within(memberSchema(part, name), deeper, entered);
    const reference = part['$ref'];
    const behind =
      typeof reference === 'string' && !entered.includes(reference)
        ? within(pointed(schema, reference), names, [...entered, reference])
        : [];
    const parts = Array.isArray(part['allOf']) ? (part['allOf'] as unknown[]) : [];
    const all = [own, behind, ...parts.map((each) => within(each, names, entered))].filter(({ length }) => length > 0);
    return all.toSorted((one, other) => one.length - other.length)[0] ?? [];
  };
  return within(schema, pointer === '' ? [] : namesIn(`#${pointer}`), []);
}

/** The schema of a member, or of an item where a list stands. */
function memberSchema({ properties, prefixItems, items }: Mapping, name: string): unknown {
  const own = mapping(properties)[name];
  if (own !== undefined || !isIndex(name)) return own;
  return (Array.isArray(prefixItems) ? (prefixItems as unknown[])[Number(name)] : undefined) ?? items;
}

/** Whether a name of a pointer counts the items of a list. */
function isIndex(name: string): boolean {
  return /^(0|[1-9]\d{0,3})$/.test(name);
}

function listedTexts({ const: constant, enum: values }: Mapping): readonly string[] {
  const all = constant === undefined && Array.isArray(values) ? (values as unknown[]) : [constant];
  return all.every((each) => typeof each === 'string') ? all : [];
}

/** Marks what was added to a schema, for those who look for what a document says itself. */
export const addedName = 'the name of the event, which the document does not give here';

/** The schema of an object, or of a list where the place has a number, that holds this text at this place. */
function constantSchema(pointer: string, value: string): JsonSchema {
  return namesIn(`#${pointer}`).reduceRight<JsonSchema>(
    (inner, name) =>
      isIndex(name)
        ? {
            type: 'array',
            minItems: Number(name) + 1,
            prefixItems: [...Array.from({ length: Number(name) }, () => true), inner],
          }
        : { type: 'object', required: [name], properties: { [name]: inner } },
    { $comment: addedName, const: value },
  );
}

/** Two webhooks of one name have that of their entry added. */
function distinct(events: readonly CatalogueEvent[]): readonly CatalogueEvent[] {
  const counts = Map.groupBy(events, ({ name }) => name);
  const isTaken = ({ name }: CatalogueEvent): boolean => (counts.get(name)?.length ?? 0) > 1;
  return events.map((event) => (isTaken(event) ? renamed(event) : event));
}

/** A copy that still reads its schema when it is first asked for. */
function renamed(event: CatalogueEvent): CatalogueEvent {
  return Object.create(event, {
    name: { value: `${event.name} (${event.operationId})`, enumerable: true },
  }) as CatalogueEvent;
}

function acceptedBy(
  { acceptedStatuses }: DeclaredTerms,
  bodies: readonly WebhookBody[],
): Catalogue['acceptedStatuses'] {
  const declared = bodies.flatMap(({ responses }) => responses.filter((status) => /^2\d\d$/.test(status)).map(Number));
  const [first, ...others] = acceptedStatuses ?? [...new Set(declared)].toSorted((a, b) => a - b);
  return first === undefined ? [200, ...Array.from({ length: 99 }, (_, index) => 201 + index)] : [first, ...others];
}
