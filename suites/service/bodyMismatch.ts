import { isJsonObject } from '../../generators/json/json.ts';
import { valueAt } from '../../generators/json/jsonPointer.ts';
import type { Caught } from '../exchange.ts';
import type { ServiceKit } from '../serviceKit.ts';
import { placeOf } from '../../spec/delivery.ts';

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

/** Section 2.2: `data` with an id, a type and attributes. @returns nothing where the body has that shape */
export function shapeMismatch(kit: ServiceKit, caught: Caught): Mismatch | undefined {
  const body = kit.deliveredJson(caught);
  const [id, type, event] = [
    placeOf(kit.contract, 'id'),
    placeOf(kit.contract, 'type'),
    placeOf(kit.contract, 'event'),
  ];
  const inner = event.slice(0, event.lastIndexOf('/'));
  const outer = inner.slice(0, inner.lastIndexOf('/'));
  const missing =
    body === undefined
      ? 'any JSON'
      : ([outer, inner].find((place) => !isJsonObject(valueAt(body, place) ?? null)) ??
        [id, type].find((place) => valueAt(body, place) === undefined));
  return missing === undefined ? undefined : { expected: `the body holds ${missing}`, actual: 'it does not hold it' };
}

/** Checks a member of the body against the contract's schema of notifications. @returns nothing where it is right */
export function memberMismatch(kit: ServiceKit, caught: Caught, member: SchemedMember): Mismatch | undefined {
  const expected = expectations[member];
  const value = kit.delivered(caught, member);
  if (value === undefined) return isMissing(kit, caught, member) ? { expected, actual: 'it is missing' } : undefined;
  const validate = kit.contract.validator('Notification');
  validate(kit.deliveredJson(caught));
  const place = kit.contract.delivery.members[member];
  const error = validate.errors?.find(({ instancePath }) => instancePath === place);
  return (
    error && { expected, actual: `it ${error.message ?? 'is something else'}: ${JSON.stringify(value).slice(0, 80)}` }
  );
}

/** What stands in attributes must be there; that there are attributes at all is for the shape to say. */
export function isMissing(
  kit: ServiceKit,
  caught: Caught,
  member: keyof ServiceKit['contract']['delivery']['members'],
): boolean {
  const [place, event] = [placeOf(kit.contract, member), placeOf(kit.contract, 'event')];
  const inner = event.slice(0, event.lastIndexOf('/'));
  const attributes = valueAt(kit.deliveredJson(caught) ?? null, inner);
  return (
    place.startsWith(`${inner}/`) && isJsonObject(attributes ?? null) && kit.delivered(caught, member) === undefined
  );
}
