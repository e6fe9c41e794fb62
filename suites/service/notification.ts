import fc from 'fast-check';

import { isJsonObject } from '../../generators/json.ts';
import { valueAt } from '../../generators/jsonPointer.ts';
import type { ServiceCheck } from '../check.ts';
import { serviceCheck } from '../check.ts';
import type { Caught } from '../exchange.ts';
import type { ServiceKit } from '../serviceKit.ts';
import { broken } from './broken.ts';
import { firstCaught } from './firstDelivery.ts';
import { utcTime } from './utcTime.ts';

/** What a delivered body should hold, and what it holds instead. */
interface Mismatch {
  readonly expected: string;
  readonly actual: string;
}

/** A check of one part of what is delivered. */
function bodyCheck(
  about: Pick<ServiceCheck, 'id' | 'title' | 'requirements' | 'hint'>,
  judge: (kit: ServiceKit, caught: Caught) => Mismatch | undefined,
): ServiceCheck {
  return serviceCheck<{ readonly carrier: 0 }>({
    ...about,
    needs: ['event'],
    waits: true,
    weight: 0.05,
    cases: () => [fc.constant({ carrier: 0 })],
    run: async (kit) => {
      const { caught } = await firstCaught(kit);
      const mismatch = judge(kit, caught);
      return mismatch && broken(about.requirements[0], { ...mismatch, exchanges: [caught] });
    },
  });
}

/** Section 2.2: `data` with an id, a type and attributes. */
export const shape = bodyCheck(
  {
    id: 'service/notification/shape',
    title: "delivers bodies in a notification's shape",
    requirements: ['NTF-1'],
    hint: 'Deliver the resource below data, with its fields in attributes, and not a bare or flattened object.',
  },
  (kit, caught) => {
    const body = kit.deliveredJson(caught);
    const { id, type, event } = kit.contract.delivery.members;
    const inner = event.slice(0, event.lastIndexOf('/'));
    const outer = inner.slice(0, inner.lastIndexOf('/'));
    const missing =
      body === undefined
        ? 'any JSON'
        : ([outer, inner].find((place) => !isJsonObject(valueAt(body, place) ?? null)) ??
          [id, type].find((place) => valueAt(body, place) === undefined));
    return missing === undefined ? undefined : { expected: `the body holds ${missing}`, actual: 'it does not' };
  },
);

/** A check that a member of the body is as the contract's schema of notifications has it. */
function memberCheck(
  about: Pick<ServiceCheck, 'id' | 'title' | 'requirements' | 'hint'>,
  member: 'id' | 'type' | 'event' | 'status' | 'included',
  expected: string,
): ServiceCheck {
  return bodyCheck(about, (kit, caught) => {
    const value = kit.delivered(caught, member);
    if (value === undefined) return isMissing(kit, caught, member) ? { expected, actual: 'it is missing' } : undefined;
    const validate = kit.contract.validator('Notification');
    validate(kit.deliveredJson(caught));
    const place = kit.contract.delivery.members[member];
    const error = validate.errors?.find(({ instancePath }) => instancePath === place);
    return (
      error && { expected, actual: `it ${error.message ?? 'is something else'}: ${JSON.stringify(value).slice(0, 80)}` }
    );
  });
}

/** What stands in attributes must be there; that there are attributes at all is for the shape to say. */
function isMissing(
  kit: ServiceKit,
  caught: Caught,
  member: keyof ServiceKit['contract']['delivery']['members'],
): boolean {
  const { [member]: place, event } = kit.contract.delivery.members;
  const inner = event.slice(0, event.lastIndexOf('/'));
  const attributes = valueAt(kit.deliveredJson(caught) ?? null, inner);
  return (
    place.startsWith(`${inner}/`) && isJsonObject(attributes ?? null) && kit.delivered(caught, member) === undefined
  );
}

export const uuid = memberCheck(
  {
    id: 'service/notification/uuid',
    title: 'gives notifications ids in the shape of a uuid',
    requirements: ['NTF-2'],
    hint: 'Use a random uuid (version 4 or 7) for each notification, not a row number and not a prefixed token.',
  },
  'id',
  'the id of the notification is a uuid',
);

export const type = memberCheck(
  {
    id: 'service/notification/type',
    title: 'types what it delivers as a notification',
    requirements: ['NTF-4'],
    hint: 'The type says what the document is, not which event it tells of.',
  },
  'type',
  "the type is the notification's",
);

export const event = memberCheck(
  {
    id: 'service/notification/event',
    title: 'names an event of the catalogue in what it delivers',
    requirements: ['NTF-5'],
    hint: "Write the event's name as the catalogue spells it: receivers route by it.",
  },
  'event',
  'the event is one of the catalogue',
);

export const status = memberCheck(
  {
    id: 'service/notification/status',
    title: 'delivers one of the known statuses',
    requirements: ['NTF-6'],
    hint: 'Internal states of a queue (queued, processing, delivered) do not belong in the body: map them to the three that are agreed.',
  },
  'status',
  'the delivery status is one of those that the contract lists',
);

export const included = memberCheck(
  {
    id: 'service/notification/included',
    title: 'delivers included as an array, where it is there',
    requirements: ['NTF-8'],
    hint: 'Write an empty list as [], and a single record as a list of one.',
  },
  'included',
  'included is an array',
);

/** Section 2.2: a time in UTC. */
export const createdAt = bodyCheck(
  {
    id: 'service/notification/created-at',
    title: 'tells the time of creation as an ISO 8601 timestamp in UTC',
    requirements: ['NTF-7'],
    hint: 'Write timestamps with T and Z. A time without a zone, with a local offset, or as a number is read wrongly by somebody.',
  },
  (kit, caught) => {
    const value = kit.delivered(caught, 'createdAt');
    if (utcTime(value) !== undefined) return undefined;
    if (value === undefined && !isMissing(kit, caught, 'createdAt')) return undefined;
    return { expected: 'a timestamp such as 2026-01-31T08:00:00Z', actual: JSON.stringify(value) ?? 'it is missing' };
  },
);
