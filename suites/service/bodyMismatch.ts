import { isUtf8 } from 'node:buffer';

import { isJsonObject } from '../../generators/json/json.ts';
import { valueAt } from '../../generators/json/jsonPointer.ts';
import type { Caught, DeliveryReader } from '../exchange.ts';
import { formText, hasForm, placeOf } from '../../spec/delivery.ts';
import type { Contract } from '../../spec/contract.ts';
import type { RequirementId } from '../../spec/names.ts';
import { sameUrl } from './creation.ts';
import { utcTime } from './utcTime.ts';
import { parentOf } from '../../spec/pointer.ts';
import { tellingError } from '../../spec/schemaErrors.ts';

/** Sections 1 and 4.4: a push is a POST. @returns nothing where the request has the method of deliveries */
export function methodMismatch({ contract: { delivery } }: DeliveryReader, { method }: Caught): Mismatch | undefined {
  if (method === delivery.method) return undefined;
  return { expected: `the delivery is a ${delivery.method}`, actual: `it is a ${method}` };
}

/** Section 4.4 with GAP-23: JSON, whole, and said to be JSON. @returns nothing where it is */
export function jsonMismatch(kit: DeliveryReader, caught: Caught): Mismatch | undefined {
  const mediaType = kit.header(caught, 'Content-Type');
  const isSaid = mediaType !== undefined && isJson(mediaType);
  if (kit.deliveredJson(caught) === undefined) {
    const coding = kit.header(caught, 'Content-Encoding');
    const said = [!isSaid && mediaType, coding && `Content-Encoding ${coding}`].filter(Boolean).join(', ');
    const actual =
      caught.bytes < 0
        ? 'the body broke off before the length that was announced'
        : `the ${caught.bytes} bytes that came ${endsWithin(caught.body) ? 'end before their JSON does' : 'are no JSON'}${said === '' ? '' : `, but ${said}`}`;
    return { expected: 'the body is JSON', actual };
  }
  // RFC 8259, 8.1.
  if (!isUtf8(caught.body)) return { expected: 'the body is JSON in UTF-8', actual: 'its bytes are no UTF-8' };
  if (isSaid) return undefined;
  const actual = mediaType === undefined ? 'there is no Content-Type' : `the Content-Type is ${mediaType}`;
  return { expected: 'the Content-Type is a JSON media type', actual };
}

/** Whether it is the beginning of JSON, as where Content-Length counts characters instead of bytes. */
function endsWithin(body: Buffer): boolean {
  const text = body.toString();
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    return text !== '' && (String(error).includes('Unexpected end') || Number(position) === text.length);
  }
}

/** RFC 6839, 3.1: application/json, or anything that ends in +json. */
function isJson(mediaType: string): boolean {
  return /^\s*(application\/json|text\/json|[^\s/;]+\/[^\s;]*\+json)\s*(;|$)/i.test(mediaType);
}

/**
 * Section 1: what is registered is where deliveries go, query included. Parameters may be in any order, and written with
 * other escapes.
 *
 * @param query - what follows the path of the registered URL: `?tenant=a%2Fb`
 * @returns nothing where the request has them all, and no others
 */
export function queryMismatch({ path }: Caught, query: string): Mismatch | undefined {
  const expected = `the delivery goes to the registered URL, ${query === '' ? 'which has no query' : `with its query ${query}`}`;
  // RFC 9112, 3.2.1: a request names a path and a query.
  if (path.includes('#')) return { expected, actual: `its fragment is sent as well: ${path}` };
  const [, came = ''] = path.split(/\?(.*)/s, 2);
  if (parametersOf(came) === parametersOf(query)) return undefined;
  return { expected, actual: came === '' ? 'it has no query' : `its query is ?${came}` };
}

/**
 * The same of a part of the path. What may stand without its escape may be written either way (RFC 3986, 6.2.2.2).
 *
 * @param folder - the part in front of the last one of the registered URL: `/a%2Fb`
 * @param slash - what ends it
 */
export function pathMismatch({ path, endpoint }: Caught, folder: string, slash: '' | '/'): Mismatch | undefined {
  const right = `${folder}/${endpoint}${slash}`;
  const [came = ''] = path.split('?', 1);
  const parts = right.split('/').length - 1;
  if (sameUrl(`http://kit/${came.split('/').slice(-parts).join('/')}`, `http://kit${right}`)) return undefined;
  return { expected: `the path of the registered URL, which ends with ${right}`, actual: `the path is ${came}` };
}

function parametersOf(query: string): string {
  return JSON.stringify([...new URLSearchParams(query)].map(([name, value]) => `${name}=${value}`).toSorted());
}

type Judge = (kit: DeliveryReader, caught: Caught) => Mismatch | undefined;

/** What holds for each attempt, by the requirements that say so. */
export const attemptJudges: readonly (readonly [
  requirements: RequirementId | readonly RequirementId[],
  judge: Judge,
])[] = [
  [['SVC-2', 'DLV-1'], methodMismatch],
  ['DLV-1', jsonMismatch],
  ['NTF-1', shapeMismatch],
  ['NTF-4', (kit, caught) => memberMismatch(kit, caught, 'type')],
  ['NTF-5', (kit, caught) => memberMismatch(kit, caught, 'event')],
  ['NTF-6', (kit, caught) => memberMismatch(kit, caught, 'status')],
  ['NTF-8', (kit, caught) => memberMismatch(kit, caught, 'included')],
];

/** What holds for the first attempt of each delivery. A retry has the id and the time of that one. */
export const deliveryJudges: typeof attemptJudges = [...attemptJudges, ['NTF-2', idMismatch], ['NTF-7', timeMismatch]];

/** Section 2.2. @returns nothing where the id has the form that the contract gives it */
export function idMismatch(kit: DeliveryReader, caught: Caught): Mismatch | undefined {
  return memberMismatch(kit, caught, 'id');
}

/** Section 2.2: a time in UTC. @returns nothing where it is one, or where the contract has another form of time, or none */
export function timeMismatch(kit: DeliveryReader, caught: Caught): Mismatch | undefined {
  const { members, createdAtForm } = kit.contract.delivery;
  if (members.createdAt === undefined || createdAtForm !== 'rfc3339') return undefined;
  const value = kit.delivered(caught, 'createdAt');
  if (utcTime(value) !== undefined) return undefined;
  if (value === undefined && !isMissing(kit, caught, 'createdAt')) return undefined;
  return { expected: 'a timestamp such as 2026-01-31T08:00:00Z', actual: JSON.stringify(value) ?? 'it is missing' };
}

/** What a delivered body should hold, and what it holds instead. */
export interface Mismatch {
  readonly expected: string;
  readonly actual: string;
}

/** What is delivered of a notification and has a schema of its own. */
export type SchemedMember = 'id' | 'type' | 'event' | 'status' | 'included';

/** What is expected of each, to follow "expected". */
const expectations: Readonly<Record<SchemedMember, string>> = {
  id: 'the id of the notification is a uuid',
  type: "the type is the notification's",
  event: 'the event is one of the catalogue',
  status: 'the delivery status is one of those that the contract lists',
  included: 'included is an array',
};

/**
 * The shape that the contract gives all bodies (`data` with an id, a type and attributes), or the schema of the event.
 *
 * @returns nothing where the body has that shape
 */
export function shapeMismatch(kit: DeliveryReader, caught: Caught): Mismatch | undefined {
  const { event } = kit.contract.delivery.members;
  const isCommon = kit.terms.notification?.schema !== undefined && event !== undefined;
  return isCommon ? commonShape(kit, caught, event) : schemaMismatch(kit, caught);
}

/** What is not known to be an event's body has no schema. */
function schemaMismatch(kit: DeliveryReader, caught: Caught): Mismatch | undefined {
  const body = kit.deliveredJson(caught);
  const event = deliveredEvent(kit.contract, kit.delivered(caught, 'event'), body);
  if (event === undefined || body === undefined || event.validate(body)) return undefined;
  const error = tellingError(event.validate.errors ?? []);
  const place = error?.instancePath === '' || error === undefined ? 'the body' : error.instancePath;
  return {
    expected: `the body is as the schema of ${event.name} describes it`,
    actual: `${place} ${error?.message ?? 'is otherwise'}`,
  };
}

function commonShape(kit: DeliveryReader, caught: Caught, event: string): Mismatch | undefined {
  const body = kit.deliveredJson(caught);
  const [id, type] = [placeOf(kit.contract, 'id'), placeOf(kit.contract, 'type')];
  const inner = parentOf(event);
  const outer = parentOf(inner);
  const missing =
    body === undefined
      ? 'any JSON'
      : ([outer, inner].find((place) => !isJsonObject(valueAt(body, place) ?? null)) ??
        [id, type].find((place) => valueAt(body, place) === undefined));
  return missing === undefined
    ? undefined
    : { expected: `the body holds ${missing}`, actual: `the body does not hold ${missing}` };
}

/**
 * Checks a member of a delivery against the contract: the schema that all bodies have, where there is one, else what it
 * says of ids and events.
 *
 * @returns nothing where it is right
 */
export function memberMismatch(kit: DeliveryReader, caught: Caught, member: SchemedMember): Mismatch | undefined {
  const schema = kit.terms.notification?.schema;
  const value = kit.delivered(caught, member);
  if (schema === undefined) return plainMismatch(kit.contract, member, value);
  const expected = expectations[member];
  if (value === undefined) return isMissing(kit, caught, member) ? { expected, actual: 'it is missing' } : undefined;
  const validate = kit.contract.validator(schema);
  validate(kit.deliveredJson(caught));
  const place = kit.contract.delivery.members[member];
  const error = validate.errors?.find(({ instancePath }) => instancePath === place);
  if (error === undefined) return undefined;
  const right: unknown = error.params['allowedValue'];
  return {
    expected: right === undefined ? expected : `${expected}, ${JSON.stringify(right)}`,
    actual: `it is ${JSON.stringify(value).slice(0, 80)}`,
  };
}

function plainMismatch({ delivery, events }: Contract, member: SchemedMember, value: unknown): Mismatch | undefined {
  const actual = value === undefined ? 'it is missing' : `it is ${JSON.stringify(value)?.slice(0, 80)}`;
  if (member === 'event') {
    const isKnown = events.some((event) => event.value === value);
    return isKnown ? undefined : { expected: expectations.event, actual };
  }
  const { form } = delivery.id ?? {};
  if (member !== 'id' || form === undefined || hasForm(value, form)) return undefined;
  return { expected: `the id of the delivery is ${formText(form)}`, actual };
}

/** What stands in attributes must be there; that there are attributes at all is for the shape to say. */
function isMissing(kit: DeliveryReader, caught: Caught, member: keyof Contract['delivery']['members']): boolean {
  const { event } = kit.contract.delivery.members;
  const place = placeOf(kit.contract, member);
  if (event === undefined) return kit.delivered(caught, member) === undefined;
  const inner = parentOf(event);
  const attributes = valueAt(kit.deliveredJson(caught) ?? null, inner);
  return (
    place.startsWith(`${inner}/`) && isJsonObject(attributes ?? null) && kit.delivered(caught, member) === undefined
  );
}

/**
 * The event that a delivery is of. Several webhooks of a document may be called by one name: it is the one whose schema the body
 * meets, else the one that it is nearest to.
 *
 * @param name - what the delivery calls its event
 * @returns nothing where no event is called so
 */
export function deliveredEvent(
  { events }: Contract,
  name: unknown,
  body: unknown,
): Contract['events'][number] | undefined {
  const called = events.filter(({ value }) => value === name);
  if (called.length < 2 || body === undefined) return called[0];
  const misses = called.map((event) => ({
    event,
    count: event.validate(body) ? 0 : (event.validate.errors?.length ?? 0),
  }));
  return misses.reduce((best, each) => (each.count < best.count ? each : best)).event;
}
