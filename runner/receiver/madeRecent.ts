import { valueAt } from '../../generators/json/jsonPointer.ts';
import type { Notification } from '../../generators/notification/notification.ts';
import { withPointer } from '../../generators/json/withPointer.ts';
import type { Contract } from '../../spec/contract.ts';

const hour = 3600_000;

/** The moment before which a notification was created, and how its time is written. */
interface Recency {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What follows the whole seconds, such as `.000`; empty where nothing does. */
  readonly fraction: string;
}

/**
 * The notification with its creation time moved into the hour before this moment, in whole seconds. The same
 * notification and moment always give the same time.
 */
export function madeRecent(contract: Contract, notification: Notification, { now, fraction }: Recency): Notification {
  const pointer = contract.delivery.members.createdAt;
  const created = valueAt(notification.value, pointer);
  if (typeof created !== 'string') return notification;
  const age = Date.parse(created) % hour;
  const time = `${new Date(now - age).toISOString().slice(0, 19)}${fraction}Z`;
  return { event: notification.event, value: withPointer(notification.value, pointer, time) };
}
