import { randomInt, randomUUID } from 'node:crypto';

import fc, { type Arbitrary } from 'fast-check';

import { deliveryId } from '../../generators/notification/namedNotification.ts';
import { UnsupportedSchema } from '../../generators/schema/schemaContext.ts';
import type { Contract } from '../../spec/contract.ts';
import { UsageError } from '../errors.ts';
import { valueAt, withPointer } from '../../generators/json/jsonPointer.ts';
import type { Notification } from '../../generators/notification/notification.ts';

/**
 * An id of the form that the contract gives to its deliveries. A contract without ids has uuids.
 *
 * @param seed - the same seed gives the same id. Default: one that no run has used before
 * @throws UsageError where no id of that form can be made
 */
export function newId(contract: Contract, seed?: number): string {
  const form = contract.delivery.id?.form ?? 'uuid';
  if (form === 'uuid' && seed === undefined) return randomUUID();
  const ids = idsOf(contract);
  if (seed !== undefined) return drawn(ids, seed);
  for (let tried = 0; tried < most; tried++) {
    const id = drawn(ids, randomInt(2 ** 32));
    if (ids.made.has(id)) continue;
    ids.made.add(id);
    return id;
  }
  throw new UsageError('SW_CONTRACT_INVALID', {
    received: `no further id of the form ${form} can be made: ${ids.made.size} were used`,
    valid: 'a form with more ids',
    next: 'write a longer /id/form',
  });
}

/** Draws until it is said that no further id can be made. */
const most = 100;

interface Ids {
  readonly arbitrary: Arbitrary<string>;
  /** Of how many the longest is taken: where ids may be short, others were hardly ever used before. */
  readonly of: number;
  /** What this process has made: two deliveries with one id would be taken for a redelivery. */
  readonly made: Set<string>;
}

function drawn({ arbitrary, of }: Ids, seed: number): string {
  const ids = fc.sample(arbitrary, { numRuns: of, seed });
  return ids.reduce((longest, id) => (id.length > longest.length ? id : longest));
}

/** By form: to read a pattern takes far longer than to make an id by it, and every delivery has one. */
const idsByForm = new Map<string, Ids>();

function idsOf(contract: Contract): Ids {
  const form = contract.delivery.id?.form ?? 'uuid';
  const known = idsByForm.get(form);
  if (known !== undefined) return known;
  const arbitrary = fc.noBias(possibleIds(contract));
  const lengths = fc.sample(arbitrary, { numRuns: 20, seed: 1 }).map(({ length }) => length);
  const ids = { arbitrary, of: new Set(lengths).size > 1 ? 8 : 1, made: new Set<string>() };
  idsByForm.set(form, ids);
  return ids;
}

function possibleIds(contract: Contract): Arbitrary<string> {
  try {
    return deliveryId(contract);
  } catch (cause) {
    if (!(cause instanceof UnsupportedSchema)) throw cause;
    throw new UsageError(
      'SW_CONTRACT_INVALID',
      {
        received: `no id of the form that the contract ${contract.name} gives can be made: ${cause.received}`,
        valid: 'uuid, or a regular expression for the whole id, such as evt_[a-z0-9]{20}',
        next: 'write /id/form in a simpler way',
      },
      { cause },
    );
  }
}

const hour = 3600_000;

/** The moment before which a notification was created, and how its time is written. */
interface Recency {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds before it in which the time may lie. Default: an hour */
  readonly within?: number;
  /** What follows the whole seconds, such as `.000`; empty where nothing does. */
  readonly fraction: string;
}

/**
 * The notification with its creation time moved into the hour before this moment, in whole seconds. The same
 * notification and moment always give the same time.
 */
export function madeRecent(
  contract: Contract,
  notification: Notification,
  { now, within = hour, fraction }: Recency,
): Notification {
  const { members, createdAtForm } = contract.delivery;
  const pointer = members.createdAt;
  if (pointer === undefined) return notification;
  const created = valueAt(notification.value, pointer);
  const unit = createdAtForm === 'unix' ? 1000 : 1;
  if (createdAtForm !== 'rfc3339' && typeof created === 'number') {
    const time = Math.floor((now - (Math.abs(created) % within)) / unit);
    return { event: notification.event, value: withPointer(notification.value, pointer, time) };
  }
  if (typeof created !== 'string') return notification;
  // A schema may ask for any text.
  const age = Math.abs(Date.parse(created) || 0) % within;
  const time = `${new Date(now - age).toISOString().slice(0, 19)}${fraction}Z`;
  return { event: notification.event, value: withPointer(notification.value, pointer, time) };
}
