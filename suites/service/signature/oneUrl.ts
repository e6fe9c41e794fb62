import fc from 'fast-check';

import { serviceCheck, Unobservable, Unproven } from '../../check.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { broken } from '../broken.ts';
import { delivered, isShared } from '../firstDelivery.ts';
import { secretOf } from '../signing.ts';

/** Sections 2.1 and 6: two webhooks are two, also where both have the same url. */
export const oneUrl = serviceCheck<null>({
  id: 'service/signature/one-url',
  title: 'tells two webhooks with the same url both, each signed with its own secret',
  requirements: ['WHK-9', 'SIG-2', 'DLV-6'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.03,
  cases: () => [fc.constant(null)],
  run: async (kit) => {
    const first = await kit.register({ events: [kit.scenarioEvents[0]] });
    const second = await registeredAt(kit, first);
    const triggered = await kit.trigger(kit.scenarioEvents[0]);
    const notified = await delivered(kit, first, triggered);
    await kit.arrivals(first, triggered);
    const came = first.endpoint.caught.filter((caught) => kit.delivered(caught, 'event') === triggered.event);
    const unsigned = [first, second].filter((webhook) => !came.some((each) => kit.signature(each, secretOf(webhook))));
    if (unsigned.length === 0) return undefined;
    if (unsigned.length === 2)
      throw new Unproven('what came is not signed for either: see service/signature/first-attempt');
    if (came.length === 1 && isShared({ notified, triggered })) {
      throw new Unobservable('webhooks share one notification (GAP-21), which came once to the url that they share');
    }
    return broken(came.length === 1 ? 'DLV-6' : ['WHK-9', 'SIG-2'], {
      expected: 'two webhooks with one url get a notification each, signed with the secret of each',
      actual: `of ${came.length} that came, none verifies under the secret of the ${unsigned[0] === first ? 'first' : 'second'}`,
      exchanges: [first.creation, second.creation, ...came.slice(0, 2)],
      absence: true,
    });
  },
  hint: 'Look the secret up by the id of the webhook, never by its url.',
});

/** Another webhook with the url of this one. @throws Unobservable where the service does not make it */
async function registeredAt(kit: ServiceKit, { id, endpoint: { url } }: Webhook): Promise<Webhook> {
  const call = await kit.call('createWebhook', {
    body: kit.creation(kit.plainAttributes(url, { events: [kit.scenarioEvents[0]] })),
  });
  const webhook = kit.adopt(call);
  if (webhook !== undefined && webhook.id !== id) return webhook;
  throw new Unobservable('the service makes only one webhook for a url');
}
