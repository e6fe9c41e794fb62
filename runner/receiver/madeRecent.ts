import { valueAt, withPointer } from '../../generators/json/jsonPointer.ts';
import type { Notification } from '../../generators/notification/notification.ts';
import type { Contract } from '../../spec/contract.ts';

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
