import { randomBytes, randomUUID } from 'node:crypto';

import { isAuthorized } from './authorization.ts';
import { inferScac } from './carriers.ts';
import { creationReply } from './creationReply.ts';
import { capitalised, headerProblems } from './customHeaders.ts';
import { notificationBody } from './notificationBody.ts';
import { parseBody } from './parseBody.ts';
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
} from './policies.ts';
import { requestHeaders } from './requestHeaders.ts';
import { sampleOrder } from './sampleOrder.ts';
import { schemaProblems } from './schemaProblems.ts';
import { senderAddresses } from './senderAddresses.ts';
import { sign } from './signing.ts';
import { lookUp, trackingProblems } from './trackingNumber.ts';
import { attributesOf, updated } from './webhookAttributes.ts';
import { webhookResource } from './webhookResource.ts';
import { urlProblems } from './webhookUrl.ts';

const kibibyte = 1024;

const calls: CallPolicies = {
  base: '/v2',
  isAuthorized,
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
  senderAddresses,
};

const notifications: NotificationPolicies = {
  isRaised: () => true,
  isActive: ({ active }) => active,
  toldLater: () => [],
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
  contentLength: (body) => body.length,
  localAddress: undefined,
  timeout: ({ timeout }) => timeout,
  answerLimit: 64 * kibibyte,
  redirect: () => undefined,
};

/** The statuses that end a delivery (section 4.4). */
const accepting = [200, 201, 202, 204];

const retries: RetryPolicies = {
  isAccepted: (outcome) => outcome.kind === 'answered' && accepting.includes(outcome.status),
  isRetried: () => true,
  retries: 12,
  retryDelay: (retry, { backoff, jitter }) => {
    const pause = backoff[Math.min(retry, backoff.length) - 1] ?? 0;
    return pause * (1 + jitter * (2 * Math.random() - 1));
  },
  statusMeanwhile: 'pending',
  finalStatus: (_outcome, accepted) => (accepted ? 'succeeded' : 'failed'),
  redeliverAfter: () => undefined,
  isDeactivated: (failures, { deactivateAfter }) => failures >= deactivateAfter,
};

const restarts: RestartPolicies = {
  survives: () => true,
  unfinished: "status = 'pending'",
  resume: (notification) => notification,
};

const queue: QueuePolicies = {
  lane: (webhookId) => webhookId,
  laneWidth: ({ concurrency }) => Math.max(1, Math.min(8, Math.floor(concurrency / 2))),
  patience: 250,
};

const samples: SamplePolicies = {
  sampleOrder,
  sampleRecipients: ({ url }) => [url],
  sampleBody: notificationBody,
  sampleEvent: ({ event }) => event,
  sampleSignature: ({ secret }, body, sign) => (secret === undefined ? undefined : sign(body, secret)),
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
