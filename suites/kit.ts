import type { Notification } from '../generators/notification/notification.ts';
import type { RawForm } from '../generators/spelling/edit.ts';
import type { Contract } from '../spec/contract.ts';
import type { AssumptionKey, GapId, RequirementId } from '../spec/names.ts';
import type { SignatureScheme } from '../spec/signature.ts';
import type { Answer, Attempt, Delivery, Header } from './delivery.ts';
import type { ProcessControl } from './processControl.ts';

/** How a delivery is made from a notification. Everything left out is as the service would do it. */
export interface Composition {
  /** Its id. Default: a fresh one, so that no two cases can be taken for redeliveries of each other. */
  readonly id?: string;
  /** The object that it is about, where the contract has a place for that. Default: one of its own. */
  readonly object?: string;
  /** The spelling of the body. Default: compact JSON. */
  readonly form?: RawForm;
  /** Replaces the body's bytes after the notification was written; what is returned is what is signed. */
  readonly rewrite?: (body: Buffer) => Buffer;
  /** Signs with this secret instead of the receiver's. */
  readonly secret?: string;
  /** Default: the contract's. `null` leaves the header out. */
  readonly contentType?: string | null;
  /** Seconds by which the timestamp of its signature is ahead of the clock; negative where it is behind. Default 0. */
  readonly skew?: number;
}

/** A body as some serialiser writes it. */
export interface BodySpelling {
  readonly rewrite: (body: Buffer) => Buffer;
  /** Which one it is, in words: `as Python writes it`. */
  readonly words: string;
}

/** The plain deliveries that came before any check. */
export interface Beginning {
  /** The first of all, which came before the others. */
  readonly first?: Attempt;
  /** Those that were accepted and took effect once; none where effects cannot be seen. */
  readonly attempts: readonly Attempt[];
  /** The ids of those that were delivered again since. */
  redelivered(): ReadonlySet<string>;
  /** Whether the receiver was started anew or paused since. */
  interrupted(): boolean;
  /** Those that were accepted, and of which no effect was seen while the others took theirs. */
  readonly withoutEffect: readonly Attempt[];
  /** By when all of them had been answered, in milliseconds of the run. */
  readonly at: number;
  /** Valid deliveries since then that were accepted, by their ids, some thousands of a few KiB at most: each has to take effect. */
  readonly accepted: Map<string, Attempt>;
  /** The first valid deliveries that the receiver failed at by itself: no answer in time, or a 5xx. Some of them, by their ids. */
  readonly failed: Map<string, Attempt>;
  /** The ids of those that were sent more than once. */
  readonly again: Set<string>;
  /** The ids of those that came so shortly before the receiver ended that it may have had them in memory alone. */
  readonly unstored: ReadonlySet<string>;
  /** The latest plain delivery that was accepted after an end or a pause of the receiver, to see whether it works. */
  afterInterruption?: Attempt;
  /** The interruption, in words, after which it accepted for half a minute and worked on nothing; nothing where none was seen. */
  idleSince?: string;
  /** When no plain delivery of what a case had lost took effect, in milliseconds of the run; emptied once one does. */
  readonly lostAnyway: number[];
}

/** What the shared wait for an id's effects ended with. */
export interface SettledEffect {
  readonly expected: number;
  readonly count: number;
  /** When it ended, in milliseconds (monotonic). */
  readonly at: number;
}

/** The number of effects of each id, once the shared wait for effects is over. */
export type Effects = ReadonlyMap<string, number>;

/**
 * All that a receiver check may touch. Each case gets its own, which records every attempt made through it.
 */
export interface ReceiverKit {
  readonly contract: Contract;
  readonly scheme: SignatureScheme;
  /** The header that carries the signature, in its canonical spelling. */
  readonly signatureHeader: string;
  /** The secrets that the receiver accepts, in the user's order; empty where none is known. */
  readonly secrets: readonly string[];
  /** The variable from which the receiver takes its secret. @throws TypeError where the check does not need `secret-variable` */
  readonly secretVariable: string;
  /** True where the user gave a probe and effects can be judged. */
  readonly probed: boolean;
  /** Path and query of the receiver's address. */
  readonly path: string;
  /** Milliseconds after which a delivery counts as unanswered. */
  readonly timeout: number;
  /** Milliseconds for which an absence is awaited: what the user gave, or what the target's slowest effect suggests. */
  readonly settle: number;
  /** The number of deliveries that the user lets the kit have in flight. */
  readonly concurrency: number;
  /** What this run assumes where the contract is silent, by the assumption's key. */
  assumed(key: AssumptionKey): string;
  /** Whole seconds since the epoch: the time of signatures that carry one. */
  now(): number;
  /** A fresh notification id, never used before by any run. */
  freshId(): string;
  /** What this case has sent so far, in order. */
  readonly attempts: readonly Attempt[];
  /** True where the case failed before: it is tried again, and nothing else is at work. */
  readonly isAgain: boolean;
  /** The smallest plain notification: the positive control, accepted before any check began. */
  readonly control: Notification;
  /** Where plain bodies are refused as they are: how those are written that are accepted. */
  readonly spelling: BodySpelling | undefined;
  /** What this run delivered first of all. */
  readonly beginning: Beginning;
  /** A plain signed delivery of the same content under a fresh id. */
  again(delivery: Delivery): Delivery;
  /** The delivery with another body, signed anew over these bytes. */
  withBody(delivery: Delivery, body: Buffer): Delivery;
  /** The smallest plain notification of the same event: the control that was accepted before any check began. */
  plain(notification: Notification): Notification;
  /** A signed delivery of the notification under a fresh id. */
  compose(notification: Notification, how?: Composition): Delivery;
  /**
   * The signature headers of these bytes.
   *
   * @param secret - default: the receiver's first one
   * @param skew - seconds by which its timestamp is ahead of the clock. Default 0
   */
  sign(body: Buffer, id: string, secret?: string, skew?: number): readonly Header[];
  /**
   * One attempt, whatever comes back.
   *
   * @param timeLimit - milliseconds after which the sender gives up and closes the connection. Default: {@link timeout}
   */
  deliver(delivery: Delivery, timeLimit?: number): Promise<Answer>;
  /** One attempt from another address of this machine than the usual one. @throws Unobservable where it has no such address */
  deliverFrom(address: string, delivery: Delivery): Promise<Answer>;
  /**
   * Delivers as the service would: again after a 429, a 503 or a broken connection, a few times.
   * The answer is the last one.
   *
   * @param recovery - milliseconds in which it is delivered again after any other refusal and broken connection too: a receiver
   *   that was killed may take a while to be ready, also behind what takes its connections, or to let go of what it had
   *   begun. Waited in vain once in a run, then no longer.
   *   Default 0
   */
  deliverWithRetries(delivery: Delivery, recovery?: number): Promise<Answer>;
  /** All at the same moment, each over a connection of its own, past the limit of `concurrency`. */
  together(deliveries: readonly Delivery[]): Promise<readonly Answer[]>;
  /** One after the other over one connection, which is theirs alone and is kept where the receiver keeps it. */
  inTurn(deliveries: readonly Delivery[]): Promise<readonly Answer[]>;
  /** Opens idle connections, runs the action beside them, closes them. Resolves to the action's result. */
  besideIdle<T>(connections: number, action: () => Promise<T>): Promise<T>;
  /**
   * Sends each delivery up to its `hold` step, runs the action while they are held there, then lets them go on.
   */
  besideHeld<T>(
    deliveries: readonly Delivery[],
    action: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly answers: readonly Answer[] }>;
  /**
   * By which statuses this receiver accepts: those of the contract, and the one that it answers plain deliveries with
   * where that is another.
   */
  readonly acceptedStatuses: readonly number[];
  /** True for an answer with one of the {@link acceptedStatuses}. */
  accepts(answer: Answer): boolean;
  /** True where the receiver refuses right signatures, and deliveries are made with others that it accepts instead. */
  readonly takesForged: boolean;
  /**
   * The number of effects of these ids, after the wait that all checks share. `expected` says what would be right, so
   * that the wait can end early where it is reached and be drawn out where effects are still coming.
   *
   * @param isSoon - true where it only matters whether what is expected comes: what must not come is not awaited, and an
   * id that shows nothing for the settling time is not looked at once more. Default false
   * @throws Unproven without a probe, or where the probe failed
   */
  effects(expected: ReadonlyMap<string, number>, isSoon?: boolean): Promise<Effects>;
  /**
   * Resolves once each of these ids has taken effect, or nothing more came for the settling time. It judges nothing, so
   * it is not part of the wait that all checks share.
   *
   * @param atLeast - for what a settling time has not shown: milliseconds that are waited beyond it. There is no such
   * wait where the user said how long an absence is awaited, and where one was in vain before. Default: none
   * @throws Unproven without a probe, or where the probe failed
   */
  untilEffect(ids: readonly string[], atLeast?: number): Promise<void>;
  /**
   * The number of effects of these ids at this moment, without any wait. It judges nothing.
   *
   * @param ids - default: the latest few thousand that this run delivered
   * @throws Unproven without a probe, or where the probe failed
   */
  effectsSoFar(ids?: readonly string[]): Promise<Effects>;
  /**
   * What the waits of this run ended with, the oldest first: of ids that were not delivered again since, and since the
   * receiver came up.
   */
  readonly settledEffects: ReadonlyMap<string, SettledEffect>;
  /** Whether plain deliveries of this event showed exactly one effect: only then effects may be judged. */
  isEffective(event: string): boolean;
  /** The receiver's process. @throws TypeError where the check does not need `process-control` */
  readonly processControl: ProcessControl;
  /** The service's API as the kit plays it. @throws TypeError where the check does not need `api` */
  readonly api: PlayedApi;
  /** The sender addresses that the receiver lets in, the kit's usual one first; empty where it lets in all. */
  readonly published: readonly string[];
  /** Milliseconds of the run. */
  elapsed(): number;
  /**
   * Milliseconds of doing nothing, as part of a case.
   *
   * @param isShared - true to wait until no case has delivered anything for so long; others may wait for effects meanwhile. Default false
   */
  pause(ms: number, isShared?: boolean): Promise<void>;
  /** Adds something worth seeing to the timeline of the case. @param at - milliseconds of the run. Default: now */
  note(detail: string, at?: number): void;
  /** Records what was seen of a gap in the contract. Never a failure. */
  observe(gap: GapId | RequirementId, value: string, evidence: string): void;
}

/** What of a kit makes and changes signatures. */
export type SigningKit = Pick<ReceiverKit, 'scheme' | 'signatureHeader' | 'secrets' | 'sign'>;

/** A call that the receiver made to the API that the kit plays, and what it was shown. */
export interface HeardCall {
  /** Milliseconds of the run. */
  readonly at: number;
  /** Empty for a request that is no operation of the contract. */
  readonly operationId: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  /** The ids of the resources in the answer. */
  readonly ids: readonly string[];
}

/** An event that was raised. */
export interface Raised {
  /** The ids of its notifications. */
  readonly notifications: readonly string[];
  /** The ids of what can be read of it, by the operation that lists it: the notifications, and the records that it is about. */
  readonly records: Readonly<Record<string, readonly string[]>>;
}

/** The API of the service, played by the kit where the receiver looks for it. */
export interface PlayedApi {
  /** Every call so far, in order. */
  readonly calls: readonly HeardCall[];
  /** Items of the longest page of notifications that was asked for so far: with more, a receiver has to turn the page. */
  readonly longestPage: number;
  /**
   * Raises an event in the played service, about records of its own. The service then delivers it to the receiver, again
   * and again until it is accepted or has failed for good.
   */
  raise(event: string): Promise<Raised>;
  /** Waits until these notifications have failed for good. @throws Unproven where one was accepted */
  untilFailed(ids: readonly string[]): Promise<void>;
  /** Publishes these sender addresses from now on. */
  publish(addresses: readonly string[]): void;
  /**
   * Starts the recovery where the user gave a way to (`--recover`), and waits until it has ended.
   *
   * @returns false where no way was given
   * @throws Unproven where it failed
   */
  recover(): Promise<boolean>;
}
