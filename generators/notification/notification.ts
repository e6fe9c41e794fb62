import fc, { type Arbitrary } from 'fast-check';

import type { CatalogueEvent, Contract, IncludedResource } from '../../spec/contract.ts';
import type { Json, JsonObject } from '../json/json.ts';
import { valueAt, withPointer } from '../json/jsonPointer.ts';
import { schemaArbitrary, type SchemaArbitraryOptions } from '../schema/schemaArbitrary.ts';
import { schemasAt, valuesAt, surelyAt } from '../schema/schemaReference.ts';
import type { TextKind } from '../schema/text.ts';
import { stringsOf } from '../contracts/index.ts';
import type { TimestampForm } from '../schema/timestamp.ts';
import { withObject } from './withObject.ts';
import { parentOf } from '../../spec/pointer.ts';

/** A notification: the event that it names, and the whole body. Its id is a placeholder that `withId` replaces. */
export interface Notification {
  readonly event: string;
  readonly value: Json;
}

/** Constraints of {@link notification}. */
export interface NotificationOptions {
  /** `ascii` (default): letters, digits and little else. `unicode`: all of Unicode that I-JSON allows. Else: see `text`. */
  readonly text?: TextKind;
  /** Whether U+0000 may appear in unicode text. Default: false. */
  readonly nul?: boolean;
  /** `plain` (default): decimals with up to seven digits of a fraction. `any`: all finite doubles. */
  readonly numbers?: 'plain' | 'any';
  /**
   * The related resources. `plausible` (default): as many of each type as the contract says. `empty`: an empty list.
   * `absent`: no list, where the schema lets it be left out. `none`: either. `bytes`: so many that compact JSON has this many bytes, never more; where the number is too small for
   * the rest of the body, there are none. Where it says `of` which character they are, it is one text of that character that
   * makes the list so long, rather than more resources.
   */
  readonly included?: 'none' | 'empty' | 'absent' | 'plausible' | { readonly bytes: number; readonly of?: string };
  /** The delivery status. Default: what `statuses` says. */
  readonly status?: string;
  /** `pending` (default): the first status that the contract lists, that of a new notification. `any`: each of them. */
  readonly statuses?: 'pending' | 'any';
  /** `plain` (default): timestamps in whole seconds. `any`: with 0 to 6 digits of a fraction. A number: just as many. */
  readonly timestamps?: TimestampForm;
}

/**
 * For notifications of one event: valid for its schema, and survive `JSON.stringify` and `JSON.parse` unchanged.
 *
 * Building the arbitrary takes some milliseconds, drawing from it some ten microseconds: keep it. Shrinks to the
 * smallest resources that the contract names, with zeros and short texts.
 *
 * @throws UnsupportedSchema where the contract's schemas hold what cannot be generated
 * @example notification(contract, contract.events[0], { included: { bytes: 65_536 } })
 */
export function notification(
  contract: Contract,
  event: CatalogueEvent,
  options: NotificationOptions = {},
): Arbitrary<Notification> {
  const { included = 'plausible' } = options;
  const hasResources = included === 'plausible' || typeof included === 'object';
  const bodies = hasResources ? withResources(contract, event, options) : withoutResources(contract, event, options);
  return bodies.map((value) => ({ event: event.name, value }));
}

function withResources(contract: Contract, event: CatalogueEvent, options: NotificationOptions): Arbitrary<Json> {
  const { included: pointer } = contract.delivery.members;
  const resources = relatedResources(event.included, choices(contract, options));
  const bodies = envelope(contract, event, options, resources);
  const { included } = options;
  if (typeof included !== 'object' || pointer === undefined) return bodies;
  return bodies.map((body) => padded(body, pointer, (valueAt(body, pointer) ?? []) as readonly JsonObject[], included));
}

function withoutResources(contract: Contract, event: CatalogueEvent, options: NotificationOptions): Arbitrary<Json> {
  const { included: pointer } = contract.delivery.members;
  const empty = envelope(contract, event, options, fc.constant([]));
  if (pointer === undefined) return empty;
  const [parent, name] = [parentOf(pointer), pointer.slice(pointer.lastIndexOf('/') + 1)];
  const isRequired = schemasAt(event.schema, parent).some(({ required = [] }) => required.includes(name));
  if (isRequired || options.included === 'empty') return empty;
  const absent = envelope(contract, event, options, null);
  return options.included === 'absent' ? absent : fc.oneof(absent, empty);
}

/** The body with this list of resources; null leaves the list out. */
function envelope(
  contract: Contract,
  event: CatalogueEvent,
  options: NotificationOptions,
  resources: Arbitrary<Json> | null,
): Arbitrary<Json> {
  const { id, included, status } = contract.delivery.members;
  const statuses = status === undefined ? undefined : statusesOf(event, status, options);
  return schemaArbitrary(id === undefined ? event.schema : surelyAt(event.schema, id), {
    ...choices(contract, options),
    ...leniently(event),
    members: {
      ...(included !== undefined && { [included]: resources }),
      ...(status !== undefined && statuses && { [status]: fc.constantFrom(...statuses) }),
    },
  });
}

/** Parts of somebody else's schema that cannot be honoured are left out of the bodies, and reported. */
function leniently({ report }: CatalogueEvent): Pick<SchemaArbitraryOptions, 'passOver' | 'nestedItems'> {
  if (report === undefined) return {};
  return {
    nestedItems: 2,
    passOver: ({ pointer, keyword, received }) => {
      const message = `No values can be generated for ${keyword}: ${received}. Bodies are generated without this part and what requires it.`;
      report(pointer, { keyword, effect: 'narrowed', message });
    },
  };
}

function statusesOf(
  event: CatalogueEvent,
  pointer: string,
  { status, statuses = 'pending' }: NotificationOptions,
): readonly Json[] | undefined {
  if (status !== undefined) return [status];
  const listed = valuesAt(event.schema, pointer);
  return statuses === 'any' ? listed : listed?.slice(0, 1);
}

function choices(
  contract: Contract,
  { text, nul, timestamps, numbers = 'plain' }: NotificationOptions,
): SchemaArbitraryOptions {
  return {
    numbers,
    strings: stringsOf(contract),
    ...(text !== undefined && { text }),
    ...(nul !== undefined && { nul }),
    ...(timestamps !== undefined && { timestamps }),
  };
}

/** What stands around the padding of a resource, in bytes: `,"meta":{"padding":""}`. */
const wrapping = Buffer.byteLength(',"meta":{"padding":""}');

/**
 * A copy of a body whose list of resources is longer or shorter, so that its compact JSON has at most this many bytes,
 * and that many exactly where the list can be made longer.
 *
 * Resources are repeated under ids of their own; what is then missing is text in the `meta` of the last one (JSON:API
 * 1.1, 5.6). A body that is too large loses resources; without any, it stays as it is.
 *
 * @param pointer - where the list of resources stands
 * @param size - how many bytes; `of`: the character that all of the padding consists of
 */
function padded(
  body: Json,
  pointer: string,
  resources: readonly JsonObject[],
  { bytes, of }: { readonly bytes: number; readonly of?: string },
): Json {
  const sizes = resources.map((resource) => sizeOf(resource) + 1);
  const room = bytes - sizeOf(withPointer(body, pointer, []));
  const kept = fitting(sizes, room + 1);
  const list: JsonObject[] = resources.slice(0, kept);
  let left = room + 1 - sum(sizes.slice(0, kept));
  const last = resources.at(-1);
  const step = sizes.at(-1) ?? 0;
  if (kept < resources.length || last === undefined) return withPointer(body, pointer, list);
  if (of === undefined)
    for (let copy = 1; left >= step + wrapping; copy += 1, left -= step) list.push(repeated(last, copy));
  if (left >= wrapping) list.push(withPadding(list.pop() as JsonObject, left - wrapping, of));
  return withPointer(body, pointer, list);
}

/** How many of them, from the first on, have room; each counts with the comma after it, the last one's comma is free. */
function fitting(sizes: readonly number[], room: number): number {
  let left = room;
  const tooLarge = sizes.findIndex((size) => (left -= size) < 0);
  return tooLarge < 0 ? sizes.length : tooLarge;
}

/** The same resource under another uuid: the digits at the end count on, so its length stays the same. */
function repeated(resource: JsonObject, copy: number): JsonObject {
  const { id } = resource;
  if (typeof id !== 'string' || id.length < 12) return resource;
  const next = (Number.parseInt(id.slice(-12), 16) + copy) % 2 ** 48;
  return { ...resource, id: id.slice(0, -12) + next.toString(16).padStart(12, '0') };
}

/** A text of this many bytes: what a character does not fill are letters. */
function withPadding(resource: JsonObject, length: number, character = 'a'): JsonObject {
  const width = Buffer.byteLength(character);
  const padding = character.repeat(Math.floor(length / width)) + 'a'.repeat(length % width);
  return { ...resource, meta: { padding } };
}

function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * A copy of the notification with another id, where its body holds the id: as a number where the schema has one there. What
 * the two have in common is shared.
 *
 * @param about - the object that it is about, where the contract has a place for that. Default: one that the id decides about
 * @throws RangeError where the contract's place for the id is not in this body
 */
export function withId(contract: Contract, notification: Notification, id: string, about?: string): Notification {
  const { id: pointer, object } = contract.delivery.members;
  const value = object === undefined ? notification.value : withObject(notification.value, object, { id, about });
  if (pointer === undefined) return { ...notification, value };
  const isNumber = typeof valueAt(value, pointer) === 'number' && String(Number(id)) === id;
  return { ...notification, value: withPointer(value, pointer, isNumber ? Number(id) : id) };
}

/** A copy of the notification that names another event, also in its body where the event stands there. */
export function withEvent(contract: Contract, { value }: Notification, event: string): Notification {
  const { event: pointer } = contract.delivery.members;
  return { event, value: pointer === undefined ? value : withPointer(value, pointer, event) };
}

/** A resource as JSON:API identifies it (JSON:API 1.1, 5.3). */
interface Identified extends JsonObject {
  readonly type: string;
  readonly id: string;
}

/**
 * For the resources that accompany an event, as many of each type as the contract says, no two with the same identity.
 *
 * The first one refers to all others and each of them refers to it, by `relationships` (JSON:API 1.1, 7.2.2). Shrinks
 * to the fewest resources of each type, with what their schemas require.
 */
function relatedResources(
  included: readonly IncludedResource[],
  options: SchemaArbitraryOptions,
): Arbitrary<readonly JsonObject[]> {
  return fc.tuple(...included.map((kind) => resources(kind, options))).map((groups) => related(groups.flat()));
}

function resources(
  { schema, least, most }: IncludedResource,
  options: SchemaArbitraryOptions,
): Arbitrary<readonly Identified[]> {
  return fc.uniqueArray(resourceOf(schema, options), {
    minLength: least,
    maxLength: most,
    selector: ({ id }) => id,
    size: 'max',
  });
}

/** What was compiled of a schema, with the options it was compiled with: many events bring the same few resources. */
const compiled = new WeakMap<
  object,
  { readonly options: SchemaArbitraryOptions; readonly resource: Arbitrary<Identified> }[]
>();

function resourceOf(schema: IncludedResource['schema'], options: SchemaArbitraryOptions): Arbitrary<Identified> {
  if (typeof schema === 'boolean') return schemaArbitrary(schema, options) as Arbitrary<Identified>;
  const all = compiled.get(schema) ?? [];
  compiled.set(schema, all);
  const known = all.find((each) => isSame(each.options, options));
  if (known) return known.resource;
  const resource = schemaArbitrary(schema, options) as Arbitrary<Identified>;
  all.push({ options, resource });
  return resource;
}

function isSame(one: SchemaArbitraryOptions, other: SchemaArbitraryOptions): boolean {
  const entries = Object.entries(other);
  return Object.keys(one).length === entries.length && entries.every(([name, value]) => Object(one)[name] === value);
}

function related(resources: readonly Identified[]): readonly JsonObject[] {
  const [first, ...others] = resources;
  if (first === undefined || others.length === 0) return resources;
  return [withRelationships(first, others), ...others.map((other) => withRelationships(other, [first]))];
}

function withRelationships(resource: Identified, others: readonly Identified[]): JsonObject {
  const byType = Object.entries(Object.groupBy(others, ({ type }) => type));
  const relationships = byType.map(([type, all = []]) => {
    const identifiers: readonly Json[] = all.map(({ id }) => ({ type, id }));
    return [type, { data: identifiers.length === 1 ? (identifiers[0] as Json) : identifiers }] as const;
  });
  return { ...resource, relationships: Object.fromEntries(relationships) };
}
