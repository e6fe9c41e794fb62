import type { Json } from '../../generators/json/json.ts';
import type { ServiceKit, Webhook } from '../serviceKit.ts';

/** Whether the service switched the webhook off: it then gets nothing, and that is allowed (GAP-5). */
export async function isInactive(kit: ServiceKit, webhook: Webhook): Promise<boolean> {
  return kit.terms.webhook.members.active !== undefined && isShownInactive(kit, await kit.current(webhook));
}

/**
 * The same of a webhook as the service shows it. Only what is shown as inactive is off: one that is not there, or shows
 * nothing of it, may have been lost, and must not pass for one that was switched off.
 */
export function isShownInactive(kit: ServiceKit, resource: Json | undefined): boolean {
  return resource !== undefined && kit.member(resource, 'active') === false;
}
