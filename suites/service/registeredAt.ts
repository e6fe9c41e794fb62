import { Unobservable } from '../check.ts';
import type { ServiceKit, Webhook } from '../serviceKit.ts';

/** Another webhook with the url of this one. @throws Unobservable where the service does not make it */
export async function registeredAt(
  kit: ServiceKit,
  { id, endpoint }: Webhook,
  events: readonly string[],
): Promise<Webhook> {
  const call = await kit.call('create', { body: kit.creation(kit.plainAttributes(endpoint.url, { events })) });
  const webhook = kit.adopt(call, endpoint);
  if (webhook !== undefined && webhook.id !== id) return webhook;
  throw new Unobservable('the service makes only one webhook for a url');
}
