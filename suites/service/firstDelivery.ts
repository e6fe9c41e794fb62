import { Unobservable, Unproven } from '../check.ts';
import type { Caught } from '../exchange.ts';
import type { Happening, Notified, Registration, ServiceKit, Webhook } from '../serviceKit.ts';

/** A webhook, what happened, and the notification that came of it. */
export interface FirstDelivery {
  readonly webhook: Webhook;
  readonly happening: Happening;
  readonly notified: Notified;
  /** The first attempt. */
  readonly first: Caught;
}

/**
 * Registers a webhook, makes the first carrier happen, and waits for what comes of it.
 *
 * @throws Unproven where nothing comes: whether it should have is for `service/subscriptions/*` to say
 */
export async function firstDelivery(kit: ServiceKit, registration: Registration = {}): Promise<FirstDelivery> {
  const webhook = await kit.register({ events: [kit.carriers[0]], ...registration });
  const happening = await kit.happen(kit.carriers[0]);
  const notified = await delivered(kit, webhook, happening);
  return { webhook, happening, notified, first: notified.attempts[0]! };
}

/** The notification that came of a happening. @throws Unproven where none did */
export async function delivered(kit: ServiceKit, webhook: Webhook, happening: Happening): Promise<Notified> {
  const notified = await kit.arrival(webhook, happening);
  if (notified?.attempts[0] !== undefined) return notified;
  throw new Unproven(`no notification of ${happening.event} came, so nothing could be seen of it`);
}

/**
 * As {@link firstDelivery}, but takes whatever comes to the webhook: a body without an id is no notification that could
 * be told from others.
 *
 * @throws Unproven where nothing comes
 */
export async function firstCaught(kit: ServiceKit, { carrier = 0 }: { readonly carrier?: 0 | 1 } = {}) {
  const event = kit.carriers[carrier];
  const webhook = await kit.register({ events: [event] });
  const happening = await kit.happen(event);
  const [caught] = await kit.untilCaught(webhook.endpoint);
  if (caught === undefined) throw new Unproven(`nothing came after ${event} had happened`);
  return { webhook, happening, caught };
}

/**
 * Whether the webhook was told of what happened: also under an id that another notification of it has, which is for
 * `service/subscriptions/unique-ids` to say.
 */
export async function isTold(kit: ServiceKit, webhook: Webhook, happening: Happening): Promise<boolean> {
  if (await kit.arrival(webhook, happening)) return true;
  const { event, at } = happening;
  // Retries of what happened before say nothing.
  const { caught } = webhook.endpoint;
  return caught.some((each) => each.number === 1 && each.at >= at && kit.delivered(each, 'event') === event);
}

/**
 * Whether the witness, which takes everything, had the same notification (GAP-21). What becomes of it is not decided at
 * one webhook then, so its listed status says nothing about that one.
 */
export function isShared({ notified, happening }: Pick<FirstDelivery, 'notified' | 'happening'>): boolean {
  return happening.witnessed.some(({ id }) => id === notified.id);
}

/** @throws Unobservable where the notification is shared */
export function expectOwnStatus(delivery: FirstDelivery): void {
  if (!isShared(delivery)) return;
  throw new Unobservable(
    'webhooks share one notification of an event (GAP-21), so its listed status says nothing about the delivery to one of them',
  );
}
