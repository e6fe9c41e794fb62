import fc from 'fast-check';

import { serviceCheck, Unobservable, Unproven, type ServiceFinding, type ServiceCheck } from '../../check.ts';
import type { Notified, ServiceKit, ListedNotification } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { expectOwnStatus, firstDelivery } from '../firstDelivery.ts';
import { notRead } from '../creation.ts';
import { accept, acceptAfter, refuse } from '../steps.ts';
import { itemOf } from '../../items.ts';
import { statusTerms } from '../../../spec/serviceTerms.ts';
import type { Caught, CatchScript } from '../../exchange.ts';
import { resolution, utcTime } from '../utcTime.ts';
import { recordMember } from '../notificationRecord.ts';

/** Section 3.1: a notification is pending until its delivery has ended. */
const pendingWhileTrying = serviceCheck<{ readonly failures: number }>({
  id: 'service/statuses/pending-while-trying',
  title: 'delivers and lists a notification as pending while it is still tried',
  requirements: ['STA-1', 'STA-3'],
  about: ['operation:notifications', 'id', 'retries'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.06,
  cases: ({ contract: { delivery } }) => [
    fc.record({ failures: fc.integer({ min: Math.ceil(delivery.retries / 2), max: delivery.retries }) }),
  ],
  run: async (kit, { failures }) => {
    const script = acceptAfter(failures, refuse(), kit.contract).map((step, place) =>
      held.includes(place) && place < failures && step.do === 'respond' ? { ...step, delay: heldFor } : step,
    );
    const delivery = await firstDelivery(kit, { script: script as unknown as CatchScript });
    const { first, notified } = delivery;
    const { underway } = statusTerms(kit.terms);
    const said = kit.delivered(first, 'status');
    if (said !== undefined && said !== underway) {
      return finding('STA-1', {
        expected: `a new notification is ${underway}`,
        actual: `the first attempt says ${JSON.stringify(said)}`,
        exchanges: [first],
      });
    }
    expectOwnStatus(delivery);
    return (await listedOtherwise(kit, notified, failures)) ?? saidFailed(kit, notified);
  },
  hint: 'A refusal does not change the status: it stays pending until an attempt was accepted or none is left.',
});

/** What is sent again has not failed yet, whatever a retry is built from. */
function saidFailed(kit: ServiceKit, { attempts }: Notified): ServiceFinding | undefined {
  const { exhausted } = statusTerms(kit.terms);
  const wrong = attempts.find((attempt) => kit.delivered(attempt, 'status') === exhausted);
  if (wrong === undefined) return undefined;
  return finding('STA-3', {
    expected: `what is still sent is not ${exhausted}`,
    actual: `attempt ${wrong.number} says that the notification is ${exhausted}`,
    exchanges: [attempts[0], wrong],
  });
}

/** Attempts, from 0, that are refused so late that the list can be read before the next one. */
const held: readonly number[] = [0, 1, 2, 3];
/** Milliseconds; shorter than any time-out of deliveries. */
const heldFor = 150;

/** What the list says is judged only where a further attempt came after it had said so. */
async function listedOtherwise(
  kit: ServiceKit,
  notified: Notified,
  failures: number,
): Promise<ServiceFinding | undefined> {
  const { underway, exhausted } = statusTerms(kit.terms);
  let judged = 0;
  while (notified.attempts.length <= failures) {
    const before = notified.attempts.length;
    const { id } = notified;
    const listed = (await kit.listed([id])).get(id);
    const seen = notified.attempts.length;
    if (!(await kit.untilAttempt(notified, seen > failures ? seen : seen + 1))) break;
    if (listed === undefined || notified.attempts.length === seen) continue;
    judged += 1;
    if (listed.status === underway) continue;
    return finding(listed.status === exhausted ? 'STA-3' : 'STA-1', {
      expected: `the notification is listed as ${underway} while attempts follow`,
      actual: `it was listed as ${JSON.stringify(listed.status)} after attempt ${before}, and attempt ${seen + 1} came after that`,
      exchanges: notified.attempts.slice(Math.max(0, seen - 1), seen + 1),
      hangsOnTime: true,
    });
  }
  if (judged === 0) throw new Unproven('no attempt followed after the list had shown the notification');
  return undefined;
}

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
    fc.record({ status: fc.constantFrom(...delivery.acceptedStatuses), failures: fc.integer({ min: 1, max: 3 }) }),
  ],
  run: async (kit, { status, failures }) => {
    if (kit.assumption('delivery.succeededAfter') === 'any') {
      throw new Unobservable('what makes a notification succeed was left open (--assume delivery.succeededAfter=any)');
    }
    const refusals = acceptAfter(failures, refuse(), kit.contract).slice(0, -1);
    const delivery = await firstDelivery(kit, { script: [...refusals, { do: 'respond', status }] as never });
    expectOwnStatus(delivery);
    const { notified } = delivery;
    if (failures > 0 && !(await kit.untilAttempt(notified, failures + 1))) {
      throw new Unproven('it was not retried, so it was never accepted');
    }
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
  hint: 'Record the outcome of the attempt that was accepted, whichever attempt and whichever accepting status it was.',
});

/** Sections 2.2 and 4.3: what is delivered is what is listed. */
const listed = serviceCheck<{ readonly refused: 'never' | 'once' | 'always' }>({
  id: 'service/statuses/listed',
  title:
    'lists every notification that it delivers, with the same id, event, type and time of creation and a known status',
  requirements: ['NTF-9', 'NTF-6'],
  about: ['operation:notifications', 'id'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.06,
  cases: () => (['never', 'once', 'always'] as const).map((refused) => fc.constant({ refused })),
  run: async (kit, { refused }) => {
    const script: CatchScript = {
      never: [accept(kit.contract)] as const,
      once: [refuse(), accept(kit.contract)] as const,
      always: [refuse()] as const,
    }[refused];
    // The event that happens stands last in the webhook's list: what is listed is the notification's own.
    const events = [...new Set(kit.scenarioEvents)].toReversed();
    const { first, notified } = await firstDelivery(kit, { script, events });
    if (refused === 'always') await untilGivenUp(kit, notified);
    // What is done must be listed as well as what is new.
    await kit.settle();
    const found = await kit.untilListed(notified.id, []);
    if (found === undefined) {
      const listing = await kit.list('notifications');
      if (!listing.complete) throw notRead(kit, 'notifications', listing);
      return finding('NTF-9', {
        expected: 'the delivered notification is in the list of notifications',
        actual: 'no page of the list holds its id',

        absence: true,
        exchanges: [first],
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
  hint: 'Deliver from the store that the list is read from: one record, one id, one event, one time of creation. The time of the last attempt or update is another column.',
});

/** @throws Unobservable where the retries take longer than they are waited for */
async function untilGivenUp(kit: ServiceKit, notified: Notified): Promise<void> {
  const { retries } = kit.contract.delivery;
  const isOver = () => notified.attempts.length > retries || kit.isOverdue(notified);
  if ((await kit.until(async () => isOver() || undefined)) === undefined)
    throw new Unobservable('the retries were not over yet, so that nothing shows whether what has failed is listed');
}

/** The kind of event makes no difference to that. */
const eachListed = serviceCheck<readonly string[]>({
  id: 'service/statuses/each-event-listed',
  title: 'lists a notification of every event as it was delivered',
  requirements: ['NTF-9'],
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
  return isSameMoment(created, listed.createdAt) ? undefined : differing('time of creation', created, listed.createdAt);
}

/** A time with a zone of its own says the same moment; one without a zone does not say which. */
const zoned = /[+-]\d{2}:?\d{2}$/;

/** Where what was delivered is no time, that is for other checks to judge. */
function isSameMoment(sent: unknown, listed: unknown): boolean {
  const one = utcTime(sent);
  if (one === undefined || typeof listed !== 'string') return true;
  const other = utcTime(listed) ?? (zoned.test(listed) ? Date.parse(listed) : Number.NaN);
  return Math.abs(one - other) < Math.max(resolution(sent as string), resolution(listed));
}
