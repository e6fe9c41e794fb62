import fc from 'fast-check';

import { isTakenBy } from '../../../generators/calls/plainBody.ts';
import { serviceCheck, Unproven, type ServiceFinding } from '../../check.ts';
import type { TriggeredEvent, Notified, ServiceKit, Webhook } from '../../serviceKit.ts';
import type { Caught } from '../../exchange.ts';
import { deliveryJudges, type Mismatch } from '../bodyMismatch.ts';
import { patience } from '../load/notHeldUp.ts';
import { createdAgain, underAnotherId } from '../retries/sameNotification.ts';
import { sameButForId } from '../redelivery.ts';
import { refusedOnce, withoutRetry, type WithoutRetry } from '../retriedTogether.ts';
import { finding } from '../../finding.ts';
import { sampleAt } from '../sampling.ts';
import { isInactive } from '../isInactive.ts';
import { judgeSigned } from '../signing.ts';
import { sameTime } from '../utcTime.ts';
import { offers } from '../../../spec/serviceTerms.ts';
import { counted, itemOf, pairs } from '../../items.ts';

/** What those webhooks are configured with. */
const team = { name: 'X-Team', value: 'sea' } as const;

/** A webhook that subscribes to one event, and that event as it happened. */
interface Subscribed {
  readonly webhook: Webhook;
  readonly triggered: TriggeredEvent;
}

/** Section 6: each event reaches the webhook that subscribes to it alone, and no other event does. */
export const eachEvent = serviceCheck<readonly string[]>({
  id: 'service/subscriptions/each-event',
  title:
    'sends every event of the catalogue to the webhook that subscribes to it, again where it is refused, and to no other',
  requirements: [
    'DLV-6',
    'DLV-5',
    'NTF-5',
    'SVC-2',
    'SIG-2',
    'WHK-9',
    'SIG-1',
    'DLV-1',
    'NTF-1',
    'NTF-2',
    'NTF-4',
    'NTF-6',
    'NTF-7',
    'NTF-8',
    'WHK-6',
    'WHK-10',
    'DLV-3',
    'NTF-3',
  ],
  needs: ['any-event'],
  schedule: { kind: 'waiting' },
  weight: 0.01,
  cases: ({ events }) => [fc.constant(events)],
  run: async (kit, all) => {
    // What has been silent for all of them is asked for a few once more: a number may be good for one time only.
    const events = kit.isMute ? [...new Set(kit.scenarioEvents)] : all;
    const webhooks = await kit.registerMany(events.length, (place) => ({
      events: events.slice(place, place + 1),
      headers: [team],
      script: refusedOnce(kit),
    }));
    const inactive = await registeredInactive(kit, events);
    const whole = await kit.register({ events });
    const triggeredEvents = await kit.triggerAll(events);
    const subscribed = pairs(triggeredEvents, webhooks).map(([triggered, webhook]) => ({ triggered, webhook }));
    const isSilent = webhooks.every(({ endpoint }) => endpoint.caught.length === 0);
    if (isSilent && triggeredEvents.every(({ monitored }) => monitored.length === 0))
      return expectAny(kit, webhooks, triggeredEvents);
    // What came of one shows when the others were due.
    const heard = subscribed.find(({ webhook }) => webhook.endpoint.caught.length > 0) ?? itemOf(subscribed, 0);
    for (const each of subscribed) {
      const came = await kit.arrivals(each.webhook, heard.triggered);
      const found = judge(each, came, subscribed) ?? unsigned(kit, each.webhook, came);
      if (found) return found;
    }
    const without = await withoutRetry(kit, webhooks);
    return (
      (inactive && notifiedInactive(kit, inactive)) ??
      unlikeOthers(kit, webhooks) ??
      subscribed.map(({ webhook }) => unsigned(kit, webhook, kit.notifications(webhook.endpoint))).find(Boolean) ??
      (await retriedAsAnother(kit, webhooks)) ??
      (await missedBy(kit, whole, subscribed)) ??
      (without && notRetried(kit, without))
    );
  },
  hint: 'Compare names exactly, whole, and against the list of the webhook: prefixes, groups and wildcards bring events that nobody asked for.',
});

/** A webhook that would hear of every event if it were active. */
async function registeredInactive(kit: ServiceKit, events: readonly string[]): Promise<Webhook | undefined> {
  if (!isTakenBy(kit.contract, 'create', 'active')) return undefined;
  return kit.register({ active: false, events });
}

/** The kind of event makes no difference to that either. By now the other webhooks have been notified of all. */
function notifiedInactive(kit: ServiceKit, { creation, endpoint }: Webhook): ServiceFinding | undefined {
  const [caught] = endpoint.caught;
  if (caught === undefined) return undefined;
  return finding('WHK-6', {
    expected: 'an inactive webhook is notified of nothing, whichever event it is',
    actual: `a notification of ${JSON.stringify(kit.delivered(caught, 'event')) ?? 'no event'} came to it`,
    exchanges: [creation, caught],
  });
}

/**
 * Nothing came of anything. That breaks the contract where a sample shows that the service reaches the kit; else
 * something stands between the two.
 */
async function expectAny(
  kit: ServiceKit,
  webhooks: readonly Webhook[],
  triggeredEvents: readonly TriggeredEvent[],
): Promise<ServiceFinding | undefined> {
  if (!offers(kit.contract, 'sample'))
    throw new Unproven('nothing came of any event, and no sample shows whether anything reaches the kit');
  const { call, caught } = await sampleAt(kit, kit.endpoint(), { event: kit.scenarioEvents[0] });
  // What was delivered before shows that it does push what happens.
  const hasPushed = kit.contract.events.some(({ name }) => kit.monitored(name).length > 0);
  return finding(hasPushed ? 'DLV-6' : ['DLV-6', 'SVC-2'], {
    expected: 'what happens is sent to the webhooks that subscribe to it',
    actual: `nothing came of ${counted(triggeredEvents.length, 'event')}, while a sample did come`,
    exchanges: [itemOf(webhooks, 0).creation, call, caught],
    absence: true,
    // The sample that is shown came whole. What did not come was awaited for longer where the kit was late.
    hangsOnTime: false,
    hint: nothingRaised,
  });
}

const nothingRaised =
  'Look at what lies between where something happens and where it is sent: a queue that nobody reads, a worker that is ' +
  'not running, a list of webhooks that was read once. Or --emit confirms what it does not raise, raises something ' +
  'else, or raises it in another installation than the base address: raise one event by hand, and look for it in your log.';

export const neverSent =
  'Look at what becomes of this event where it happens: a name that is missing in a list or spelt otherwise there, ' +
  'a handler that fails, a queue that nobody reads.';

function judge(
  { webhook, triggered: { event } }: Subscribed,
  came: readonly Notified[],
  all: readonly Subscribed[],
): ServiceFinding | undefined {
  const strangers = came.filter((notified) => notified.event !== event && notified.event !== '');
  const own = came.filter((notified) => notified.event === event);
  const exchanges = [webhook.creation, ...(strangers[0]?.attempts.slice(0, 1) ?? [])];
  if (own.length === 0 && came.length === 0) {
    const heard = all.filter((each) => each.webhook.endpoint.caught.length > 0);
    const isRare = heard.length <= all.length / 4;
    return finding('DLV-6', {
      expected: `the webhook that subscribes to ${event} hears of it`,
      actual: isRare ? `nothing came to it, and ${onlyOf(heard, all)}` : 'nothing came to it',
      hint: isRare ? nothingRaised : neverSent,
      exchanges,
      absence: true,
      // A service that is slow, or waits for the kit's answers, still brings more than a few.
      hangsOnTime: !isRare,
    });
  }
  const [stranger] = strangers;
  if (stranger === undefined) return undefined;
  return finding(own.length === 0 ? 'NTF-5' : 'DLV-5', {
    expected: `what comes to a webhook that subscribes to ${event} alone names ${event}`,
    actual: `a notification came that names ${stranger.event}`,
    exchanges,
  });
}

/** Where most is missing, what came says more of the reason than what did not. */
function onlyOf(heard: readonly Subscribed[], all: readonly Subscribed[]): string {
  const names = heard
    .slice(0, 3)
    .map(({ webhook, triggered }) => `${triggered.event} (${webhook.endpoint.caught.length})`);
  const more = heard.length > names.length ? `, and ${heard.length - names.length} more` : '';
  return `of ${all.length} events only ${heard.length} brought any notification: ${names.join(', ')}${more}`;
}

/** The kind of event makes no difference to the signature, nor to that of a retry. A body that names none is judged as such. */
function unsigned(kit: ServiceKit, webhook: Webhook, came: readonly Notified[]): ServiceFinding | undefined {
  const own = came.find(({ event }) => event !== '');
  const [found] = own?.attempts.flatMap((caught) => judgeSigned(kit, webhook, caught) ?? []) ?? [];
  return found && { ...found, difference: `the event is ${own?.event}` };
}

/**
 * What the contract says of every delivery holds whichever event it is about. What is wrong with all of them is for the
 * checks of a single delivery to say.
 */
function unlikeOthers(kit: ServiceKit, webhooks: readonly Webhook[]): ServiceFinding | undefined {
  const all = webhooks.flatMap(({ endpoint }) => endpoint.caught);
  for (const [requirement, mismatchOf] of judges) {
    const judged = all.map((caught) => ({ caught, mismatch: mismatchOf(kit, caught) }));
    const twin = judged.find(({ mismatch }) => mismatch === undefined)?.caught;
    const wrong = judged.find(({ mismatch }) => mismatch !== undefined);
    if (twin === undefined || wrong?.mismatch === undefined) continue;
    const { caught, mismatch } = wrong;
    const event = `the event is ${JSON.stringify(kit.delivered(caught, 'event')) ?? 'not named'}`;
    const difference = caught.number === 1 ? event : `${event}, and it is a retry`;
    return finding(requirement, { ...mismatch, exchanges: [caught], twin, difference });
  }
  return undefined;
}

const judges: typeof deliveryJudges = [...deliveryJudges, ['WHK-10', headerMismatch]];

/** Sections 2.1 and 4.4. @returns nothing where the custom header of these webhooks is there as it was configured */
function headerMismatch(_kit: unknown, { headers }: Caught): Mismatch | undefined {
  const values = headers.filter(([name]) => name.toLowerCase() === team.name.toLowerCase()).map(([, value]) => value);
  if (values.includes(team.value)) return undefined;
  const actual = values.length === 0 ? `there is no header ${team.name}` : `it carries ${team.name}: ${values.join()}`;
  return { expected: `it carries ${team.name}: ${team.value}`, actual };
}

/** A retry has the id and the time of the first attempt, whichever event it is about. */
async function retriedAsAnother(kit: ServiceKit, webhooks: readonly Webhook[]): Promise<ServiceFinding | undefined> {
  for (const { endpoint } of webhooks) {
    const [first, ...others] = endpoint.caught;
    if (first === undefined || others.length === 0) continue;
    const difference = `the event is ${JSON.stringify(kit.delivered(first, 'event')) ?? 'not named'}`;
    const [changed] = kit.notifications(endpoint).flatMap(({ attempts }) => createdAgain(kit, attempts) ?? []);
    if (changed) return { ...changed, difference };
    const isRenamed = () => endpoint.caught.every((each) => each.number === 1 && isLike(kit, first, each));
    if (!isRenamed() || isOften(kit, first)) continue;
    // What happens twice is refused and sent again under each id: of ids that came once only, three are those of retries.
    await kit.soon(() => endpoint.caught.length > 2 || undefined, patience);
    if (endpoint.caught.length > 2 && isRenamed())
      return { ...underAnotherId(first, endpoint.caught.slice(1)), difference, absence: true };
  }
  return undefined;
}

/** Whether its event happened more than once at that time, for all that the monitor has been sent. */
function isOften(kit: ServiceKit, caught: Caught): boolean {
  const created = kit.delivered(caught, 'createdAt');
  const event = String(kit.delivered(caught, 'event'));
  return (
    kit.monitored(event).filter(({ attempts: [each] }) => sameTime(kit.delivered(each, 'createdAt'), created)).length >
    1
  );
}

function isLike(kit: ServiceKit, first: Caught, other: Caught): boolean {
  return other === first || sameButForId(kit, first, other);
}

/** What is refused is sent again whichever event it is about. */
function notRetried(kit: ServiceKit, { webhook, count, twin }: WithoutRetry): ServiceFinding {
  const refused = webhook.endpoint.caught.slice(0, 1);
  const events = refused.map((caught) => JSON.stringify(kit.delivered(caught, 'event')) ?? 'no event');
  return finding('DLV-3', {
    expected: 'every event is sent again that was refused',
    actual: `${counted(count, 'event')} got no retry, ${events.join()} among them, and others did`,
    exchanges: [webhook.creation, ...refused],
    twin,
    difference: `the event is ${events.join()}`,
    absence: true,
    hint: 'Send every event through one queue that retries. Code that sends some events where they happen has to put what was refused into that queue.',
  });
}

/** How many events a webhook subscribes to makes no difference: one that subscribes to all hears of each as well. */
async function missedBy(
  kit: ServiceKit,
  whole: Webhook,
  all: readonly Subscribed[],
): Promise<ServiceFinding | undefined> {
  const heard = kit.notifications(whole.endpoint).map(({ event }) => event);
  const missed = all.find(
    ({ webhook, triggered }) => webhook.endpoint.caught.length > 0 && !heard.includes(triggered.event),
  );
  if (missed === undefined || (await isInactive(kit, whole))) return undefined;
  return finding('DLV-6', {
    expected: `a webhook that subscribes to ${counted(all.length, 'event')} hears of ${missed.triggered.event} too`,
    actual: 'it was not notified, while the webhook that subscribes to that event alone was',
    exchanges: [whole.creation, ...missed.webhook.endpoint.caught.slice(0, 1)],
    absence: true,
    hangsOnTime: true,
  });
}
