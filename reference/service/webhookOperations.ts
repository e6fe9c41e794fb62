import type { Call, Handlers, ServiceParts } from './createServiceParts.ts';
import { member, Refusal, refusal, jsonReply } from './reply.ts';
import type { Showing } from './policies.ts';
import type { CustomHeader, Problem, Resource, Webhook, WebhookAttributes } from './records.ts';

/** Sections 4.1 and 4.3, as far as webhooks go. */
export const webhookOperations: Handlers = {
  createWebhook: async ({ body, accept, contentType }, parts) => {
    const { policies } = parts;
    const problems = attributeProblems(body, parts);
    if (problems.length > 0) throw new Refusal(problems);
    const webhook = await createWebhook(body, parts);
    return policies.creationReply(showing(webhook, 'created', parts), prefersXml(accept), contentType);
  },
  readWebhook: (call, parts) => {
    return jsonReply(200, { data: showing(webhookOf(call, parts), 'read', parts) });
  },
  updateWebhook: async (call, parts) => {
    const { id } = webhookOf(call, parts);
    if (member(call.body, 'data', 'id') !== id) {
      throw refusal(409, 'id', `The body's /data/id is another than that of the path, ${id}. Use one of them in both.`);
    }
    const problems = attributeProblems(call.body, parts);
    if (problems.length > 0) throw new Refusal(problems);
    const webhook = await storeUpdate(call, parts);
    await parts.announcer.tellLater(webhook);
    return jsonReply(200, { data: showing(webhook, 'updated', parts) });
  },
  deleteWebhook: async (call, parts) => {
    const { database, webhooks, notifications, policies } = parts;
    const webhook = webhookOf(call, parts);
    await database.write(() => {
      for (const { id } of policies.deletedWith(webhook, () => webhooks.all())) {
        webhooks.delete(id);
        notifications.failPending(id);
      }
    });
    return { status: 204 };
  },
};

/** Stores a webhook that follows from the body of a creation. */
export async function createWebhook(body: unknown, parts: ServiceParts): Promise<Webhook> {
  const { policies, database, webhooks, catalogue } = parts;
  const webhook: Webhook = {
    ...withHeaderNames(policies.attributesOf(body, catalogue), parts),
    id: policies.newWebhookId(body),
    secret: policies.newSecret(body),
    createdAt: Date.now(),
    failures: 0,
  };
  await database.write(() => webhooks.insert(webhook));
  return webhook;
}

/** Stores what the body of an update changes. */
export async function storeUpdate({ id, body }: Call, parts: ServiceParts): Promise<Webhook> {
  const { policies, database, webhooks } = parts;
  return database.write(() => {
    const current = webhooks.find(id);
    if (current === undefined) throw unknown(id);
    const changed = withHeaderNames(policies.updated(current, body), parts);
    webhooks.update(changed);
    return changed;
  });
}

/** What the service has against a body that is valid for the schema: urls and headers that cannot be used. */
function attributeProblems(body: unknown, { policies }: ServiceParts): readonly Problem[] {
  const place = '/data/attributes';
  const url = member(body, 'data', 'attributes', 'url');
  const headers = member(body, 'data', 'attributes', 'headers');
  const list = Array.isArray(headers) ? (headers as readonly CustomHeader[]) : [];
  return [
    ...(typeof url === 'string' ? policies.urlProblems(url, `${place}/url`) : []),
    ...list.flatMap((header, index) => policies.headerProblems(header, `${place}/headers/${index}`)),
  ];
}

function showing(webhook: Webhook, operation: Showing, { policies }: ServiceParts): Resource {
  return policies.webhookResource(webhook, operation, policies.timestamp);
}

function withHeaderNames<T extends WebhookAttributes>(webhook: T, { policies }: ServiceParts): T {
  const headers = webhook.headers?.map(({ name, value }) => ({ name: policies.headerName(name), value })) ?? null;
  return { ...webhook, headers };
}

function webhookOf({ id }: Call, { webhooks }: ServiceParts): Webhook {
  const webhook = webhooks.find(id);
  if (webhook === undefined) throw unknown(id);
  return webhook;
}

function unknown(id: string): Refusal {
  const detail = `There is no webhook ${id.slice(0, 80)}. GET /webhooks lists those that there are.`;
  return refusal(404, 'unknown', detail);
}

/**
 * Whether an Accept header gives application/xml a higher weight than application/json (RFC 9110, 12.5.1). Of equal
 * ones JSON wins.
 */
function prefersXml(accept: string | undefined): boolean {
  const ranges = (accept ?? '*/*').split(',').map(rangeOf);
  return weightOf('application/xml', ranges) > weightOf('application/json', ranges);
}

interface Range {
  readonly type: string;
  readonly weight: number;
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.split('=')[1];
  return { type, weight: weight === undefined ? 1 : Number(weight) || 0 };
}

/** The most specific range decides. */
function weightOf(type: string, ranges: readonly Range[]): number {
  const patterns = [type, `${type.split('/')[0]}/*`, '*/*'];
  const weights = patterns.map((pattern) => ranges.find((range) => range.type === pattern)?.weight);
  return weights.find((weight) => weight !== undefined) ?? 0;
}
