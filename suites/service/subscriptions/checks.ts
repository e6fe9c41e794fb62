import fc from 'fast-check';

import { serviceCheck, Unproven, type ServiceFinding, type ServiceCheck } from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import type { TriggeredEvent, Notified, ServiceKit, Webhook } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { isNotified } from '../firstDelivery.ts';
import { itemOf } from '../../items.ts';
import { eachEvent, neverSent } from './eachEvent.ts';

/** The same for what a user's means can cause, with lists of several shapes. */
const narrow = serviceCheck<{ readonly shape: (typeof shapes)[number] }>({
  id: 'service/subscriptions/narrow',
  title: 'sends a webhook the events in its list and no others',
  requirements: ['DLV-5', 'DLV-6', 'NTF-5'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.1,
  cases: () => shapes.map((shape) => fc.constant({ shape })),
  run: async (kit, { shape }) => {
    const events = listOf(kit, shape);
    const webhook = await kit.register({ events });
    const caused = [...new Set([kit.scenarioEvents[0], kit.scenarioEvents[1]])];
    const triggeredEvents = await kit.triggerAll(caused);
    for (const triggered of triggeredEvents.filter(({ event }) => events.includes(event))) {
      if (!(await isNotified(kit, webhook, triggered))) return notNotified(kit, webhook, triggered);
    }
    const came = await kit.arrivals(webhook, itemOf(triggeredEvents, 0));
    const stranger = came.find(({ event }) => event !== '' && !events.includes(event));
    if (stranger === undefined) return undefined;
    return finding(isKnown(kit, stranger) ? 'DLV-5' : 'NTF-5', {
      expected: 'only events of the catalogue that are in the list of the webhook are sent',
      actual: `a notification came that names ${stranger.event}`,
      exchanges: [webhook.creation, stranger.attempts[0]],
    });
  },
  hint: 'Look the list of the webhook up for every event. An empty or missing entry must not mean "everything".',
});

const shapes = ['one', 'another', 'two', 'all', 'all but one'] as const;

function listOf(kit: ServiceKit, shape: (typeof shapes)[number]): readonly string[] {
  const all = kit.contract.events.map(({ name }) => name);
  const [first, second] = kit.scenarioEvents;
  switch (shape) {
    case 'one':
      return [first];
    case 'another':
      return [second];
    case 'two':
      return [...new Set([first, second])];
    case 'all':
      return all;
    case 'all but one':
      return all.filter((name) => name !== first);
  }
}

/** Missing, or there under another name: the list had one event only. */
function notNotified(kit: ServiceKit, webhook: Webhook, { event, monitored }: TriggeredEvent): ServiceFinding {
  const [other] = kit.notifications(webhook.endpoint);
  if (other?.event === '') throw new Unproven('what came names no event: see service/notification/event');
  const isMisnamed = other !== undefined && Array.isArray(webhook.events) && webhook.events.length === 1;
  const seen = monitored[0]?.attempts.slice(0, 1) ?? [];
  return finding(isMisnamed ? 'NTF-5' : 'DLV-6', {
    expected: `the webhook hears of ${event}`,
    actual: isMisnamed
      ? `what came to it names ${other.event}`
      : `nothing of it came${other ? `, while ${other.event} did` : ''}`,
    ...(!isMisnamed && { hint: other ? replaced : neverSent }),
    exchanges: [webhook.creation, ...seen, ...(isMisnamed ? other.attempts.slice(0, 1) : [])],
    absence: !isMisnamed,
  });
}

const replaced =
  'Look for the event in the whole list, also where that is long, and queue each notification under an id of its own: under ' +
  'that of its webhook it replaces what still waits there.';

function isKnown(kit: ServiceKit, { event }: Notified): boolean {
  return kit.contract.events.some(({ name }) => name === event);
}

/** Section 6: leaving one event out leaves that one out. */
const allButOne = serviceCheck<{ readonly left: string }>({
  id: 'service/subscriptions/all-but-one',
  title: 'sends everything but the one event that is not in the list',
  requirements: ['DLV-5', 'DLV-6'],
  needs: ['any-event'],
  schedule: { kind: 'waiting' },
  weight: 0.08,
  cases: ({ events }) => [fc.record({ left: fc.constantFrom(...events) })],
  run: async (kit, { left }) => {
    const webhook = await kit.register({ events: kit.events.filter((event) => event !== left) });
    const triggeredEvents = await kit.triggerAll(kit.events);
    const came = await kit.arrivals(webhook, itemOf(triggeredEvents, 0));
    const stranger = came.find(({ event }) => event === left);
    if (stranger) {
      return finding('DLV-5', {
        expected: `a webhook that does not subscribe to ${left} does not hear of it`,
        actual: 'it was sent a notification of it',
        exchanges: [webhook.creation, stranger.attempts[0]],
      });
    }
    const notNotifiedOf = triggeredEvents.find(
      ({ event, monitored }) =>
        event !== left && monitored.length > 0 && !came.some((notified) => notified.event === event),
    );
    return notNotifiedOf && notNotified(kit, webhook, notNotifiedOf);
  },
  hint: 'Do not cut off long lists, and do not treat a nearly complete list as a complete one.',
});

/** Sections 2.2 and 6: every notification has an id of its own. GAP-21: whether webhooks share it is open. */
const uniqueIds = serviceCheck<{ readonly webhooks: number }>({
  id: 'service/subscriptions/unique-ids',
  title: 'gives every notification of a webhook an id of its own',
  requirements: ['NTF-2'],
  about: ['id'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.05,
  cases: () => [fc.record({ webhooks: fc.integer({ min: 2, max: 3 }) })],
  run: async (kit, { webhooks }) => {
    const events = [...new Set(kit.scenarioEvents)];
    const all = await kit.registerMany(webhooks, () => ({ events }));
    const triggeredEvents = await kit.triggerAll(events);
    await kit.arrivals(itemOf(all, 0), itemOf(triggeredEvents, 0));
    for (const { endpoint } of all) {
      const clash = endpoint.caught.find((caught) => endpoint.caught.some((other) => isOther(kit, caught, other)));
      const other = clash && endpoint.caught.find((each) => isOther(kit, clash, each));
      if (clash && other) {
        return finding('NTF-2', {
          expected: 'notifications of different events have different ids',
          actual: 'one id names two events',
          exchanges: [clash, other],
        });
      }
    }
    learnSharing(kit, all);
    return undefined;
  },
  hint: 'Make the id where the notification is stored, one for each. An id of the webhook, of the record or of a batch is not its own.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const subscriptionsChecks: readonly ServiceCheck[] = [eachEvent, narrow, allButOne, uniqueIds];

/** Whether two deliveries carry one id and name different events. */
function isOther(kit: ServiceKit, one: Caught, other: Caught): boolean {
  if (one.key === '' || one.key !== other.key) return false;
  return kit.delivered(one, 'event') !== kit.delivered(other, 'event');
}

function learnSharing(kit: ServiceKit, webhooks: readonly Webhook[]): void {
  const [one, other] = webhooks.map(({ endpoint }) => kit.notifications(endpoint).map(({ id }) => id));
  if (!one?.length || !other?.length) return;
  const same = one.some((id) => other.includes(id));
  kit.learn('notification.idAcrossWebhooks', same ? 'same' : 'different', 'two webhooks that heard of the same event');
}
