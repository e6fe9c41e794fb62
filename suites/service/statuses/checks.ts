import fc from 'fast-check';

import { isAmong } from '../../answer.ts';
import { serviceCheck, Unobservable, Unproven, type ServiceFinding, type ServiceCheck } from '../../check.ts';
import type { ServiceKit, ListedNotification, Notified, Webhook } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { expectId, expectOwnStatus, firstDelivery } from '../firstDelivery.ts';
import { attributeNamed, notRead } from '../creation.ts';
import { accept, acceptAfter, refuse } from '../steps.ts';
import { itemOf } from '../../items.ts';
import { offers, statusTerms } from '../../../spec/serviceTerms.ts';
import type { Call, Caught, CatchScript, CatchStep } from '../../exchange.ts';
import { resolution, utcTime } from '../utcTime.ts';
import { timeMismatch } from '../bodyMismatch.ts';
import { recordMember } from '../listItems.ts';
import { listedOnceDone, listedOnceGivenUp, pendingWhileTrying } from './listedStatus.ts';

/** Section 3.1 with GAP-4: what was accepted ends well. */
const succeeded = serviceCheck<{ readonly status: number; readonly failures: number }>({
  id: 'service/statuses/succeeded',
  title: 'lists an accepted notification as succeeded',
  requirements: ['STA-4'],
  about: ['operation:notifications', 'id'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.12,
  cases: ({ contract: { delivery } }) => [
    ...delivery.acceptedStatuses.slice(0, 10).map((status) => fc.constant({ status, failures: 0 })),
    // The last attempt is the one that may also end as failed.
    ...[fc.integer({ min: 1, max: 3 }), fc.constant(delivery.retries)].map((failures) =>
      fc.record({ status: fc.constantFrom(...delivery.acceptedStatuses), failures }),
    ),
  ],
  run: async (kit, { status, failures }) => {
    if (kit.assumption('delivery.succeededAfter') === 'any') {
      throw new Unobservable('what makes a notification succeed was left open (--assume delivery.succeededAfter=any)');
    }
    const refusals = acceptAfter(failures, refuse(), kit.contract).slice(0, -1);
    const delivery = await firstDelivery(kit, { script: [...refusals, { do: 'respond', status }] as never });
    expectOwnStatus(delivery);
    const { notified } = delivery;
    // What was listed while it was pending is not what is listed afterwards.
    if (failures > 0) await kit.listed([notified.id]);
    if (failures > 0 && !(await kit.untilAttempt(notified, failures + 1))) throw neverAccepted(notified);
    const { accepted } = statusTerms(kit.terms);
    const listed = await kit.untilListed(notified.id, [accepted]);
    if (listed === undefined) throw new Unproven('it is not listed: see service/statuses/listed');
    if (listed.status === accepted) return undefined;
    return finding('STA-4', {
      expected: `after ${status} the notification is listed as ${accepted}`,
      actual: `it is listed as ${JSON.stringify(listed.status)}`,

      absence: true,
      exchanges: notified.attempts.slice(-1),
    });
  },
  hint:
    'Record the outcome of the attempt that was accepted, whichever attempt and whichever accepting status it was. Keep no ' +
    'status in a cache that this does not reach.',
});

/** Where retries came, the one that would be accepted comes later than it is waited for, or is not made (STA-5). */
function neverAccepted({ attempts }: Notified): Error {
  return attempts.length > 1
    ? new Unobservable(
        'the last of its attempts did not come, so that nothing shows how one that is accepted then is listed',
      )
    : new Unproven('it was not retried, so it was never accepted');
}

/** Which attempts of a notification are refused, given what accepts it. */
const refusals = {
  never: (last) => [last],
  once: (last) => [refuse(), last],
  always: () => [refuse()],
} as const satisfies Record<string, (last: CatchStep) => CatchScript>;

/** Sections 2.2 and 4.3: what is delivered is what is listed. */
const listed = serviceCheck<{ readonly refused: keyof typeof refusals; readonly changed?: true }>({
  id: 'service/statuses/listed',
  title:
    'lists every notification that it delivers, with the same id, event, type and time of creation and a known status',
  requirements: ['NTF-9', 'NTF-6', 'NTF-7'],
  about: ['operation:notifications', 'id'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.06,
  cases: ({ contract }) => [
    ...(['never', 'once', 'always'] as const).map((refused) => fc.constant({ refused })),
    ...(offers(contract, 'update') ? [fc.constant({ refused: 'never', changed: true } as const)] : []),
  ],
  run: async (kit, { refused, changed = false }) => {
    const script = refusals[refused](accept(kit.contract));
    // The event that happens stands last in the webhook's list: what is listed is the notification's own.
    const events = [...new Set(kit.scenarioEvents)].toReversed();
    const { webhook, first, notified } = await firstDelivery(kit, { script, events });
    expectId(kit, notified.id);
    const update = changed ? [await turnAway(kit, webhook)] : [];
    const found =
      refused === 'always' ? await listedOnceGivenUp(kit, notified) : await listedOnceDone(kit, notified, []);
    if (found === undefined) {
      const listing = await kit.list('notifications');
      if (!listing.complete) throw notRead(kit, 'notifications', listing);
      return finding('NTF-9', {
        expected: 'the delivered notification is in the list of notifications',
        actual: `no page of the list holds its id${changed ? ' since an update of its webhook' : ''}`,

        absence: true,
        exchanges: [first, ...update],
      });
    }
    const other = listedDifferently(kit, first, found);
    if (other) return other;
    const known = Object.values(statusTerms(kit.terms));
    if (known.includes(found.status as string)) return undefined;
    return finding('NTF-6', {
      expected: `its listed status is one of ${known.join(', ')}`,
      actual: `it is ${JSON.stringify(found.status) ?? 'missing'}`,
      exchanges: [first],
    });
  },
  hint: 'Deliver from the store that the list is read from: one record, one id, one event, one time of creation. The time of the last attempt or update is another column. What a webhook was sent stays listed, whatever becomes of the webhook: join no table of webhooks that are active.',
});

/** Another url, other events, and inactive, as far as webhooks have that: what was delivered before stays as it was. */
async function turnAway(kit: ServiceKit, webhook: Webhook): Promise<Call> {
  const { members } = kit.terms.webhook;
  const changes = {
    url: kit.endpoint().url,
    events: kit.contract.events.slice(-1).map(({ name }) => name),
    active: false,
  };
  const names = (['url', 'events', 'active'] as const).filter((name) => members[name] !== undefined);
  const update = Object.fromEntries(names.map((name) => [attributeNamed(kit.terms, name), changes[name]]));
  const call = await kit.update(webhook, update);
  if (!isAmong(kit, call, 'update.response'))
    throw new Unobservable('the service does not take the update of the webhook');
  return call;
}

/** The kind of event makes no difference to that. */
const eachListed = serviceCheck<readonly string[]>({
  id: 'service/statuses/each-event-listed',
  title: 'lists a notification of every event as it was delivered',
  requirements: ['NTF-9', 'NTF-7'],
  about: ['operation:notifications', 'id'],
  needs: ['any-event'],
  schedule: { kind: 'waiting' },
  weight: 0.01,
  cases: ({ events }) => [fc.constant(events)],
  run: async (kit, events) => {
    const webhook = await kit.register({ events });
    const triggered = await kit.triggerAll(events);
    await kit.arrivals(webhook, itemOf(triggered, 0));
    const notified = kit.notifications(webhook.endpoint);
    const found = await kit.listed(notified.map(({ id }) => id));
    const pairs = notified.flatMap(({ id, attempts }) => {
      const shown = found.get(id);
      return shown === undefined ? [] : [{ sent: attempts[0], shown }];
    });
    if (pairs.length === 0) throw new Unproven('none of them is listed: see service/statuses/listed');
    const findings = pairs.flatMap(({ sent, shown }) => listedDifferently(kit, sent, shown) ?? []);
    return findings[0];
  },
  hint: 'List what was stored when the notification was made, and make nothing of it anew from the event.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const statusesChecks: readonly ServiceCheck[] = [pendingWhileTrying, succeeded, listed, eachListed];

/**
 * Whether a notification is listed with another event, type or time of creation than it was delivered with. What only one of
 * both shows is not compared, and times may be written with fewer digits.
 *
 * @returns nothing where the list says the same
 */
function listedDifferently(kit: ServiceKit, sent: Caught, listed: ListedNotification): ServiceFinding | undefined {
  const differing = (what: string, one: unknown, other: unknown): ServiceFinding =>
    finding('NTF-9', {
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
  if (!isSameMoment(created, listed.createdAt)) return differing('time of creation', created, listed.createdAt);
  return inAnotherZone(kit, sent, listed);
}

/** Section 2.2 describes what is listed as it describes what is delivered. A contract may place another time in its lists. */
function inAnotherZone(kit: ServiceKit, sent: Caught, { createdAt }: ListedNotification): ServiceFinding | undefined {
  const isDescribed =
    kit.terms.notification?.members === undefined && kit.contract.delivery.createdAtForm === 'rfc3339';
  if (!isDescribed || timeMismatch(kit, sent) || createdAt === undefined || utcTime(createdAt) !== undefined)
    return undefined;
  return finding('NTF-7', {
    expected: `it is listed with a time of creation in UTC, as it was delivered: ${String(kit.delivered(sent, 'createdAt'))}`,
    actual: `it is listed with ${JSON.stringify(createdAt)}`,
    exchanges: [sent],
    hint: 'Write every time by the same code, which converts it to UTC: one in the zone of the server or of the reader is misread by code that cuts the zone off.',
  });
}

/** A time with a zone of its own says the same moment; one without a zone does not say which. */
const zoned = /[+-]\d{2}:?\d{2}$/;

/** Where what was delivered is no time, that is for other checks to judge. */
function isSameMoment(sent: unknown, listed: unknown): boolean {
  const one = utcTime(sent);
  if (one === undefined || listed === undefined) return true;
  if (typeof listed !== 'string') return false;
  const other = utcTime(listed) ?? (zoned.test(listed) ? Date.parse(listed) : Number.NaN);
  return Math.abs(one - other) < Math.max(resolution(sent as string), resolution(listed));
}
