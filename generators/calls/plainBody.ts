import fc, { type Arbitrary } from 'fast-check';

import type { Contract, JsonSchema, SchemaObject } from '../../spec/contract.ts';
import { isRecord } from '../../spec/jsonSchema.ts';
import { below, parentOf } from '../../spec/pointer.ts';
import { settable, type WebhookMember } from '../../spec/serviceTerms.ts';
import { fromPointer, toPointer, valueAt } from '../json/jsonPointer.ts';
import type { Json } from '../json/json.ts';
import { schemaArbitrary, UnsupportedSchema } from '../schema/schemaArbitrary.ts';
import { schemasAt } from '../schema/schemaReference.ts';

/** The calls whose body is a webhook. */
type Writing = 'create' | 'update';

/** A place in a body, and what a plain call sends there. */
type PlainMember = readonly [pointer: string, value: Json];

/**
 * Whether a call takes this member of a webhook, as far as the contract's schema shows: some services let a client set it by
 * an update alone. A schema that does not describe the url either shows nothing.
 */
export function isTakenBy(contract: Contract, role: Writing, name: WebhookMember): boolean {
  const { wrapper = '', members } = contract.service?.webhook ?? {};
  const schema = bodySchema(contract, role);
  const isDescribed = (place: string): boolean => {
    const schemas = schemasAt(schema, wrapper + place);
    return schemas.length > 0 && !schemas.some(isReadOnly);
  };
  const place = members?.[name];
  return members !== undefined && place !== undefined && (isDescribed(place) || !isDescribed(members.url));
}

/** Whether the answer to a creation shows this member, as far as its schema shows: one that describes no id shows nothing. */
export function isShownBy(contract: Contract, name: WebhookMember): boolean {
  const { answer, members } = contract.service!.webhook;
  const operation = contract.operations.find(({ operationId }) => operationId === contract.service?.operations.create);
  const [content = {}] = Object.entries(operation?.responses ?? {}).flatMap(([status, each]) =>
    status.startsWith('2') ? [each] : [],
  );
  const schema = Object.values(content)[0]?.schema ?? true;
  const isDescribed = (place = ''): boolean => schemasAt(schema, answer + place).length > 0;
  return isDescribed(members[name]) || !isDescribed(members.id);
}

/**
 * What the body of a call has to hold beside what the contract places in a webhook: a name, a version. Each has the first
 * example, default or value that its schema names, else the smallest valid one.
 *
 * @example requiredElse(contract, 'create') // [['/name', 'seaworthy']]
 */
export function requiredElse(contract: Contract, role: Writing): readonly PlainMember[] {
  return others(contract, role).filter((each): each is PlainMember => each[1] !== undefined);
}

/** The same for creations that are generated, and null for what they need not hold: nobody looks at it. */
export function plainElse(contract: Contract): Readonly<Record<string, Arbitrary<Json> | null>> {
  const { wrapper, members } = contract.service?.webhook ?? {};
  const secret = givenSecret(contract);
  return {
    ...Object.fromEntries(
      others(contract, 'create').map(([pointer, value]) => [pointer, value === undefined ? null : fc.constant(value)]),
    ),
    ...(secret && { [`${wrapper}${members?.secret}`]: secret }),
  };
}

/** A secret for a webhook, where a call takes one instead of the service making it: a key as the contract's signatures need it. */
export function givenSecret(contract: Contract, role: Writing = 'create'): Arbitrary<string> | undefined {
  if (!isTakenBy(contract, role, 'secret')) return undefined;
  const { encoding, prefix = '' } = contract.delivery.signature?.key ?? { encoding: 'utf8' };
  const { wrapper, members } = contract.service!.webhook;
  const schemas = schemasAt(bodySchema(contract, role), `${wrapper}${members.secret}`);
  const length = lengthWithin(schemas);
  if (encoding === 'utf8' && (length === undefined || schemas.some(({ pattern }) => pattern !== undefined)))
    return schemaArbitrary({ allOf: [...schemas, { type: 'string' }] }, { passOver: () => {} }) as Arbitrary<string>;
  const [coding, size] = encoding === 'base64' ? (['base64', 24] as const) : (['hex', (length ?? 48) / 2] as const);
  const bytes = fc.uint8Array({ minLength: Math.ceil(size), maxLength: Math.ceil(size) });
  return bytes.map(
    (key) =>
      prefix +
      Buffer.from(key)
        .toString(coding)
        .slice(0, coding === 'hex' ? size * 2 : undefined),
  );
}

/** How many characters a plain secret has where these schemas bound it; nothing where they take none that is long enough to be one. */
function lengthWithin(schemas: readonly SchemaObject[]): number | undefined {
  const least = Math.max(...schemas.map(({ minLength = 0 }) => minLength), 0);
  const most = Math.min(...schemas.map(({ maxLength = Infinity }) => maxLength));
  const length = Math.min(Math.max(48, least), most);
  return length < 8 || length < least ? undefined : length;
}

type OtherMember = readonly [pointer: string, value: Json | undefined];

function others(contract: Contract, role: Writing): readonly OtherMember[] {
  const known = made.get(contract) ?? {};
  made.set(contract, known);
  return (known[role] ??= otherMembers(contract, role));
}

const made = new WeakMap<Contract, Partial<Record<Writing, readonly OtherMember[]>>>();

/** Whether the object that holds this place of a webhook has to have it in this body. */
export function isRequired(contract: Contract, role: Writing, place: string): boolean {
  const { wrapper = '' } = contract.service?.webhook ?? {};
  const names = requiredIn(bodySchema(contract, role), wrapper + parentOf(place));
  return names.some((name) => below(parentOf(place), name) === place);
}

/** With a value those that are required. */
function otherMembers(contract: Contract, role: Writing): readonly OtherMember[] {
  const { wrapper = '', members } = contract.service?.webhook ?? {};
  if (members === undefined) return [];
  const schema = bodySchema(contract, role);
  const places = Object.values(members).map((place) => wrapper + place);
  const isKnown = (pointer: string): boolean => places.some((place) => `${place}/`.startsWith(`${pointer}/`));
  const secret = isTakenBy(contract, role, 'secret') ? [wrapper + (members.secret ?? members.url)] : [];
  const set = settable.map((name) => wrapper + (members[name] ?? members.url));
  const found = holdersOf([...set, ...secret]).flatMap((holder) => {
    const required = requiredIn(schema, holder).map((name) => below(holder, name));
    const optional = schemasAt(schema, holder).flatMap(({ properties = {} }) => Object.keys(properties));
    const names = new Set([...required, ...optional.map((name) => below(holder, name))]);
    return [...names].map((pointer) => ({ pointer, isRequired: required.includes(pointer) }));
  });
  const unknown = found.filter(({ pointer }) => !isKnown(pointer));
  const needed = unknown.filter((each) => each.isRequired && !schemasAt(schema, each.pointer).some(isReadOnly));
  const smallest = needed.length > 0 ? smallestOf(schema) : null;
  return unknown.map((each) => {
    const { pointer } = each;
    const value =
      named(schemasAt(schema, pointer)) ??
      valueAt(smallest, pointer) ??
      smallestOf({ allOf: schemasAt(schema, pointer) });
    return [pointer, needed.includes(each) ? value : undefined];
  });
}

/** What these places stand in, the outermost first. */
function holdersOf(places: readonly string[]): readonly string[] {
  const ways = places.map((place) => fromPointer(parentOf(place)));
  const holders = ways.flatMap((way) => [...way, ''].map((_, depth) => toPointer(way.slice(0, depth))));
  return [...new Set(holders)].toSorted((one, other) => fromPointer(one).length - fromPointer(other).length);
}

function bodySchema({ service, operations }: Contract, role: Writing): JsonSchema {
  const operation = operations.find(({ operationId }) => operationId === service?.operations[role]);
  return Object.values(operation?.request ?? {})[0]?.schema ?? true;
}

function requiredIn(schema: JsonSchema, holder: string): readonly string[] {
  return [...new Set(schemasAt(schema, holder).flatMap(({ required = [] }) => required))];
}

type Annotated = SchemaObject & Readonly<Record<'readOnly' | 'example' | 'examples' | 'default', unknown>>;

function isReadOnly(schema: SchemaObject): boolean {
  return (schema as Annotated).readOnly === true;
}

/** A value that a schema names; for a text of any kind a word. */
function named(schemas: readonly SchemaObject[]): Json | undefined {
  for (const schema of schemas) {
    const { examples, example, default: usual } = schema as Annotated;
    const [value] = [...(Array.isArray(examples) ? (examples as unknown[]) : []), example, usual].filter(
      (each) => each !== undefined && each !== null,
    );
    if (value !== undefined && !isRecord(examples)) return value as Json;
  }
  const isWord = schemas.every(({ type, format, pattern, enum: values, maxLength = word.length, minLength = 0 }) => {
    const isOpen = format === undefined && pattern === undefined && values === undefined;
    return isOpen && [type].flat().includes('string') && maxLength >= word.length && minLength <= word.length;
  });
  return isWord && schemas.length > 0 ? word : undefined;
}

const word = 'seaworthy';

/** Nothing where no value is valid. */
function smallestOf(schema: JsonSchema): Json {
  try {
    const { counterexample } = fc.check(
      fc.property(schemaArbitrary(schema, { passOver: () => {} }), () => false),
      { numRuns: 1, seed: 1 },
    );
    return (counterexample as [Json] | null)?.[0] ?? null;
  } catch (error) {
    if (error instanceof UnsupportedSchema) return null;
    throw error;
  }
}
