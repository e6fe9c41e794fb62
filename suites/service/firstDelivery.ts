import { Unobservable, Unproven } from '../check.ts';
import type { Caught } from '../exchange.ts';
import type { TriggeredEvent, Notified, Registration, ServiceKit, Webhook } from '../serviceKit.ts';

/** A webhook, what happened, and the notification that came of it. */
export interface FirstDelivery {
  readonly webhook: Webhook;
  readonly triggered: TriggeredEvent;
  readonly notified: Notified;
  /** The first attempt. */
  readonly first: Caught;
}

/**
 * Registers a webhook, makes the first scenario event happen, and waits for what comes of it.
 *
 * @throws Unproven where nothing comes: whether it should have is for `service/subscriptions/*` to say
 */
export async function firstDelivery(kit: ServiceKit, registration: Registration): Promise<FirstDelivery> {
  const webhook = await kit.register({ events: [kit.scenarioEvents[0]], ...registration });
  const triggered = await kit.trigger(kit.scenarioEvents[0]);
  const notified = await delivered(kit, webhook, triggered);
  return { webhook, triggered, notified, first: notified.attempts[0] };
}

/** The notification that came of a triggered event. @throws Unproven where none did */
export async function delivered(kit: ServiceKit, webhook: Webhook, triggered: TriggeredEvent): Promise<Notified> {
  const notified = await kit.arrival(webhook, triggered);
  if (notified?.attempts[0] !== undefined) return notified;
  throw new Unproven(`no notification of ${triggered.event} came, so nothing could be seen of it`);
}

/** @throws Unproven where it shows no id, and should: what came again could not be distinguished from what was sent again */
export function expectId({ contract }: Pick<ServiceKit, 'contract'>, id: string): void {
  if (id === '' && contract.delivery.id !== undefined)
    throw new Unproven('what came shows no id, so that notifications could not be distinguished');
}

/**
 * As {@link firstDelivery}, but takes whatever comes to the webhook: a body without an id is no notification that could
 * be distinguished from others.
 *
 * @throws Unproven where nothing comes
 */
export async function firstCaught(
  kit: ServiceKit,
  { carrier = 0, ...registration }: { readonly carrier?: 0 | 1 } & Pick<Registration, 'query' | 'folder'> = {},
) {
  const event = kit.scenarioEvents[carrier];
  const webhook = await kit.register({ events: [event], ...registration });
  const triggered = await kit.trigger(event);
  const [caught] = await kit.untilCaught(webhook.endpoint);
  if (caught === undefined) throw new Unproven(`nothing came after ${event} had happened`);
  return { webhook, triggered, caught };
}

/**
 * Whether the webhook was notified of what happened: also under an id that another notification of it has, which is for
 * `service/subscriptions/unique-ids` to say.
 *
 * @throws Unproven where something came that shows no id: it may be that
 */
export async function isNotified(kit: ServiceKit, webhook: Webhook, triggered: TriggeredEvent): Promise<boolean> {
  if (await kit.arrival(webhook, triggered)) return true;
  const { event, at } = triggered;
  const came = webhook.endpoint.caught.filter((each) => each.at >= at);
  // Retries of what happened before say nothing.
  if (came.some((each) => each.number === 1 && kit.delivered(each, 'event') === event)) return true;
  for (const { key } of came) expectId(kit, key);
  return false;
}

/**
 * Whether the monitor, which takes everything, had the same notification (GAP-21). What becomes of it is not decided at
 * one webhook then, so its listed status says nothing about that one.
 */
export function isShared({ notified, triggered }: Pick<FirstDelivery, 'notified' | 'triggered'>): boolean {
  return triggered.monitored.some(({ id }) => id === notified.id);
}

/** @throws Unobservable where the notification is shared */
export function expectOwnStatus(delivery: FirstDelivery): void {
  if (!isShared(delivery)) return;
  throw new Unobservable(
    'webhooks share one notification of an event (GAP-21), so its listed status says nothing about the delivery to one of them',
  );
}
