import type { IncomingHttpHeaders } from 'node:http';

import type { Operation } from '../../spec/contract.ts';
import type {
  Attempt,
  CustomHeader,
  DeliveryStatus,
  Header,
  ListName,
  LookUp,
  Notification,
  NotificationHead,
  Outcome,
  Problem,
  Reply,
  Resource,
  SampleOrder,
  TrackingRequest,
  Webhook,
  WebhookAttributes,
} from './records.ts';

/** Whom a call concerns and with which key it came. */
export interface Caller {
  /** The value of the Authorization header. */
  readonly authorization: string | undefined;
  /** The one valid key. */
  readonly token: string;
  /** Empty for a path or method that is none of the contract's. */
  readonly operationId: string;
  /** As the call names it, without the query. */
  readonly path: string;
  /** What follows the path, from its question mark on; empty where nothing does. */
  readonly query: string;
}

/** Writes a moment. @param at - milliseconds since 1970 */
export type WriteTime = (at: number) => string;

/** The bytes of a notification's body (section 2.2). */
export type MakeBody = (head: NotificationHead, included: readonly Resource[], timestamp: WriteTime) => Buffer;

/** What an API call meets, in this order: key, media type, body, schema, rules of the service. */
export interface CallPolicies {
  /** What stands before every path of the contract: `/v2`. */
  readonly base: string;
  /** Whether a path leads on in capitals, and with a slash behind it. */
  readonly routesLoosely: boolean;
  readonly isAuthorized: (caller: Caller) => boolean;
  /** Whether a call does what it asks for before its key is looked at; none does in the conforming service. */
  readonly isDoneFirst: (operationId: string) => boolean;
  /** What speaks against the headers of a call whose key is right; nothing in the conforming service. */
  readonly headProblems: (headers: IncomingHttpHeaders) => readonly Problem[];
  /** @param mediaType - in lower case, without parameters; empty where there is none */
  readonly takesMediaType: (operation: Operation, mediaType: string) => boolean;
  /** Largest body of a call, in bytes. */
  readonly bodyLimit: number;
  /** The value of a body, or a promise of it. @throws Refusal where it is no JSON */
  readonly parse: (body: Buffer, operation: Operation) => unknown;
  /** What the contract's schema says against a body; `undefined` where the operation takes none. */
  readonly schemaProblems: (operation: Operation, body: unknown) => readonly Problem[];
  /** Where a webhook or a sample may be sent. */
  readonly urlProblems: (url: string, pointer: string) => readonly Problem[];
  /** Which custom headers a webhook may have. */
  readonly headerProblems: (header: CustomHeader, pointer: string) => readonly Problem[];
  /** Which numbers and carriers may be tracked. */
  readonly trackingProblems: (request: TrackingOrder) => readonly Problem[];
  /** What else follows from a refused call; the conforming service does nothing. @param store - creates or updates the webhook as a body says */
  readonly afterRefusal: (
    operationId: string,
    body: unknown,
    store: (body: unknown) => Promise<Webhook>,
  ) => void | Promise<void>;
  /** How moments are written everywhere. */
  readonly timestamp: WriteTime;
}

/** What a tracking request asks for. */
export type TrackingOrder = Pick<TrackingRequest, 'type' | 'number' | 'scac'>;

/** How a webhook's resource is shown, by the operation that shows it. */
export type Showing = 'created' | 'read' | 'listed' | 'updated';

export interface WebhookPolicies {
  readonly newWebhookId: (body: unknown) => string;
  /** @param body - of the call, which a careless service might let decide */
  readonly newSecret: (body: unknown) => string;
  /** What is stored of an accepted creation. @param catalogue - every event */
  readonly attributesOf: (body: unknown, catalogue: readonly string[]) => WebhookAttributes;
  /** The webhook after an accepted update. */
  readonly updated: (webhook: Webhook, body: unknown) => Webhook;
  /** Which webhooks go when one is deleted. @param all - that are registered */
  readonly deletedWith: (webhook: Webhook, all: () => readonly Webhook[]) => readonly Webhook[];
  /** The resource object. */
  readonly webhookResource: (webhook: Webhook, showing: Showing, timestamp: WriteTime) => Resource;
  /**
   * The answer to a creation.
   *
   * @param prefersXml - whether the Accept header prefers application/xml to JSON
   * @param contentType - of the creation
   */
  readonly creationReply: (resource: Resource, prefersXml: boolean, contentType: string) => Reply;
  /** How a custom header's name goes out and is shown. */
  readonly headerName: (name: string) => string;
}

/** Which page of a list is asked for. */
export interface Page {
  /** From 1. */
  readonly number: number;
  readonly size: number;
}

export interface ListPolicies {
  /** Items of a page where the call names no number, and at most. */
  readonly pageSize: { readonly usual: number; readonly most: number };
  /** Which rows make a page. */
  readonly window: (page: Page, list: ListName) => { readonly offset: number; readonly limit: number };
  /** The page that the link of a page leads to. @param pages - how many there are, of `total` items; nothing where it has no link */
  readonly nextPage: (page: Page, pages: number, total: number) => Page | undefined;
  /**
   * Which rows a list holds and in which order: two SQL expressions over its table. Every table has `sequence`
   * (counted up, unique) and `created_at`; `webhook_notifications` has `status`, `event` and `attempts` too.
   */
  readonly selection: (list: ListName) => { readonly where: string; readonly orderBy: string };
  /** The status that the list of notifications shows. */
  readonly shownStatus: (notification: Notification) => DeliveryStatus;
  /** How a notification is listed. @param resource - as it was delivered, with the status of today */
  readonly listedNotification: (resource: Resource, notification: Notification) => Resource;
  /** IP addresses and CIDR blocks that listWebhookIps publishes. */
  readonly senderAddresses: () => readonly string[];
}

export interface NotificationPolicies {
  /** Whether an event that happened is raised at all. */
  readonly isRaised: (event: string) => boolean;
  /** Whether an active webhook gets a notification of this event. */
  readonly isSubscribed: (webhook: Webhook, event: string) => boolean;
  readonly isActive: (webhook: Webhook) => boolean;
  /** Events that a webhook is notified of because it was updated; the conforming service sends none. */
  readonly notifiedLater: (webhook: Webhook) => readonly string[];
  /** @param webhook - each gets a notification of its own */
  readonly newNotificationId: (event: string, webhook: Webhook) => string;
  /** The body's bytes, made once, when the notification is created. */
  readonly notificationBody: MakeBody;
  /** Stores the notifications of what happened; its caller is answered when this settles. @param store - resolves, after the commit, to their number */
  readonly announce: (store: () => Promise<number>) => Promise<number>;
}

/** Options of the service that decisions about deliveries take into account. */
export interface DeliveryTuning {
  /** Milliseconds before retry 1, 2, ...; the last one for all that follow. */
  readonly backoff: readonly number[];
  /** The part of a pause, 0 to 1, by which it may be longer or shorter. */
  readonly jitter: number;
  /** Milliseconds that an attempt may take as a whole. */
  readonly timeout: number;
  readonly concurrency: number;
  readonly deactivateAfter: number;
}

/** What a request's headers are made of. */
export interface HeaderParts {
  /** The signature header's value; nothing for an unsigned request. */
  readonly signature: string | undefined;
  readonly custom: readonly CustomHeader[];
}

/** What a request begins with. */
export interface AttemptHead {
  readonly method: string;
  readonly headers: readonly Header[];
}

/** The signature header's value for these bytes. */
export type Sign = (body: Buffer, secret: string) => string;

/** What is decided about one attempt, from its start to its end. */
export interface AttemptPolicies {
  readonly method: string;
  /** Where the attempt goes. */
  readonly destination: (attempt: Attempt) => string;
  /** The bytes of this attempt. */
  readonly attemptBody: (attempt: Attempt) => Buffer;
  /** The secret that signs this attempt; nothing leaves it unsigned. */
  readonly secretFor: (attempt: Attempt) => string | undefined;
  /** The signature header's value. */
  readonly sign: Sign;
  /** The custom headers of this attempt. */
  readonly customHeaders: (attempt: Attempt) => readonly CustomHeader[];
  /** All headers but Host, Connection and Content-Length, put together; what must not go out is left out. */
  readonly requestHeaders: (parts: HeaderParts) => readonly Header[];
  /** Method and headers of an attempt as they go out. */
  readonly attemptHead: (head: AttemptHead, attempt: Attempt) => AttemptHead;
  readonly contentLength: (body: Buffer) => number;
  /** The address that connections come from; nothing leaves it to the system. */
  readonly localAddress: string | undefined;
  /** Milliseconds that an attempt may take as a whole; Infinity for no bound. */
  readonly timeout: (tuning: DeliveryTuning) => number;
  /** What has to be over by then: the attempt with all that is read of its answer, or no more than the answer's head. */
  readonly timed: 'whole' | 'head';
  /** How many bytes of an answer's body are read. */
  readonly answerLimit: number;
  /** Where to go on after an answer; nothing ends the attempt there. */
  readonly redirect: (outcome: Outcome, url: string, attempt: Attempt) => string | undefined;
}

/** What becomes of a notification after an attempt. */
export interface RetryPolicies {
  /** Whether the receiver took it. */
  readonly isAccepted: (outcome: Outcome, attempt: Attempt) => boolean;
  /** Whether what was not accepted is tried again, as far as the budget goes. */
  readonly isRetried: (outcome: Outcome, attempt: Attempt) => boolean;
  /** Whether an attempt that was not accepted turns its webhook inactive at once; none does in the conforming service. */
  readonly turnsInactive: (outcome: Outcome, attempt: Attempt) => boolean;
  /** How often a notification is tried again at most. */
  readonly retries: number;
  /** Milliseconds before a retry. @param retry - from 1 */
  readonly retryDelay: (retry: number, tuning: DeliveryTuning, outcome: Outcome) => number;
  /** The status that is stored while an attempt is under way. */
  readonly statusMeanwhile: DeliveryStatus;
  /** The status that is stored when no further attempt follows. */
  readonly finalStatus: (outcome: Outcome, accepted: boolean) => DeliveryStatus;
  /** Milliseconds after which a notification with a final status is sent once more; nothing for never. */
  readonly redeliverAfter: (status: DeliveryStatus) => number | undefined;
  /** Which others are sent once more after one was accepted: an SQL expression as {@link RestartPolicies}; nothing for none. */
  readonly redeliverToo: (accepted: Attempt) => string | undefined;
  /** Whether a webhook turns inactive. @param failures - notifications that failed in a row, the last one included */
  readonly isDeactivated: (failures: number, tuning: DeliveryTuning) => boolean;
}

/** What a service finds when it starts again, in whatever way the one before it ended. */
export interface RestartPolicies {
  /** Whether a webhook is still there. */
  readonly survives: (webhook: Webhook) => boolean;
  /** Whether a tracking request that was under way goes on. */
  readonly isStillTracked: (request: TrackingRequest) => boolean;
  /** Which notifications are taken up: an SQL expression over `webhook_notifications` (see {@link ListPolicies}). */
  readonly unfinished: string;
  /** What goes on, of one that is taken up; nothing drops it. What has a final status is sent once. */
  readonly resume: (notification: Notification) => Notification | undefined;
}

/** Who waits for whom. */
export interface QueuePolicies {
  /** Notifications with the same lane share its places. */
  readonly lane: (webhookId: string) => string;
  /** How many attempts of one lane run at once. */
  readonly laneWidth: (tuning: DeliveryTuning) => number;
  /** Milliseconds after which an attempt that waits for its answer leaves the overall bound to others: slow receivers use it up else. */
  readonly longestWait: number;
}

/** The trigger endpoint (section 4.2). */
export interface SamplePolicies {
  /** What is asked for. */
  readonly sampleOrder: (body: unknown) => SampleOrder;
  /** Where the sample goes. @param webhooks - all that are registered */
  readonly sampleRecipients: (order: SampleOrder, webhooks: readonly Webhook[]) => readonly string[];
  readonly sampleBody: MakeBody;
  /** The event that the sample shows. */
  readonly sampleEvent: (order: SampleOrder) => string;
  /** The signature header's value; nothing leaves the sample unsigned. */
  readonly sampleSignature: (order: SampleOrder, body: Buffer, sign: Sign) => string | undefined;
  /** What is sent after a sample that ended like this, in its place; the conforming service sends each once (GAP-22). */
  readonly sampleRetry: (outcome: Outcome, order: SampleOrder) => SampleOrder | undefined;
  /** Whether the sample is kept as a notification of this webhook, which is then listed, and delivered unless it is kept as done. */
  readonly keepsSample: (order: SampleOrder, webhook: Webhook) => false | 'as-done' | 'to-deliver';
}

/** Section 2.3: from a number to its records. */
export interface TrackingPolicies {
  /** The shipping line that a number belongs to. */
  readonly inferScac: (number: string) => string | undefined;
  /** What the simulated carrier says. */
  readonly lookUp: (request: TrackingOrder) => LookUp;
  /** Does what a step of the voyage consists of: stores its records, announces its events. Both settle after the commit. */
  readonly takeStep: (step: { store: () => Promise<void>; announce: () => Promise<void> }) => Promise<void>;
}

/**
 * Every decision that a service makes, one small function each. `conformingPolicies` decides as the contract asks, and
 * fills its gaps by the assumptions; a fault replaces one or two.
 *
 * A policy that throws while a call is answered leads to a 500.
 */
export interface ServicePolicies
  extends
    CallPolicies,
    WebhookPolicies,
    ListPolicies,
    NotificationPolicies,
    AttemptPolicies,
    RetryPolicies,
    RestartPolicies,
    QueuePolicies,
    SamplePolicies,
    TrackingPolicies {}
