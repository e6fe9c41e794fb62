import fc from 'fast-check';

import { isAmong } from '../../answer.ts';
import {
  serviceCheck,
  Unobservable,
  Unproven,
  type ServiceFinding,
  type ServiceCheck,
  unlessUnobservable,
} from '../../check.ts';
import type { Notified, ServiceKit, TriggeredEvent, Webhook } from '../../serviceKit.ts';
import { jsonMismatch, methodMismatch, pathMismatch, queryMismatch } from '../bodyMismatch.ts';
import { attributeNamed } from '../creation.ts';
import { finding } from '../../finding.ts';
import { firstCaught, type FirstDelivery, firstDelivery } from '../firstDelivery.ts';
import { counted, itemOf, pairs } from '../../items.ts';
import { offers } from '../../../spec/serviceTerms.ts';

/** A query that a service has to leave as it is: it may be what the receiver knows its customers by. */
const query = '?tenant=a%2Fb&mode=x%20y&tag=1%2B1&tag=2';

/** The same in the path: with its escapes or its letters changed, or its empty part left out, it is another one. */
const folders = ['/Kit%2Fa%20b', '/kit//a.;b=1'] as const;

/** What stands in front of the unguessable part of a URL, and behind it. */
interface Surroundings {
  readonly folder?: string;
  /** Some services and clients cut it off. */
  readonly slash?: '/';
  readonly query?: string;
  /** No client sends it (RFC 9110, 4.2.3). A service may refuse it. */
  readonly fragment?: string;
}

/** Sections 1 and 4.4: a push is a POST to the URL that was registered. */
const post = serviceCheck<Surroundings>({
  id: 'service/delivery/post',
  title: 'delivers with POST to the registered URL',
  requirements: ['SVC-2', 'DLV-1'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.06,
  cases: () => {
    const all: readonly Surroundings[] = [
      {},
      { query },
      { folder: folders[0] },
      { folder: folders[1], slash: '/' },
      { fragment: '#top' },
    ];
    return all.map((each) => fc.constant(each));
  },
  run: async (kit, surroundings) => {
    const { folder = '', slash = '', query: asked = '', fragment = '' } = surroundings;
    const event = kit.scenarioEvents[0];
    const webhook = await registered(kit, event, surroundings);
    const triggered = await kit.trigger(event);
    const [caught] = await kit.untilCaught(webhook.endpoint);
    if (caught === undefined) return astray(webhook, triggered, asked + fragment || folder);
    const wrong = methodMismatch(kit, caught);
    if (wrong) return finding(['SVC-2', 'DLV-1'], { ...wrong, exchanges: [caught] });
    const other = queryMismatch(caught, asked) ?? pathMismatch(caught, folder, slash);
    return other && finding('SVC-2', { ...other, exchanges: [caught] });
  },
  hint:
    'Send what is delivered as the body of a POST, not as a query and not as a form, to the URL as it was registered: its path ' +
    'and its query with their escapes, without its fragment.',
});

/** @throws Unobservable where the service refuses a url with a fragment, as the contract does not forbid */
async function registered(kit: ServiceKit, event: string, { query: asked, folder, slash, fragment }: Surroundings) {
  const behind = `${slash ?? ''}${asked ?? ''}${fragment ?? ''}`;
  return kit.register({ events: [event], query: behind, ...(folder && { folder }) }).catch((error: unknown) => {
    throw fragment && error instanceof Unproven ? new Unobservable(`no url with a fragment: ${error.message}`) : error;
  });
}

/**
 * Where others were notified, it went to another url.
 *
 * @throws Unproven where nobody was, or there is nothing special about this url
 */
function astray({ creation }: Webhook, { event, monitored }: TriggeredEvent, part: string | undefined): ServiceFinding {
  const seen = monitored.slice(0, 1).map(({ attempts: [first] }) => first);
  if (!part || seen.length === 0) throw new Unproven(`nothing came after ${event} had happened`);
  return finding('SVC-2', {
    expected: `the delivery of ${event} goes to the registered URL, which has ${part}`,
    actual: 'nothing came there, though a webhook with a plain url was notified',
    exchanges: [creation, ...seen],
    absence: true,
  });
}

/** Section 4.4 with GAP-23: JSON, said to be JSON, and all of it. */
const json = serviceCheck<{ readonly carrier: 0 | 1 }>({
  id: 'service/delivery/json',
  title: 'delivers whole JSON bodies and says that they are JSON',
  requirements: ['DLV-1'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.06,
  cases: () => [fc.constant({ carrier: 0 as const }), fc.constant({ carrier: 1 as const })],
  run: async (kit, { carrier }) => {
    const { caught } = await firstCaught(kit, { carrier });
    const wrong = jsonMismatch(kit, caught);
    if (wrong) return finding('DLV-1', { ...wrong, exchanges: [caught] });
    const mediaType = kit.header(caught, 'Content-Type');
    if (mediaType !== undefined) kit.learn('body.mediaType', mediaType, 'the Content-Type of a delivery');
    return undefined;
  },
  hint:
    'Encode the body to UTF-8 once, and count its bytes, not its characters, for Content-Length. Say application/json, ' +
    'or a media type that ends in +json.',
});

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
    const delivery = await firstDelivery(kit);
    // Times may be written in whole seconds, and what came twice by mistake comes soon.
    await kit.settle();
    const fresh: Webhook[] = [];
    let asleep: Webhook | undefined;
    while (fresh.length < again) {
      const subscription = await subscribed(kit, delivery.triggered.event, changes[fresh.length % changes.length]);
      if (fresh.length === 0) asleep = await turnedInactive(kit, delivery.triggered.event);
      fresh.push(subscription.webhook);
      const swallowed = await expectNext(kit, delivery, subscription);
      if (swallowed) return swallowed;
    }
    if (asleep && asleep.endpoint.caught.length > 0) {
      demandNoOthers(kit, delivery, fresh);
      return stillSent(delivery, asleep);
    }
    const { endpoint } = delivery.webhook;
    await kit.soon(() => idsAt(endpoint).length > again || undefined, arrivalTime(kit, delivery));
    return idsAt(endpoint).length > again ? undefined : lost(delivery, fresh);
  },
  hint:
    'Do not remember which events a webhook was notified of: two occurrences of an event are two notifications, ' +
    'however soon they follow each other. Create the id when the notification is stored, not from the webhook ' +
    'and the event. Read the webhooks when the event happens: a list in a cache misses those that are new, and goes on with those that were turned off. An --emit that joins what is raised in quick succession looks the same: let it raise each.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const deliveryChecks: readonly ServiceCheck[] = [post, json, sameEventAgain];

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
  let raised = 0;
  while (webhook.endpoint.caught.length === 0 && raised < most) {
    if (raised > 1) await kit.settle();
    await kit.raise(event);
    raised += 1;
    await kit.soon(() => webhook.endpoint.caught[0], arrivalTime(kit, delivery));
  }
  if (raised === 1) return undefined;
  // What was only late has come by then.
  await kit.settle();
  const came = kit.notifications(webhook.endpoint).length;
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

/** A webhook that was active, and whose update was answered just now; nothing where the service takes no such update. */
async function turnedInactive(kit: ServiceKit, event: string): Promise<Webhook | undefined> {
  if (!offers(kit.contract, 'update') || kit.terms.webhook.members.active === undefined) return undefined;
  const webhook = await kit.register({ events: [event] });
  const call = await kit.update(webhook, { [attributeNamed(kit.terms, 'active')]: false }).catch(unlessUnobservable);
  return call && isAmong(kit, call, 'update.response') ? webhook : undefined;
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

function stillSent({ triggered: { event } }: FirstDelivery, { creation, endpoint }: Webhook): ServiceFinding {
  return finding('WHK-6', {
    expected: `nothing of ${event} comes to a webhook that was turned inactive before it happened again`,
    actual: `${counted(endpoint.caught.length, 'delivery', 'deliveries')} came, right after the update that turns it inactive was answered`,
    exchanges: [creation, ...endpoint.caught.slice(0, 1)],
    absence: true,
  });
}

/** By its creation where the service takes no such update. */
async function subscribed(kit: ServiceKit, event: string, change: Subscription['change']): Promise<Subscription> {
  const other = kit.contract.events.find(({ name }) => name !== event)?.name;
  const isOffered = offers(kit.contract, 'update') && other !== undefined;
  if (change !== undefined && isOffered && kit.terms.webhook.members[change] !== undefined) {
    const webhook = await kit.register(change === 'active' ? { events: [event], active: false } : { events: [other] });
    const value = change === 'active' ? true : [event];
    const call = await kit.update(webhook, { [attributeNamed(kit.terms, change)]: value }).catch(unlessUnobservable);
    if (call && isAmong(kit, call, 'update.response')) return { webhook, change };
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
