import type { ServiceFinding } from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import type { ListedNotification, ServiceKit } from '../../serviceKit.ts';
import { valueAt } from '../../../generators/json/jsonPointer.ts';
import { broken } from '../broken.ts';
import { resolution, utcTime } from '../utcTime.ts';
import { placeOf } from '../../../spec/delivery.ts';

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
  if (event !== undefined && listed.event !== event) return differing('event', event, listed.event);
  const type = typeListed(kit, listed);
  const sentType = kit.delivered(sent, 'type');
  if (type !== undefined && sentType !== undefined && type !== sentType) return differing('type', sentType, type);
  const created = kit.delivered(sent, 'createdAt');
  return isSameMoment(created, listed.createdAt) ? undefined : differing('time of creation', created, listed.createdAt);
}

/** An item of the list is a resource, or a document that wraps one. */
function typeListed({ contract }: ServiceKit, { resource }: ListedNotification): unknown {
  const [id, type] = [placeOf(contract, 'id'), placeOf(contract, 'type')];
  const wrapper = id.slice(0, id.lastIndexOf('/'));
  return valueAt(resource, type) ?? valueAt(resource, type.slice(wrapper.length));
}

/** Texts that are no times are for other checks to judge. */
function isSameMoment(sent: unknown, listed: unknown): boolean {
  const [one, other] = [utcTime(sent), utcTime(listed)];
  if (one === undefined || other === undefined) return true;
  return Math.abs(one - other) < Math.max(resolution(sent as string), resolution(listed as string));
}
