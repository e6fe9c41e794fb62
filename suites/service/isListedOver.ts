import type { ServiceTerms } from '../../spec/serviceTerms.ts';
import type { ListedNotification } from '../serviceKit.ts';

/** Whether a notification is listed in a status after which no attempt follows, whether it was accepted or not. */
export function isListedOver(
  { notification }: Pick<ServiceTerms, 'notification'>,
  listed?: ListedNotification,
): boolean {
  if (listed === undefined || notification === undefined) return false;
  const { accepted, exhausted } = notification.statuses;
  return listed.status === accepted || listed.status === exhausted;
}
