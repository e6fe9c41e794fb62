import type { AcrossSittings } from './acrossSittings.ts';
import type { Call, CatchScript, Caught, CertificateFlaw, DeliveryReader, Exchange } from './exchange.ts';
import type { Json } from '../generators/json/json.ts';
import type { OperationChoice } from '../spec/contract.ts';
import type { ServiceTerms } from '../spec/serviceTerms.ts';
import type { RunScheme } from '../spec/signature.ts';
import type { Header } from './delivery.ts';
import type { ProcessControl } from './processControl.ts';
import type { TrackedNumber } from './service/trackingBody.ts';
import type { AssumptionKey, GapId, RequirementId } from '../spec/names.ts';
import type { Listing } from './service/listing.ts';

/** How a call differs from the plain one: the user's key, the operation's first media type, no query. */
export interface CallOptions {
  /** JSON is written compactly; bytes are sent as they are. Left out: no body. */
  readonly body?: Json | Buffer;
  /** The Content-Type. Default: the first that the operation declares; `null` leaves the header out. */
  readonly mediaType?: string | null;
  /** The Accept header. Default: what the operation's responses declare, JSON first. */
  readonly accept?: string;
  /** The value of the Authorization header. Default: the scheme with the user's key; `null` leaves the header out. */
  readonly authorization?: string | null;
  /** Values for the parameters in the path: `{ id: '...' }`. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: readonly Header[];
  /** Spells the path another way. Default: as the contract has it. */
  readonly respell?: (path: string) => string;
}

/** Where the service sends to: one path of the kit's catcher, with a script of answers. */
export interface CatchingEndpoint {
  readonly url: string;
  /** Everything that has arrived there so far, in order. */
  readonly caught: readonly Caught[];
}

/** An endpoint at a port of its own. */
export interface EndpointElsewhere extends CatchingEndpoint {
  /** Connections that were made to it so far, whatever came of them. */
  readonly connections: number;
}

/** What a webhook is registered with; all of it has a default. */
export interface Registration {
  /** Default: the first scenario event. `null` leaves the member out. */
  readonly events?: readonly string[] | null;
  /** Default true. */
  readonly active?: boolean;
  /** Left out by default. */
  readonly headers?: readonly { readonly name: string; readonly value: string }[] | null;
  /** How its endpoint answers. Default: the contract's first accepting status, at once. */
  readonly script?: CatchScript;
  /** How it answers the notifications that come after the first one. Default: as `script` says. */
  readonly others?: CatchScript;
  /** True: its endpoint refuses connections until {@link Webhook.open} is called. */
  readonly refusing?: boolean;
  /** True: at a port of its own, with one request a connection. Else clients send again what is cut off on a kept one. */
  readonly apart?: true;
  /** How its endpoint answers until {@link Webhook.open} is called; from then on as `script` says. */
  readonly meanwhile?: CatchScript;
  /** What follows the URL of its endpoint: a query. Default: nothing. */
  readonly query?: string;
  /** A user and a password in front of the host: `a:b`. Default: none. */
  readonly user?: string;
  /** A part of the path in front of the last one: `/a%2Fb`. Default: none. */
  readonly folder?: string;
  /** Another URL than that of an endpoint of its own; nothing can be caught then. */
  readonly url?: string;
  readonly mediaType?: string;
  readonly accept?: string;
}

/** A webhook that this case registered, as the answer to its creation showed it. Members are as they came, unjudged. */
export interface Webhook {
  readonly id: string;
  readonly url: unknown;
  readonly active: unknown;
  readonly events: unknown;
  readonly secret: unknown;
  readonly headers: unknown;
  readonly createdAt: unknown;
  /** The resource object as it was answered. */
  readonly resource: Json;
  readonly creation: Call;
  readonly endpoint: CatchingEndpoint;
  /** Lets an endpoint that refused connections, or answered otherwise, do as its script says. */
  open(): Promise<void>;
}

/** Something that was made to happen once for all cases that asked for it at the same time. */
export interface TriggeredEvent {
  readonly event: string;
  /** Milliseconds of the run, just before it was caused, together with all that was caused at the same time. */
  readonly at: number;
  /** How: `--emit`, a number of `--trackable`, or one of `--untrackable`. */
  readonly by: 'emit' | 'trackable' | 'untrackable';
  /** The call that caused it, where it was a call of the API. */
  readonly call?: Call;
  /** What came of it at the monitor: a webhook of the kit that takes everything at once. Empty where nothing came. */
  readonly monitored: readonly Notified[];
}

/** One notification as one endpoint sees it. */
export interface Notified {
  readonly id: string;
  /** The event that its body names; empty where it names none. */
  readonly event: string;
  /** Its attempts at that endpoint, in order; grows. */
  readonly attempts: readonly [Caught, ...Caught[]];
}

/** A notification as the service lists it. */
export interface ListedNotification {
  readonly id: string;
  readonly event: unknown;
  readonly status: unknown;
  readonly createdAt: unknown;
  readonly resource: Json;
}

/**
 * All that a check of a service may touch. Each case gets its own, which records everything that goes through it, and
 * removes the webhooks that it registered when the case ends.
 */
export interface ServiceKit extends DeliveryReader {
  /** How deliveries are signed, as far as it is known. */
  readonly signing: RunScheme;
  readonly terms: ServiceTerms;
  /** The value of an assumption, as text. */
  assumption(key: AssumptionKey): string;
  /** The base address, as the user gave it, without a slash at its end. */
  readonly base: string;
  /** All that went over the wire in this case, in the order of time. */
  readonly exchanges: readonly Exchange[];
  /** Milliseconds of the run. */
  elapsed(): number;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A fresh uuid. */
  freshId(): string;
  readonly concurrency: number;
  /** The scheme and the user's key, as the Authorization header holds them; to make wrong ones from. */
  readonly authorization: string;
  readonly trackable: readonly TrackedNumber[];
  readonly untrackable: readonly TrackedNumber[];

  // ---- The API

  /**
   * One call of an operation: by the part that it plays in the contract, or by its operationId. A 429 is waited out. Assumptions about paths and methods are applied to the operations that they fill in.
   *
   * @throws Unproven where no answer came
   */
  call(operation: OperationChoice, how?: CallOptions): Promise<Call>;
  /** As {@link call}, but a broken connection or a time-out is a result like any other. */
  attempt(operation: OperationChoice, how?: CallOptions): Promise<Call>;
  /** Whether the answer is a success: any 2xx. */
  succeeded(call: Call): boolean;
  /** Whether the answer is a refusal: the statuses of the assumption about it (any 4xx). */
  refused(call: Call): boolean;
  /** Whether an operation at an assumed path seems not to be offered: 404, 405 or 501. */
  missing(call: Call): boolean;
  /** The answer's body as JSON; nothing where it is none. */
  json(call: Call): Json | undefined;
  /** The media type of the answer without parameters, in lower case; empty where there is none. */
  mediaType(call: Call): string;
  /**
   * Reads a list to its end: by its links, else by the numbers of its pages.
   *
   * @param pageSize - the items of a page that are asked for. Default: `list.pageSize`
   * @throws Unobservable where the answer is no list that the kit can read, or no success
   */
  list(operation: OperationChoice, pageSize?: string): Promise<Listing>;

  // ---- Webhooks
  /** An endpoint of the catcher that no webhook knows yet. */
  endpoint(script?: CatchScript): CatchingEndpoint;
  /** One that takes everything, at a port of its own, by https with a certificate that has this flaw. @throws Unobservable where the catcher can play none */
  endpointElsewhere(flaw?: CertificateFlaw): Promise<EndpointElsewhere>;
  /** The body of a creation with these attributes. */
  creation(attributes: Readonly<Record<string, Json>>): Json;
  /** The attributes of a plain webhook at this URL. */
  plainAttributes(url: string, registration?: Registration): Readonly<Record<string, Json>>;
  /** Registers a webhook. @throws Unproven where the service does not create it */
  register(how?: Registration): Promise<Webhook>;
  /** Many at once. */
  registerMany(count: number, how: (index: number) => Registration): Promise<readonly Webhook[]>;
  /** A webhook of a creation that {@link call} sent and was accepted; removed in the end. Nothing where no webhook is shown. */
  adopt(creation: Call, endpoint?: CatchingEndpoint): Webhook | undefined;
  /** Changes the attributes that are named. @throws Unobservable where updates are not offered as assumed */
  update(webhook: Webhook, attributes: Readonly<Record<string, Json>>): Promise<Call>;
  /** The webhook's resource as it is listed now. @throws Unobservable as {@link list} */
  current(webhook: Webhook): Promise<Json | undefined>;
  /** Reads a member of a webhook's resource by the name that {@link ServiceTerms} gives it. */
  member(resource: Json, name: keyof ServiceTerms['webhook']['members']): unknown;

  // ---- What happens, and what is delivered
  /** The events that the kit can make happen. */
  readonly events: readonly string[];
  /** Whether much had been raised when the case began, and nothing had come of it to any webhook. */
  readonly isMute: boolean;
  /**
   * Events for the steps of a scenario: the first for what happens first, and so on; fewer than four different ones
   * where the kit cannot make so many happen. All cases share them, so that one triggered event serves them all.
   */
  readonly scenarioEvents: readonly [string, string, string, string];
  /**
   * Makes an event happen. All cases that ask are held until every case at work waits for something; then each event is
   * made to happen once for all that asked for it. Resolves when its first deliveries are there, or did not come.
   *
   * @throws Unproven where it could not be caused
   */
  trigger(event: string): Promise<TriggeredEvent>;
  /** Many, one after the other in one go. */
  triggerAll(events: readonly string[]): Promise<readonly TriggeredEvent[]>;
  /**
   * The notification that came of a triggered event to this webhook; nothing where none came although the monitor, or any other
   * webhook, had its own and the settling time was over.
   *
   * @throws Unproven where nobody had one
   */
  arrival(webhook: Webhook, triggered: TriggeredEvent): Promise<Notified | undefined>;
  /** Every notification that this webhook was sent since the triggered event, once the settling time is over. */
  arrivals(webhook: Webhook, triggered: TriggeredEvent): Promise<readonly Notified[]>;
  /** Every notification that an endpoint has been sent so far. */
  notifications(endpoint: CatchingEndpoint): readonly Notified[];
  /**
   * What the monitor has been sent so far, the first notification first: how often something happened, for all that is known.
   *
   * @param event - Default: all
   */
  monitored(event?: string): readonly Notified[];
  /**
   * Waits for an attempt with this number (from 1).
   *
   * @returns false where it is overdue: one refused elsewhere had its own long ago, or the list says that this one is over
   * @throws Unproven where the retry window ended first: the schedule may be a slow one
   */
  untilAttempt(notified: Notified, number: number): Promise<boolean>;
  /** Whether any notification of the run has had an attempt with this number (from 2). */
  attemptSeen(number: number): boolean;
  /**
   * Waits until a further attempt would be overdue.
   *
   * @returns true where none came
   * @throws Unproven where no refused notification elsewhere shows yet when a further attempt would come
   */
  staysQuiet(notified: Notified): Promise<boolean>;
  /** Whether no further attempt is expected any more at this moment: it is overdue, or others were given up after as many. */
  isOverdue(notified: Notified): boolean;
  /** Waits for anything at an endpoint outside of triggered events (a sample, for example). @returns what came, or nothing after the settling time */
  untilCaught(endpoint: CatchingEndpoint, count?: number): Promise<readonly Caught[]>;
  /** When anything came to any endpoint, a retry included, in milliseconds of the run; 0 where nothing has. */
  lastCaught(): number;
  /** Waits for the settling time without judging anything. */
  settle(): Promise<void>;
  /** The listed form of these notifications, by id; what is not listed is missing. @throws Unobservable as {@link list} */
  listed(ids: readonly string[]): Promise<ReadonlyMap<string, ListedNotification>>;
  /**
   * Looks the notification up until it is listed with one of these statuses.
   *
   * @param statuses - empty: any
   * @returns how it is listed at last, whatever its status; nothing where it is not
   * @throws Unobservable as {@link list}
   */
  untilListed(id: string, statuses: readonly string[]): Promise<ListedNotification | undefined>;
  /** Asks again until there is a result, as long as deliveries are waited for. */
  until<T>(ask: () => Promise<T | undefined>): Promise<T | undefined>;
  /** Retries that go on in another sitting of the run. */
  readonly acrossSittings: AcrossSittings;
  /** Milliseconds that the retries of a notification are waited for. */
  readonly window: number;

  // ---- Where the service is under process control

  /** The service's process. @throws TypeError where the check does not need `process-control` */
  readonly processControl: ProcessControl;
  /** Makes an event happen now, and waits only until that was confirmed. @throws Unproven where it was not */
  raise(event: string): Promise<TriggeredEvent>;
  /** Looks whenever something was caught. @returns nothing where there is nothing after so many milliseconds */
  soon<T>(look: () => T | undefined, ms: number): Promise<T | undefined>;
  /**
   * Milliseconds after which something is overdue that a restart may have delayed, where the same `took` so long elsewhere,
   * and the service gives up an attempt after `timeout`.
   */
  overdueAfter(measured: { readonly took: number; readonly timeout: number }): number;
  /**
   * Goes on to look for what is overdue after a restart: the worker that was killed may have held it, by a claim that ends
   * with time. That takes a retry window at most, and no more of them once one brought nothing.
   */
  stillHeld<T>(look: () => T | undefined): Promise<T | undefined>;

  // ---- What is learned

  /** Records what was seen of a gap in the contract. Never a failure. */
  observe(gap: GapId | RequirementId, value: string, evidence: string): void;
  /** Records what fills a gap, as the value of an assumption, for `--learn`. It is observed as well. */
  learn(key: AssumptionKey, value: string, evidence: string): void;
}
