import type { Showing, WriteTime } from './policies.ts';
import type { Resource, Webhook } from './records.ts';

/** The resource object of a webhook (section 2.1). Lists leave the secret out: it is shown to those who ask for it. */
export function webhookResource(webhook: Webhook, showing: Showing, timestamp: WriteTime): Resource {
  const { id, url, active, events, secret, headers, createdAt } = webhook;
  const shown = showing === 'listed' ? {} : { secret };
  return {
    id,
    type: 'webhook',
    attributes: { url, active, events, ...shown, headers, created_at: timestamp(createdAt) },
  };
}
