import fc from 'fast-check';

import { serviceCheck, type ServiceCheck } from '../../check.ts';
import type { Call, Caught } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { memberMismatch, type Mismatch, type SchemedMember, shapeMismatch, timeMismatch } from '../bodyMismatch.ts';
import { finding } from '../../finding.ts';
import { firstCaught } from '../firstDelivery.ts';
import { misreadTime } from '../utcTime.ts';

/** A check of one part of what is delivered. */
function bodyCheck(
  about: Pick<ServiceCheck, 'id' | 'title' | 'requirements' | 'about' | 'hint'>,
  judge: (kit: ServiceKit, caught: Caught, creation: Call) => Mismatch | undefined,
): ServiceCheck {
  return serviceCheck<{ readonly carrier: 0 }>({
    ...about,
    needs: ['event'],
    schedule: { kind: 'waiting' },
    weight: 0.05,
    cases: () => [fc.constant({ carrier: 0 })],
    run: async (kit) => {
      const { caught, webhook } = await firstCaught(kit);
      const mismatch = judge(kit, caught, webhook.creation);
      return mismatch && finding(about.requirements[0], { ...mismatch, exchanges: [caught] });
    },
  });
}

/** Section 2.2: `data` with an id, a type and attributes. */
const shape = bodyCheck(
  {
    id: 'service/notification/shape',
    title: "delivers bodies in a notification's shape",
    requirements: ['NTF-1'],
    hint: 'Deliver the resource below data, with its fields in attributes, and not a bare or flattened object.',
  },
  shapeMismatch,
);

/** A check that a member of the body is as the contract's schema of notifications has it. */
function memberCheck(
  about: Pick<ServiceCheck, 'id' | 'title' | 'requirements' | 'about' | 'hint'>,
  member: SchemedMember,
): ServiceCheck {
  return bodyCheck(about, (kit, caught) => memberMismatch(kit, caught, member));
}

const uuid = memberCheck(
  {
    id: 'service/notification/uuid',
    title: 'gives notifications ids in the shape of a uuid',
    requirements: ['NTF-2'],
    about: ['id'],
    hint: 'Use a random uuid (version 4 or 7) for each notification, not a row number and not a prefixed token. A contract of your own says in id.form what its ids look like, where they are no uuids.',
  },
  'id',
);

const type = memberCheck(
  {
    id: 'service/notification/type',
    title: 'types what it delivers as a notification',
    requirements: ['NTF-4'],
    hint: 'The type says what the document is, not which event it is about.',
  },
  'type',
);

const event = memberCheck(
  {
    id: 'service/notification/event',
    title: 'names an event of the catalogue in what it delivers',
    requirements: ['NTF-5'],
    hint: "Write the event's name as the catalogue spells it: receivers route by it.",
  },
  'event',
);

const status = memberCheck(
  {
    id: 'service/notification/status',
    title: 'delivers one of the known statuses',
    requirements: ['NTF-6'],
    about: ['status'],
    hint: 'Internal states of a queue (queued, processing, delivered) do not belong in the body: map them to the three that are agreed.',
  },
  'status',
);

const included = memberCheck(
  {
    id: 'service/notification/included',
    title: 'delivers included as an array, where it is there',
    requirements: ['NTF-8'],
    about: ['related'],
    hint: 'Write an empty list as [], and a single record as a list of one.',
  },
  'included',
);

/** Section 2.2: a time in UTC. */
const createdAt = bodyCheck(
  {
    id: 'service/notification/created-at',
    title: 'states the time of creation as an ISO 8601 timestamp in UTC',
    requirements: ['NTF-7'],
    about: ['created-at'],
    hint:
      'Write timestamps with T and Z. A time without a zone, with a local offset, or as a number is read wrongly by somebody. ' +
      'The Z alone makes no UTC of a local time: convert it. Months count from 0 in some languages, and times in seconds in others.',
  },
  (kit, caught, creation) => {
    const value = kit.delivered(caught, 'createdAt');
    const distance = misreadTime(kit, value, creation);
    if (distance !== undefined)
      return { expected: 'the time of the creation, in UTC', actual: `it is ${JSON.stringify(value)}: ${distance}` };
    return timeMismatch(kit, caught);
  },
);

/** The checks of this topic, in the order in which they run and are listed. */
export const notificationChecks: readonly ServiceCheck[] = [shape, uuid, type, event, status, included, createdAt];
