import { randomBytes, randomUUID, createHash, timingSafeEqual } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { XMLBuilder } from 'fast-xml-parser';

import { inferScac, lookUp, trackingProblems } from './carriers.ts';
import { capitalised, headerProblems, isSendable, attributesOf, updated, urlProblems } from './webhookInput.ts';
import { parseBody, member, jsonReply } from './reply.ts';
import type {
  AttemptPolicies,
  CallPolicies,
  ListPolicies,
  NotificationPolicies,
  QueuePolicies,
  RestartPolicies,
  RetryPolicies,
  SamplePolicies,
  ServicePolicies,
  TrackingPolicies,
  WebhookPolicies,
  MakeBody,
  Caller,
  Showing,
  WriteTime,
  HeaderParts,
} from './policies.ts';
import { sign, signatureHeader } from './sender.ts';
import type { SampleOrder, Resource, Webhook, Header, Reply, Problem } from './records.ts';
import type { Operation, ValidateFunction } from '../../spec/contract.ts';

type SchemaError = NonNullable<ValidateFunction['errors']>[number];

/** How many problems an answer names at most. */
const most = 20;

/** What the schema of the contract says against a body; nothing where it is valid. One problem for each place. */
function schemaProblems({ request }: Operation, body: unknown): readonly Problem[] {
  const [schema] = Object.values(request);
  const value = withoutNullHeaders(body);
  if (schema === undefined || schema.validate(value)) return [];
  const problems = schema.validate.errors!.slice(0, 10 * most).map((error) => problemOf(error, value));
  const pointers = problems.map(({ pointer }) => pointer);
  return problems.filter(({ pointer }, index) => pointers.indexOf(pointer) === index).slice(0, most);
}

/** Section 2.1 says of `headers` that it may be null, and 4.1 does not: null is taken like an empty list. */
function withoutNullHeaders(body: unknown): unknown {
  if (member(body, 'data', 'attributes', 'headers') !== null) return body;
  const { data } = body as { data: { attributes: object } };
  return { ...(body as object), data: { ...data, attributes: { ...data.attributes, headers: [] } } };
}

function problemOf({ keyword, instancePath, params, message }: SchemaError, body: unknown): Problem {
  const { missingProperty, allowedValues } = params as { missingProperty?: string; allowedValues?: readonly unknown[] };
  const problem = { status: 422, rule: keyword };
  if (missingProperty !== undefined) {
    const pointer = `${instancePath}/${missingProperty}`;
    return { ...problem, pointer, detail: `${pointer} is missing. Add it.` };
  }
  const received = `${instancePath === '' ? 'The body' : instancePath} is ${show(valueAt(body, instancePath))}`;
  const valid = allowedValues === undefined ? `it ${message}` : `valid are ${allowedValues.join(', ')}`;
  return { ...problem, pointer: instancePath, detail: `${received}; ${valid}.` };
}

function valueAt(body: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return member(body, ...names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')));
}

/** A value as a message shows it: briefly, and never its inside. */
function show(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** The element that the contract's schema of the answer names. */
const root = 'webhook';

const builder = new XMLBuilder({ format: true, suppressEmptyNode: true, ignoreAttributes: true });

/**
 * The answer to a webhook's creation (sections 1 and 4.1): JSON, or the same document as XML. In XML a list is its
 * element repeated, as OpenAPI has it, and what is null is left out.
 */
function creationReply(data: Resource, prefersXml: boolean): Reply {
  if (!prefersXml) return jsonReply(201, { data }, 'application/json; charset=utf-8');
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ [root]: { data: withoutNulls(data) } })}`;
  return { status: 201, headers: { 'content-type': 'application/xml; charset=utf-8' }, body };
}

function withoutNulls({ attributes, ...rest }: Resource): Resource {
  return { ...rest, attributes: Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null)) };
}

/** The body of a notification (section 2.2), as compact JSON. */
const notificationBody: MakeBody = ({ id, event, status, createdAt }, included, timestamp) => {
  const attributes = { event, delivery_status: status, created_at: timestamp(createdAt) };
  return Buffer.from(JSON.stringify({ data: { id, type: 'webhook_notification', attributes }, included }));
};

const kibibyte = 1024;

const calls: CallPolicies = {
  base: '/v2',
  routesLoosely: false,
  isAuthorized,
  isDoneFirst: () => false,
  headProblems: () => [],
  takesMediaType: ({ request }, mediaType) => Object.hasOwn(request, mediaType),
  bodyLimit: 1024 * kibibyte,
  parse: parseBody,
  schemaProblems,
  urlProblems,
  headerProblems,
  trackingProblems,
  afterRefusal: () => {},
  timestamp: (at) => new Date(at).toISOString(),
};

const webhooks: WebhookPolicies = {
  newWebhookId: () => randomUUID(),
  newSecret: () => randomBytes(32).toString('hex'),
  attributesOf,
  updated,
  deletedWith: (webhook) => [webhook],
  webhookResource,
  creationReply,
  headerName: capitalised,
};

const lists: ListPolicies = {
  pageSize: { usual: 25, most: 200 },
  window: ({ number, size }) => ({ offset: (number - 1) * size, limit: size }),
  nextPage: ({ number, size }, pages) => (number < pages ? { number: number + 1, size } : undefined),
  selection: () => ({ where: 'TRUE', orderBy: 'sequence DESC' }),
  shownStatus: ({ status }) => status,
  listedNotification: (resource) => resource,
  senderAddresses,
};

const notifications: NotificationPolicies = {
  isRaised: () => true,
  isActive: ({ active }) => active,
  notifiedLater: () => [],
  isSubscribed: ({ events }, event) => events.includes(event),
  newNotificationId: () => randomUUID(),
  notificationBody,
  announce: (store) => store(),
};

const attempts: AttemptPolicies = {
  method: 'POST',
  destination: ({ webhook }) => webhook.url,
  attemptBody: ({ body }) => body,
  secretFor: ({ webhook }) => webhook.secret,
  sign,
  customHeaders: ({ webhook }) => webhook.headers ?? [],
  requestHeaders,
  attemptHead: (head) => head,
  contentLength: (body) => body.length,
  localAddress: undefined,
  timeout: ({ timeout }) => timeout,
  timed: 'whole',
  answerLimit: 64 * kibibyte,
  redirect: () => undefined,
};

/** The statuses that end a delivery (section 4.4). */
const accepting = [200, 201, 202, 204];

const retries: RetryPolicies = {
  isAccepted: (outcome) => outcome.kind === 'answered' && accepting.includes(outcome.status),
  isRetried: () => true,
  turnsInactive: () => false,
  retries: 12,
  retryDelay: (retry, { backoff, jitter }) => {
    const pause = backoff[Math.min(retry, backoff.length) - 1] ?? 0;
    return pause * (1 + jitter * (2 * Math.random() - 1));
  },
  statusMeanwhile: 'pending',
  finalStatus: (_outcome, accepted) => (accepted ? 'succeeded' : 'failed'),
  redeliverAfter: () => undefined,
  redeliverToo: () => undefined,
  isDeactivated: (failures, { deactivateAfter }) => failures >= deactivateAfter,
};

const restarts: RestartPolicies = {
  survives: () => true,
  isStillTracked: () => true,
  unfinished: "status = 'pending'",
  resume: (notification) => notification,
};

const queue: QueuePolicies = {
  lane: (webhookId) => webhookId,
  laneWidth: ({ concurrency }) => Math.max(1, Math.min(8, Math.floor(concurrency / 2))),
  longestWait: 250,
};

const samples: SamplePolicies = {
  sampleOrder,
  sampleRecipients: ({ url }) => [url],
  sampleBody: notificationBody,
  sampleEvent: ({ event }) => event,
  sampleSignature: ({ secret }, body, sign) => (secret === undefined ? undefined : sign(body, secret)),
  sampleRetry: () => undefined,
  keepsSample: () => false,
};

const tracking: TrackingPolicies = {
  inferScac,
  lookUp,
  takeStep: async ({ store, announce }) => {
    await store();
    await announce();
  },
};

/**
 * The decisions of a service that keeps the contract. Where the contract is silent they follow its assumptions; retries
 * of a webhook that turns inactive go on (GAP-20), each webhook gets a notification id of its own (GAP-21), samples are
 * sent once (GAP-22).
 */
export const conformingPolicies: ServicePolicies = {
  ...calls,
  ...webhooks,
  ...lists,
  ...notifications,
  ...attempts,
  ...retries,
  ...restarts,
  ...queue,
  ...samples,
  ...tracking,
};

/** The addresses of this machine, from any of which a notification may come. */
function senderAddresses(): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return [...new Set(addresses.map(({ address }) => address))];
}

/** What a call of the trigger endpoint asks for; its body has no `data` wrapper (section 4.2). */
function sampleOrder(body: unknown): SampleOrder {
  const secret = member(body, 'secret') as string | undefined;
  return {
    url: member(body, 'url') as string,
    event: member(body, 'event') as string,
    ...(secret === undefined ? {} : { secret }),
  };
}

/** `Authorization: Token <API_KEY>` (section 5.1). The time that it takes gives nothing of the key away. */
function isAuthorized({ authorization, token }: Caller): boolean {
  const [, given] = /^token +(\S+)$/i.exec(authorization ?? '') ?? [];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The resource object of a webhook (section 2.1). Lists leave the secret out: it is shown to those who ask for it. */
function webhookResource(webhook: Webhook, showing: Showing, timestamp: WriteTime): Resource {
  const { id, url, active, events, secret, headers, createdAt } = webhook;
  const shown = showing === 'listed' ? {} : { secret };
  return {
    id,
    type: 'webhook',
    attributes: { url, active, events, ...shown, headers, created_at: timestamp(createdAt) },
  };
}

/**
 * What a request carries: the service's own headers, and the custom ones. These replace none of the service's but the
 * agent's name, and cannot hold what would become another header, should such a thing ever have come into the store.
 */
function requestHeaders({ signature, custom }: HeaderParts): readonly Header[] {
  const headers = custom.filter(isSendable).map(({ name, value }): Header => [name, value]);
  const namesAgent = headers.some(([name]) => name.toLowerCase() === 'user-agent');
  const agent: readonly Header[] = namesAgent ? [] : [['User-Agent', 'seaworthy-reference-service']];
  const signed: readonly Header[] = signature === undefined ? [] : [[signatureHeader, signature]];
  return [['Content-Type', 'application/json'], ...agent, ...signed, ...headers];
}
