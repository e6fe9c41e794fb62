/** A header that goes out with each delivery of a webhook (section 2.1). */
export interface CustomHeader {
  readonly name: string;
  readonly value: string;
}

/** What a client decides about a webhook. */
export interface WebhookAttributes {
  /** As the client wrote it. */
  readonly url: string;
  readonly active: boolean;
  readonly events: readonly string[];
  readonly headers: readonly CustomHeader[] | null;
  /** Members that the contract does not list. A service that keeps to it stores none. */
  readonly unlisted?: Readonly<Record<string, unknown>>;
}

/** A registered webhook (section 2.1). */
export interface Webhook extends WebhookAttributes {
  readonly id: string;
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** How many of its notifications failed in a row; a success or a re-activation starts anew. */
  readonly failures: number;
}

/** Section 3.1. */
export type DeliveryStatus = 'pending' | 'succeeded' | 'failed';

/** A notification for one webhook, without its body. */
export interface Notification {
  /** In the order of creation. */
  readonly sequence: number;
  readonly id: string;
  readonly webhookId: string;
  readonly event: string;
  readonly status: DeliveryStatus;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Attempts that have begun. Stored before the request goes out, so that a crash never leads to one too many. */
  readonly attempts: number;
  /** When the next attempt is due, in milliseconds since 1970. */
  readonly dueAt: number;
}

/** A JSON:API resource object. */
export interface Resource {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Something that happened: an event of the catalogue, and the resources that it is about. */
export interface Occurrence {
  readonly event: string;
  readonly included: readonly Resource[];
}

/** What a body says of its notification. */
export interface NotificationHead {
  readonly id: string;
  readonly event: string;
  readonly status: DeliveryStatus;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** One HTTP header as it goes out. */
export type Header = readonly [name: string, value: string];

/** One attempt to deliver a notification. */
export interface Attempt {
  readonly notification: Notification;
  /** As it is stored at the time of the attempt. */
  readonly webhook: Webhook;
  /** From 1 to 13. */
  readonly number: number;
  /** The bytes that were made when the notification was created. */
  readonly body: Buffer;
}

/** How an attempt ended. `code` is the system's or the HTTP client's name for what broke. */
export type Outcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** What stands behind the status; empty where nothing does. */
      readonly reason: string;
      readonly location: string | undefined;
      readonly retryAfter: string | undefined;
      /** The Content-Length; nothing where the answer says none. */
      readonly length: string | undefined;
      /** The beginning of the body. */
      readonly body: string;
    }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'broken'; readonly code: string };

/** An attempt that was made, for those who look on. */
export interface MadeAttempt {
  /** Of the notification. */
  readonly id: string;
  readonly event: string;
  /** Of the webhook. */
  readonly url: string;
  /** From 1 to 13. */
  readonly number: number;
  readonly outcome: Outcome;
  /** When the next attempt is due, in milliseconds since 1970; nothing where there will be none. */
  readonly retryAt: number | undefined;
}

/** A call of the trigger endpoint (section 4.2). */
export interface SampleOrder {
  readonly url: string;
  readonly event: string;
  readonly secret?: string;
}

/** What the simulated carrier says of a number. */
export type LookUp = 'found' | 'awaiting-manifest' | 'unknown';

/** A tracking request (section 2.3). */
export interface TrackingRequest {
  readonly id: string;
  readonly type: string;
  readonly number: string;
  readonly scac: string;
  /** `pending`, `awaiting_manifest`, `created`, `failed` or `tracking_stopped`. */
  readonly status: string;
  readonly failedReason: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The lists of the API. */
export type ListName = 'webhooks' | 'webhook_notifications' | 'tracking_requests' | 'shipments' | 'containers';

/** Why a call is refused: one entry of the answer's `errors`. */
export interface Problem {
  readonly status: number;
  /** What was broken: a JSON Schema keyword such as `required` or `uniqueItems`, or a rule of the service such as `https`. */
  readonly rule: string;
  /** Where in the body (a JSON Pointer); empty for the whole. */
  readonly pointer: string;
  /** A query parameter or header, where it is none of the body. */
  readonly parameter?: string;
  readonly detail: string;
}

/** An HTTP answer of the API. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
