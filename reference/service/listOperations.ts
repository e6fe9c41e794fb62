import type { Handler, Handlers } from './call.ts';
import { linkTo, pageOf } from './paging.ts';
import type { ListName } from './records.ts';
import { jsonReply } from './reply.ts';

/** The lists (section 4.3), the newest first, page by page; what the envelope holds fills GAP-8. */
export const listOperations: Handlers = {
  listWebhooks: listing('webhooks'),
  listWebhookNotifications: listing('webhook_notifications'),
  listTrackingRequests: listing('tracking_requests'),
  listShipments: listing('shipments'),
  listContainers: listing('containers'),
  listWebhookIps: (_call, { policies }) => jsonReply(200, { data: policies.senderAddresses() }),
};

function listing(list: ListName): Handler {
  return ({ path, query }, { lists, policies }) => {
    const page = pageOf(query, policies.pageSize);
    const { items, total } = lists.read(list, page);
    const pages = Math.ceil(total / page.size);
    const next = policies.nextPage(page, pages);
    const links = { self: linkTo(path, page), ...(next && { next: linkTo(path, next) }) };
    const meta = { total, pages, page: page.number, size: page.size };
    return jsonReply(200, { data: items, links, meta });
  };
}
