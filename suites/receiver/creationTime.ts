import { valueAt, withPointer } from '../../generators/json/jsonPointer.ts';
import type { Notification } from '../../generators/notification/notification.ts';
import type { ReceiverKit } from '../kit.ts';
import type { Contract } from '../../spec/contract.ts';

/** 2100-01-01T00:00:00Z in seconds since the epoch. No other time of a run is later. */
const latestTime = 4_102_444_800;

/** A creation time that is later than all that the run has delivered, also at the calls before: seconds since the epoch. */
export function laterThanAll(kit: Pick<ReceiverKit, 'elapsed'>): number {
  return latestTime + Math.floor(kit.elapsed() / 10);
}

/** What follows the whole seconds of a creation time in UTC. */
const inUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d((?:\.\d+)?Z)$/;

/** Seconds since the epoch at which a notification says that it was created; nothing where it does not say so. */
export function creationTime({ delivery }: Contract, { value }: Notification): number | undefined {
  const { createdAt } = delivery.members;
  const time = createdAt === undefined ? undefined : valueAt(value, createdAt);
  if (typeof time === 'number') return delivery.createdAtForm === 'unix' ? time : time / 1000;
  // A leap second is no number.
  const ms = typeof time === 'string' && inUtc.test(time) ? Date.parse(time) : NaN;
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

/** The notification with another creation time, in whole seconds; as it is where it has none, or one before 1970. */
export function createdAt({ delivery }: Contract, notification: Notification, seconds: number): Notification {
  const { members, createdAtForm } = delivery;
  const { event, value } = notification;
  const time = members.createdAt === undefined ? undefined : valueAt(value, members.createdAt);
  if (members.createdAt === undefined || !(seconds >= 0)) return notification;
  if (typeof time === 'number')
    return { event, value: withPointer(value, members.createdAt, createdAtForm === 'unix' ? seconds : seconds * 1000) };
  const [, rest] = (typeof time === 'string' && inUtc.exec(time)) || [];
  if (rest === undefined) return notification;
  const written = `${new Date(seconds * 1000).toISOString().slice(0, 19)}${rest}`;
  return { event, value: withPointer(value, members.createdAt, written) };
}

/** The notification as if it were created when the plain one was; the fraction of a second stays its own. */
export function createdRecently(kit: ReceiverKit, notification: Notification): Notification {
  const time = creationTime(kit.contract, kit.plain(notification));
  return time === undefined ? notification : createdAt(kit.contract, notification, time);
}
