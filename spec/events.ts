import { ContractError, type DocumentWarning } from './contractError.ts';
import type { Compile, ValidateFunction } from './compile.ts';
import type { ContractForm } from './contractForm.ts';
import type { DeclaredTerms } from './delivery.ts';
import { type Dereference, namesIn } from './pointer.ts';
import { type JsonSchema, isRecord, type Mapping, mapping } from './jsonSchema.ts';

/** An event of the catalogue: what its notification looks like and what comes along with it. */
export interface CatalogueEvent {
  /** Its name, exactly; no other event of the contract has it. */
  readonly name: string;
  /** What a delivery calls it. Several events may be called the same, where their bodies distinguish them. */
  readonly value: string;
  /** The group of the catalogue that it belongs to. */
  readonly group: string;
  readonly operationId: string;
  /** JSON Schema 2020-12 of this event's notification, references written out inline. */
  readonly schema: JsonSchema;
  /** Says whether a value is such a notification; reports every error. */
  readonly validate: ValidateFunction;
  /** The resources that accompany it. */
  readonly included: readonly IncludedResource[];
  /**
   * Warns of a part of its schema that cannot be honoured, which is left out then. Without it, such a part is an error.
   *
   * @param place - where in the schema: `/properties/id/pattern`
   */
  readonly report?: (place: string, problem: Omit<DocumentWarning, 'pointer'>) => void;
}

/** The events of a contract, and the statuses that accept them. */
export interface Catalogue {
  readonly events: readonly [CatalogueEvent, ...CatalogueEvent[]];
  readonly acceptedStatuses: readonly [number, ...number[]];
}

/** What the events of a contract are read from. */
interface EventSources {
  /** The document's, references written out inline. */
  readonly webhooks: unknown;
  readonly dereference: Dereference;
  readonly terms: DeclaredTerms;
  readonly compile: Compile;
}

/**
 * Every `webhooks` entry of a document, in the order of its catalogue where it has one.
 *
 * @throws ContractError for an event without an entry or schema, an entry without an event, two for one event, ...
 */
export function documentEvents(form: ContractForm, { webhooks, dereference, terms, compile }: EventSources): Catalogue {
  const entries = Object.entries(mapping(webhooks));
  const statuses: (readonly number[])[] = [];
  const events = entries.map(([key, entry]) => {
    const operation = operationOf(key, entry, terms.method);
    if (terms.acceptedStatuses === undefined) statuses.push(statusesOf(key, operation));
    return eventOf(key, operation, terms, compile);
  });
  refuseDuplicates(events);
  const keys = entries.map(([key]) => key);
  return {
    events: someOf(inOrder(events, catalogueOf(form, dereference)), 'events'),
    acceptedStatuses: someOf(terms.acceptedStatuses ?? agreed(keys, statuses), 'accepting statuses'),
  };
}

function eventOf(key: string, operation: Mapping, terms: DeclaredTerms, compile: Compile): CatalogueEvent {
  const compiled = compile(`the webhook ${key}`, schemaOf(key, operation, terms.mediaType));
  const { schema } = compiled;
  const { operationId, tags } = operation;
  const { event: pointer = '' } = terms.members;
  const name = constantAt(schema, pointer);
  if (typeof name !== 'string') {
    throw new ContractError(
      'contract/event-unknown',
      `The schema of the webhook ${key} does not say which event it describes: ${pointer} needs a const. Add it.`,
    );
  }
  const group: unknown = Array.isArray(tags) && tags.length === 1 ? tags[0] : undefined;
  if (typeof group !== 'string') throw incomplete(key, `has the tags ${JSON.stringify(tags)}`, 'one tag, its group');
  if (typeof operationId !== 'string') throw incomplete(key, 'has no operationId', 'a name that is its own');
  const included = parseIncluded(name, operation['x-included'], compile);
  return {
    name,
    value: name,
    group,
    operationId,
    schema,
    get validate() {
      return compiled.validate;
    },
    included,
  };
}

function operationOf(key: string, entry: unknown, method: string): Mapping {
  const operation = mapping(entry)[method.toLowerCase()];
  if (isRecord(operation)) return operation;
  throw incomplete(
    key,
    `has no ${method} operation`,
    `an operation of the method of the contract's deliveries (${method})`,
  );
}

function schemaOf(key: string, operation: Mapping, mediaType: string): unknown {
  const content = mapping(mapping(operation['requestBody'])['content']);
  const schema = mapping(content[mediaType])['schema'];
  if (typeof schema === 'boolean' || isRecord(schema)) return schema;
  throw new ContractError(
    'contract/event-without-schema',
    `The webhook ${key} has no schema for ${mediaType}; each event needs one at requestBody.content. Add it.`,
  );
}

function statusesOf(key: string, operation: Mapping): readonly number[] {
  const declared = Object.keys(mapping(operation['responses']));
  if (declared.length > 0 && declared.every((status) => /^[1-5]\d\d$/.test(status))) {
    return declared.map(Number).toSorted((a, b) => a - b);
  }
  throw incomplete(
    key,
    `declares the responses "${declared.join(', ')}"`,
    'each status that ends a delivery, in three digits',
  );
}

function agreed(keys: readonly string[], statuses: readonly (readonly number[])[]): readonly number[] {
  const [first = []] = statuses;
  const other = statuses.findIndex((each) => each.join() !== first.join());
  if (other === -1) return first;
  throw incomplete(keys[other] ?? '', `declares other responses than ${keys[0]}`, `${first.join(', ')}, as there`);
}

/**
 * The catalogue of a document: the enumeration that `event.catalogue` leads to, or nothing where the contract names none.
 *
 * @throws ContractError (`contract/delivery`) where it leads to something else
 */
function catalogueOf({ event }: ContractForm, dereference: Dereference): readonly string[] | undefined {
  if (event.catalogue === undefined) return undefined;
  const names = mapping(dereference({ $ref: event.catalogue }))['enum'];
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
  throw new ContractError(
    'contract/delivery',
    '/event/catalogue leads to no schema with an enum of event names. Point it at the one that lists the events.',
  );
}

function someOf<T>([first, ...others]: readonly T[], what: string): readonly [T, ...T[]] {
  if (first !== undefined) return [first, ...others];
  throw new ContractError(
    'contract/event',
    `The document has no ${what}. Add an entry below webhooks for each event, with the statuses that accept it.`,
  );
}

function inOrder(events: readonly CatalogueEvent[], names: readonly string[] | undefined): readonly CatalogueEvent[] {
  if (names === undefined) return events;
  const stray = events.find(({ name }) => !names.includes(name));
  if (stray !== undefined) {
    throw new ContractError(
      'contract/event-unknown',
      `The webhook ${stray.operationId} describes the event ${stray.name}, which the catalogue does not list. Correct its name, or add it to the catalogue.`,
    );
  }
  return names.map((name) => {
    const event = events.find((each) => each.name === name);
    if (event !== undefined) return event;
    throw new ContractError(
      'contract/event-without-schema',
      `The catalogue lists ${name}, but no webhooks entry has a schema for it. Add the entry.`,
    );
  });
}

function refuseDuplicates(events: readonly CatalogueEvent[]): void {
  for (const member of ['name', 'operationId'] as const) {
    const values = events.map((event) => event[member]);
    const twice = values.find((value, index) => values.indexOf(value) !== index);
    if (twice === undefined) continue;
    throw new ContractError(
      'contract/event-duplicate',
      `Two webhooks entries have the ${member === 'name' ? 'event' : member} ${twice}; each may stand there once. Correct or remove one.`,
    );
  }
}

/** The `const` that a schema gives to the member at a JSON Pointer, also where it stands within an `allOf`. */
function constantAt(schema: JsonSchema, pointer: string): unknown {
  return within(schema, namesIn(`#${pointer}`));
}

function within(schema: unknown, names: readonly string[]): unknown {
  if (!isRecord(schema)) return undefined;
  const [name, ...deeper] = names;
  const own = name === undefined ? schema['const'] : within(mapping(schema['properties'])[name], deeper);
  if (own !== undefined) return own;
  const parts = Array.isArray(schema['allOf']) ? (schema['allOf'] as unknown[]) : [];
  return parts.map((part) => within(part, names)).find((value) => value !== undefined);
}

function incomplete(key: string, what: string, valid: string): ContractError {
  return new ContractError('contract/event', `The webhook ${key} ${what}; valid is ${valid}. Correct that entry.`);
}

/** A kind of resource that accompanies an event. */
export interface IncludedResource {
  /** Its `type`, for example `container`. */
  readonly type: string;
  /** JSON Schema 2020-12 of one such resource, references written out inline. */
  readonly schema: JsonSchema;
  readonly validate: ValidateFunction;
  /** How many of them come along at least. */
  readonly least: number;
  /** How many of them come along at most, when a notification is of usual size. */
  readonly most: number;
  /** True where there may be more than one. */
  readonly many: boolean;
}

/**
 * Reads an `x-included` extension, whose references are written out inline: a list of `{ schema, least, most }`. The
 * schema must fix the resource's `type` with a `const`.
 *
 * @throws ContractError (`contract/included`) for anything else
 */
function parseIncluded(event: string, value: unknown, compile: Compile): readonly IncludedResource[] {
  if (!Array.isArray(value)) throw invalid(event, `is ${JSON.stringify(value) ?? 'missing'}`);
  return value.map((row: unknown) => {
    if (!isRecord(row)) throw invalid(event, `holds ${JSON.stringify(row)}`);
    const { schema, least = 0, most = 1 } = row;
    if (!isCount(least) || !isCount(most) || most < least) {
      throw invalid(event, `counts from ${JSON.stringify(least)} to ${JSON.stringify(most)}`);
    }
    const type = typeOf(schema);
    if (type === undefined) throw invalid(event, "has a schema that does not fix the resource's type with a const");
    const compiled = compile(`the resource ${type} of ${event}`, schema);
    return {
      type,
      schema: compiled.schema,
      get validate() {
        return compiled.validate;
      },
      least,
      most,
      many: most > 1,
    };
  });
}

function typeOf(schema: unknown): string | undefined {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  const type = isRecord(properties) ? properties['type'] : undefined;
  const fixed = isRecord(type) ? type['const'] : undefined;
  return typeof fixed === 'string' ? fixed : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function invalid(event: string, what: string): ContractError {
  return new ContractError(
    'contract/included',
    `The x-included of ${event} ${what}; valid is a list of { schema, least, most }, each schema with a const as its type. Write down which resources accompany the event ([] where none do).`,
  );
}
