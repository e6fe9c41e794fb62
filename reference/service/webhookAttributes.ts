import { member } from './member.ts';
import type { CustomHeader, Webhook, WebhookAttributes } from './records.ts';

/**
 * What is stored of a creation (section 4.1): what the contract lists, and nothing else. Without `events` a webhook
 * subscribes to all, which fills GAP-24.
 */
export function attributesOf(body: unknown, catalogue: readonly string[]): WebhookAttributes {
  const given = (name: string) => member(body, 'data', 'attributes', name);
  return {
    url: given('url') as string,
    active: (given('active') as boolean | undefined) ?? true,
    events: (given('events') as readonly string[] | undefined) ?? catalogue,
    headers: (given('headers') as readonly CustomHeader[] | null | undefined)?.map(headerOf) ?? null,
  };
}

/**
 * The webhook after an update: what the body names is replaced, the rest stays. Turning it active forgets its failures,
 * so that it does not turn inactive again at once (section 3.2).
 */
export function updated(webhook: Webhook, body: unknown): Webhook {
  const named = member(body, 'data', 'attributes') as Partial<WebhookAttributes> | undefined;
  const { url, active, events, headers } = { ...webhook, ...named };
  const attributes = attributesOf({ data: { attributes: { url, active, events, headers } } }, webhook.events);
  const reactivated = member(named, 'active') === true;
  return { ...webhook, ...attributes, failures: reactivated ? 0 : webhook.failures };
}

function headerOf({ name, value }: CustomHeader): CustomHeader {
  return { name, value };
}
