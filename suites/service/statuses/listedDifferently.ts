import type { ServiceFinding } from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import type { ListedNotification, ServiceKit } from '../../serviceKit.ts';
import { broken } from '../broken.ts';
import { resolution, utcTime } from '../utcTime.ts';
import { recordMember } from '../notificationRecord.ts';

/**
 * Whether a notification is listed with another event, type or time of creation than it was delivered with. What only one of
 * both shows is not compared, and times may be written with fewer digits.
 *
 * @returns nothing where the list says the same
 */
export function listedDifferently(
  kit: ServiceKit,
  sent: Caught,
  listed: ListedNotification,
): ServiceFinding | undefined {
  const differing = (what: string, one: unknown, other: unknown): ServiceFinding =>
    broken('NTF-9', {
      expected: `it is listed with the ${what} that was delivered, ${String(one)}`,
      actual: `it is listed with ${JSON.stringify(other) ?? 'none'}`,
      exchanges: [sent],
    });
  const event = kit.delivered(sent, 'event');
  const own = kit.terms.notification?.members;
  const isShown = own === undefined || own.event !== undefined;
  if (event !== undefined && isShown && listed.event !== event) return differing('event', event, listed.event);
  const type = recordMember(kit.contract, listed.resource, 'type');
  const sentType = kit.delivered(sent, 'type');
  if (type !== undefined && sentType !== undefined && type !== sentType) return differing('type', sentType, type);
  const created = kit.delivered(sent, 'createdAt');
  return isSameMoment(created, listed.createdAt) ? undefined : differing('time of creation', created, listed.createdAt);
}

/** Texts that are no times are for other checks to judge. */
function isSameMoment(sent: unknown, listed: unknown): boolean {
  const [one, other] = [utcTime(sent), utcTime(listed)];
  if (one === undefined || other === undefined) return true;
  return Math.abs(one - other) < Math.max(resolution(sent as string), resolution(listed as string));
}
