import type { Notification } from './notification.ts';
import { withPointer } from '../json/withPointer.ts';

/**
 * A copy of the notification with another id. What the two have in common is shared, not copied.
 *
 * @param pointer - the JSON Pointer at which the contract keeps the id (`contract.delivery.members.id`)
 * @throws RangeError where the pointer leads nowhere
 */
export function withId(notification: Notification, pointer: string, id: string): Notification {
  return { ...notification, value: withPointer(notification.value, pointer, id) };
}
