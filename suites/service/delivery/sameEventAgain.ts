import fc from 'fast-check';

import { serviceCheck, Unproven, type ServiceFinding } from '../../check.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { broken } from '../broken.ts';
import { type FirstDelivery, firstDelivery } from '../firstDelivery.ts';

/** Sections 2.2 and 6: what happens again is told again, as a notification of its own. */
export const sameEventAgain = serviceCheck<{ readonly again: number }>({
  id: 'service/delivery/same-event-again',
  title: 'tells a webhook of the same event each time that it happens, under an id of its own',
  requirements: ['DLV-6', 'NTF-2'],
  needs: ['any-event'],
  schedule: { kind: 'singly' },
  // What others make happen at the same time could not be told from what is missing here.
  weight: 0.03,
  cases: () => [fc.constant({ again: 2 })],
  run: async (kit, { again }) => {
    const delivery = await firstDelivery(kit);
    // Times may be written in whole seconds, and what came twice by mistake comes soon.
    await kit.settle();
    const fresh: Webhook[] = [];
    while (fresh.length < again) fresh.push(await notifiedOfNext(kit, delivery));
    const { endpoint } = delivery.webhook;
    await kit.soon(() => idsAt(endpoint).length > again || undefined, arrivalTime(kit, delivery));
    return idsAt(endpoint).length > again ? undefined : lost(delivery, fresh);
  },
  hint:
    'Keep no memory of what a webhook was told of: two happenings of one kind are two notifications, however soon they ' +
    'follow each other. Make the id where the notification is stored, and not from the webhook and the event.',
});

/**
 * Lets the event happen once more, and shows by a webhook that was registered just before that it did.
 *
 * @throws Unproven where that one hears nothing: nobody may have been told
 */
async function notifiedOfNext(kit: ServiceKit, delivery: FirstDelivery): Promise<Webhook> {
  const { event } = delivery.triggered;
  const webhook = await kit.register({ events: [event] });
  await kit.raise(event);
  const heard = await kit.soon(() => webhook.endpoint.caught[0], arrivalTime(kit, delivery));
  if (heard) return webhook;
  throw new Unproven(`nothing came of ${event} when it happened again, not even to a webhook that was new`);
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
    return broken('NTF-2', {
      expected: `${triggered.event} happened ${times} times, and each notification of it has an id of its own`,
      actual: `${caught.length} deliveries came, all accepted at once, under ${idsAt(webhook.endpoint).length} id(s)`,
      exchanges: caught.slice(0, times),
      absence: true,
    });
  }
  return broken('DLV-6', {
    expected: `${triggered.event} happened ${times} times, and the webhook hears of it each time`,
    actual: `${caught.length} notification(s) of it came, while webhooks that were new each heard of the next time`,
    exchanges: [webhook.creation, ...caught, ...fresh.map(({ endpoint }) => endpoint.caught[0]!)],
    absence: true,
  });
}
