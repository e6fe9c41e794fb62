import fc from 'fast-check';

import type { Json } from '../../../generators/json/json.ts';
import { isAmong } from '../../answer.ts';
import { serviceCheck, Unproven, type ServiceFinding, unlessUnobservable } from '../../check.ts';
import type { Notified, ServiceKit, TriggeredEvent, Webhook } from '../../serviceKit.ts';
import { attributeNamed } from '../creation.ts';
import { finding } from '../../finding.ts';
import { delivered, expectId, type FirstDelivery } from '../firstDelivery.ts';
import { counted, itemOf, pairs } from '../../items.ts';
import { offers } from '../../../spec/serviceTerms.ts';
import { isUnheard, silence } from '../silence.ts';

/** Sections 2.2 and 6: what happens again is sent again, as a notification of its own. */
export const sameEventAgain = serviceCheck<{ readonly again: number }>({
  id: 'service/delivery/same-event-again',
  title: 'notifies a webhook of the same event each time that it happens, under an id of its own',
  requirements: ['DLV-6', 'NTF-2', 'ACT-2', 'ACT-3', 'WHK-6'],
  about: ['id'],
  needs: ['any-event'],
  // What others make happen at the same time could not be distinguished from what is missing here.
  schedule: { kind: 'singly', waitsFor: 'absence' },
  weight: 0.03,
  cases: () => [fc.constant({ again: 4 })],
  run: async (kit, { again }) => {
    const [event] = kit.scenarioEvents;
    const webhook = await kit.register({ events: [event] });
    const triggered = await kit.trigger(event);
    if (isUnheard(triggered, [webhook])) return silence(kit, triggered, [webhook]);
    if (triggered.monitored.length > 0 && (await kit.arrival(webhook, triggered)) === undefined)
      return tooNew({ webhook, change: undefined }, triggered.monitored);
    const notified = await delivered(kit, webhook, triggered);
    expectId(kit, notified.id);
    const delivery: FirstDelivery = { webhook, triggered, notified, first: notified.attempts[0] };
    // Times may be written in whole seconds, and what came twice by mistake comes soon.
    await kit.settle();
    // These are there before it happens again: what keeps a webhook in a cache has them then, as they were.
    const early = await changeable(kit, event);
    const awake = await kit.register({ events: [event] });
    const fresh: Webhook[] = [];
    let isAsleep = false;
    while (fresh.length < again) {
      await wakeWorkers(kit, triggered);
      const subscription = await subscribed(kit, event, early[fresh.length]);
      if (fresh.length === 1) isAsleep = await turnedInactive(kit, awake);
      fresh.push(subscription.webhook);
      const swallowed = await expectNext(kit, delivery, subscription);
      if (swallowed) return swallowed;
    }
    if (isAsleep && kit.notifications(awake.endpoint).length > 1) {
      demandNoOthers(kit, delivery, fresh);
      return stillSent(kit, delivery, awake);
    }
    const { endpoint } = webhook;
    await kit.soon(() => idsAt(endpoint).length > again || undefined, arrivalTime(kit, delivery));
    return idsAt(endpoint).length > again ? atOnce(kit, delivery) : lost(delivery, fresh);
  },
  hint:
    'Do not remember which events a webhook was notified of: two occurrences of an event are two notifications, ' +
    'however soon they follow each other. Create the id when the notification is stored, not from the webhook ' +
    'and the event. Read the webhooks when the event happens: a list in a cache, of each worker too, misses those that are new, and goes on with those that were turned off. An --emit that joins what is raised in quick succession looks the same: let it raise each.',
});

/** Workers that a service may have: each may keep webhooks in a cache of its own. */
const workers = 4;

/** Lets another event happen several times at once, of which no webhook here hears: every cache of webhooks is filled then. */
async function wakeWorkers(kit: ServiceKit, { event, by }: TriggeredEvent): Promise<void> {
  const other = kit.scenarioEvents.find((name) => name !== event && name !== unsubscribed(kit, event));
  if (other === undefined || by !== 'emit') return;
  await Promise.all(Array.from({ length: workers }, () => kit.raise(other)));
}

/** What a webhook subscribes to until it is changed. */
function unsubscribed({ contract }: ServiceKit, event: string): string | undefined {
  return contract.events.find(({ name }) => name !== event)?.name;
}

/**
 * Lets the event happen once more, and shows by a webhook that was registered just before that it did. Where that does not hear
 * of it, it happens once more, later: what then comes shows that the one before was lost because it came too soon, or that
 * the webhook was too new for it.
 *
 * @throws Unproven where nothing comes then either, to nobody
 */
async function expectNext(
  kit: ServiceKit,
  delivery: FirstDelivery,
  subscription: Subscription,
): Promise<ServiceFinding | undefined> {
  const { event } = delivery.triggered;
  const { webhook } = subscription;
  const others = () => [kit.monitored(event), kit.notifications(delivery.webhook.endpoint)];
  const known = others().map(({ length }) => length);
  // A webhook that is notified although it is inactive is the matter of others.
  const [caught, notified] = [webhook.endpoint.caught.length, kit.notifications(webhook.endpoint).length];
  const next = () => webhook.endpoint.caught[caught];
  let raised = 0;
  while (next() === undefined && raised < most) {
    if (raised > 1) await kit.settle();
    await kit.raise(event);
    raised += 1;
    await kit.soon(next, arrivalTime(kit, delivery));
  }
  if (raised === 1) return undefined;
  // What was only late has come by then.
  await kit.settle();
  const came = kit.notifications(webhook.endpoint).length - notified;
  if (came >= raised) return undefined;
  const elsewhere = pairs(others(), known).map(([all, count]) => all.slice(count));
  const whole = elsewhere.find(({ length }) => length >= raised);
  if (came === 0 && whole === undefined)
    throw new Unproven(
      `nothing came of ${event} when it happened again, not even to a webhook that was ready just before`,
    );
  return whole === undefined ? tooSoon(delivery, webhook) : tooNew(subscription, whole);
}

/** A webhook that subscribes to the event since a moment ago, by its creation or by a change of this member. */
interface Subscription {
  readonly webhook: Webhook;
  readonly change: keyof typeof brokenBy | undefined;
}

/** What a webhook breaks that does not follow a change of this member at once. */
const brokenBy = { active: 'ACT-2', events: 'ACT-3' } as const;
const changes = [undefined, undefined, 'active', 'events'] as const;

/** Whether the service took the update that turns it inactive. */
async function turnedInactive(kit: ServiceKit, webhook: Webhook): Promise<boolean> {
  if (!offers(kit.contract, 'update') || kit.terms.webhook.members.active === undefined) return false;
  return isTaken(kit, webhook, 'active', false);
}

async function isTaken(kit: ServiceKit, webhook: Webhook, member: 'active' | 'events', value: Json): Promise<boolean> {
  const call = await kit.update(webhook, { [attributeNamed(kit.terms, member)]: value }).catch(unlessUnobservable);
  return call !== undefined && isAmong(kit, call, 'update.response');
}

/**
 * What happened before the update was answered may have come to a webhook that was active until then.
 *
 * @param fresh - the first of them was there before that webhook, and hears of all that it may hear of
 * @throws Unproven where that one was notified more often than it happened here
 */
function demandNoOthers(kit: ServiceKit, { triggered: { event } }: FirstDelivery, fresh: readonly Webhook[]): void {
  if (kit.notifications(itemOf(fresh, 0).endpoint).length > fresh.length)
    throw new Unproven(`${event} happened at the same time for another reason`);
}

function stillSent(
  kit: ServiceKit,
  { triggered: { event } }: FirstDelivery,
  { creation, endpoint }: Webhook,
): ServiceFinding {
  const sent = kit.notifications(endpoint).slice(1);
  return finding('WHK-6', {
    expected: `nothing of ${event} comes to a webhook that was turned inactive before it happened again`,
    actual: `${counted(sent.length, 'notification')} came, right after the update that turns it inactive was answered`,
    exchanges: [creation, ...sent.slice(0, 1).map(({ attempts: [first] }) => first)],
    absence: true,
  });
}

/** One webhook for each change, in their order, that does not subscribe to the event until then; nothing where a change is none or not offered. */
async function changeable(kit: ServiceKit, event: string): Promise<readonly (Subscription | undefined)[]> {
  const other = unsubscribed(kit, event);
  if (!offers(kit.contract, 'update') || other === undefined) return [];
  return Promise.all(
    changes.map(async (change) => {
      if (change === undefined || kit.terms.webhook.members[change] === undefined) return undefined;
      const active = change === 'active' ? { events: [event], active: false } : { events: [other] };
      return { webhook: await kit.register(active), change };
    }),
  );
}

/** By its creation where there is nothing to change, or the service takes no such update. */
async function subscribed(kit: ServiceKit, event: string, early: Subscription | undefined): Promise<Subscription> {
  if (early?.change !== undefined) {
    const value = early.change === 'active' ? true : [event];
    if (await isTaken(kit, early.webhook, early.change, value)) return early;
  }
  return { webhook: await kit.register({ events: [event] }), change: undefined };
}

/** Times that the event happens, at most, until a new webhook hears of it. */
const most = 4;

/** @param elsewhere - what came of it since then, to one that had been there before */
function tooNew({ webhook, change }: Subscription, elsewhere: readonly Notified[]): ServiceFinding {
  const { creation, endpoint } = webhook;
  return finding(change === undefined ? 'DLV-6' : brokenBy[change], {
    expected: `what happens as soon as a webhook is ${change === undefined ? 'registered' : `changed in its ${change}`} brings it a notification`,
    actual: `the webhook was not notified, though another was${endpoint.caught.length === 0 ? '' : '. It was notified of the same event later'}`,
    exchanges: [creation, ...elsewhere.slice(0, 1).map(({ attempts: [first] }) => first), ...endpoint.caught],
    absence: true,
  });
}

function tooSoon({ webhook, triggered: { event } }: FirstDelivery, { endpoint }: Webhook): ServiceFinding {
  return finding('DLV-6', {
    expected: `a notification each time that ${event} happens, also soon after the one before`,
    actual: 'no webhook was notified when it happened again at once. Later, after a pause, they were',
    exchanges: [webhook.creation, ...webhook.endpoint.caught.slice(0, 2), ...endpoint.caught],
    absence: true,
  });
}

/** Milliseconds that what happens again is waited for: several times as long as it took at first. */
function arrivalTime(kit: ServiceKit, { first, triggered }: FirstDelivery): number {
  return kit.overdueAfter({ took: first.at - triggered.at, timeout: 0 });
}

function idsAt({ caught }: Webhook['endpoint']): readonly string[] {
  return [...new Set(caught.map(({ key }) => key))];
}

/** What happens several times at the same moment: this leaves no time between two of them, however quick the kit is. */
async function atOnce(kit: ServiceKit, delivery: FirstDelivery): Promise<ServiceFinding | undefined> {
  const { webhook, triggered } = delivery;
  if (triggered.by !== 'emit') return undefined;
  const before = { ids: idsAt(webhook.endpoint).length, caught: webhook.endpoint.caught.length };
  await Promise.all(Array.from({ length: workers }, () => kit.raise(triggered.event)));
  const areMissing = () => idsAt(webhook.endpoint).length < before.ids + workers;
  await kit.soon(() => !areMissing() || undefined, arrivalTime(kit, delivery));
  if (areMissing()) await kit.settle();
  if (!areMissing()) return undefined;
  const caught = webhook.endpoint.caught.slice(before.caught);
  const ids = idsAt(webhook.endpoint).length - before.ids;
  return finding(caught.length < workers ? 'DLV-6' : 'NTF-2', {
    expected: `${triggered.event} happened ${workers} times at the same moment, and each brings a notification with an id of its own`,
    actual: `${counted(caught.length, 'delivery', 'deliveries')} came, all accepted at once, under ${counted(ids, 'new id')}`,
    exchanges: [webhook.creation, ...caught.slice(0, workers)],
    absence: true,
  });
}

/** One id for several triggered events, or triggered events that were not delivered. */
function lost({ webhook, triggered }: FirstDelivery, fresh: readonly Webhook[]): ServiceFinding {
  const { caught } = webhook.endpoint;
  const times = fresh.length + 1;
  if (caught.length >= times) {
    return finding('NTF-2', {
      expected: `${triggered.event} happened ${times} times, and each notification of it has an id of its own`,
      actual: `${caught.length} deliveries came, all accepted at once, under ${counted(idsAt(webhook.endpoint).length, 'id')}`,
      exchanges: caught.slice(0, times),
      absence: true,
    });
  }
  return finding('DLV-6', {
    expected: `${triggered.event} happened ${times} times, and the webhook hears of it each time`,
    actual: `${counted(caught.length, 'notification')} of it came, while webhooks that were new each heard of the next time`,
    exchanges: [webhook.creation, ...caught, ...fresh.flatMap(({ endpoint }) => endpoint.caught.slice(0, 1))],
    absence: true,
  });
}
