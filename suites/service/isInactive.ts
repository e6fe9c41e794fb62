import type { ServiceKit, Webhook } from '../serviceKit.ts';

/** Whether the service switched the webhook off: it then gets nothing, and that is allowed (GAP-5). */
export async function isInactive(kit: ServiceKit, webhook: Webhook): Promise<boolean> {
  const resource = await kit.current(webhook);
  return resource !== undefined && kit.member(resource, 'active') === false;
}
