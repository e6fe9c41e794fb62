import { Alarms, retryStep } from './alarms.ts';
import type { Database } from './database.ts';
import type { NotificationStore, WebhookStore } from './stores.ts';
import type { DeliveryTuning, ServicePolicies } from './policies.ts';
import type { Attempt, DeliveryStatus, MadeAttempt, Notification, Outcome, Webhook } from './records.ts';
import type { Sender } from './sender.ts';

export interface DeliveryParts {
  readonly database: Database;
  readonly notifications: NotificationStore;
  readonly webhooks: WebhookStore;
  readonly policies: ServicePolicies;
  readonly tuning: DeliveryTuning;
  readonly sender: Sender;
  /** Called of every attempt that was made, after its end was stored. */
  readonly onAttempt: (attempt: MadeAttempt) => void;
}

/** A place in the queue. `again`: it is delivered once more, though its status is final. */
interface Queued {
  readonly sequence: number;
  readonly webhookId: string;
  readonly again: boolean;
  /** Attempts that have begun, as they are stored. */
  attempts: number;
}

/**
 * Attempts in flight at most, those included that wait for slow receivers, as a multiple of the concurrency. The second
 * half is kept for lanes of which nothing is in flight, so that many slow receivers leave something to the others.
 */
const patientFactor = 16;

const interrupted: Outcome = { kind: 'broken', code: 'INTERRUPTED' };

/**
 * The delivery engine (sections 3.1 and 4.4). What is pending is in the database; memory holds only whose turn it is.
 * An attempt is counted there before it is made, and its end is stored before anything follows from it.
 */
export class Deliveries {
  readonly #parts: DeliveryParts;
  readonly #alarms = new Alarms();
  readonly #lanes: Lanes<Queued>;
  readonly #running = new Set<Promise<void>>();
  #fresh = 0;
  #stopped = false;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    this.#lanes = new Lanes(parts.policies.laneWidth(parts.tuning));
  }

  /** Goes on with what an earlier process left pending. */
  resume(): void {
    const { notifications, policies } = this.#parts;
    for (const notification of notifications.where(policies.unfinished)) {
      const resumed = policies.resume(notification);
      if (resumed !== undefined) this.enqueue(resumed);
    }
  }

  /** Delivers a notification as soon as it is due. To be called after it was stored. */
  enqueue({ sequence, webhookId, attempts, dueAt, status }: Notification): void {
    this.#schedule({ sequence, webhookId, attempts, again: status !== 'pending' }, dueAt);
  }

  /** Begins no attempt any more. Those in flight go on to their end. */
  stop(): void {
    this.#stopped = true;
    this.#alarms.stop();
  }

  /** Settles when the attempts in flight have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  #schedule(queued: Queued, dueAt: number): void {
    if (dueAt > Date.now()) this.#alarms.set(dueAt, () => this.#line(queued));
    else this.#line(queued);
  }

  #line(queued: Queued): void {
    this.#lanes.add(this.#parts.policies.lane(queued.webhookId), queued);
    this.#fill();
  }

  /** Begins attempts as long as there are places. */
  #fill(): void {
    const { concurrency } = this.#parts.tuning;
    const most = concurrency * patientFactor;
    while (!this.#stopped && this.#fresh < concurrency && this.#running.size < most) {
      const queued = this.#running.size < most / 2 ? this.#lanes.take() : this.#lanes.take(1);
      if (queued === undefined) return;
      const running = this.#occupy(queued).finally(() => {
        this.#running.delete(running);
        this.#fill();
      });
      this.#running.add(running);
    }
  }

  /** Holds a place of the overall bound while the attempt is new, and one of its lane until it has ended. */
  async #occupy(queued: Queued): Promise<void> {
    const { policies } = this.#parts;
    const lane = policies.lane(queued.webhookId);
    let lingers = false;
    const timer = setTimeout(() => {
      lingers = true;
      this.#lanes.linger(lane);
      this.#fresh -= 1;
      this.#fill();
    }, policies.longestWait);
    this.#fresh += 1;
    await this.#deliver(queued).catch((cause: unknown) => {
      if (!this.#stopped) retryStep(`The delivery ${queued.sequence}`, cause, (at) => this.#schedule(queued, at));
    });
    clearTimeout(timer);
    if (!lingers) this.#fresh -= 1;
    this.#lanes.release(lane, lingers);
  }

  async #deliver(queued: Queued): Promise<void> {
    const { policies, tuning, sender, onAttempt } = this.#parts;
    const attempt = await this.#begin(queued);
    if (attempt === undefined) return;
    queued.attempts = attempt.number;
    const outcome = await sendAttempt(attempt, policies, tuning, sender);
    const retryAt = await this.#settle(queued, attempt, outcome);
    const { notification, webhook, number } = attempt;
    onAttempt({ id: notification.id, event: notification.event, url: webhook.url, number, outcome, retryAt });
  }

  /** Counts the attempt. Nothing where there is no longer anyone or anything to deliver to. */
  #begin({ sequence, again, attempts }: Queued): Promise<Attempt | undefined> {
    const { database, notifications, webhooks, policies } = this.#parts;
    return database.write(() => {
      const found = notifications.find(sequence);
      const webhook = found && webhooks.find(found.webhookId);
      if (found === undefined || webhook === undefined) return undefined;
      if (found.status !== 'pending' && !again) return undefined;
      const { body, ...notification } = found;
      // The process ended during the last attempt: how it went is not known, and there may be no other.
      if (attempts > policies.retries && !again) return void this.#finish(notification, interrupted, false);
      notifications.begin(sequence, attempts + 1, again ? found.status : policies.statusMeanwhile);
      return { notification, webhook, number: attempts + 1, body };
    });
  }

  /** Stores how the attempt ended, then lets follow what follows. @returns when the next one is due */
  async #settle(queued: Queued, attempt: Attempt, outcome: Outcome): Promise<number | undefined> {
    const { notification, number } = attempt;
    const { database, notifications, policies, tuning } = this.#parts;
    const { sequence } = notification;
    const accepted = policies.isAccepted(outcome, attempt);
    if (!accepted && policies.turnsInactive(outcome, attempt)) await this.#turnInactive(notification);
    if (!accepted && !queued.again && number <= policies.retries && policies.isRetried(outcome, attempt)) {
      const dueAt = Date.now() + Math.round(policies.retryDelay(number, tuning, outcome));
      await database.write(() => {
        notifications.postpone(sequence, dueAt);
        if (policies.statusMeanwhile !== 'pending') notifications.setStatus(sequence, 'pending');
      });
      this.#schedule(queued, dueAt);
      return dueAt;
    }
    if (queued.again) return undefined;
    const status = await database.write(() => this.#finish(notification, outcome, accepted));
    const delay = policies.redeliverAfter(status);
    if (delay !== undefined) this.#schedule({ ...queued, again: true }, Date.now() + delay);
    const others = accepted ? policies.redeliverToo(attempt) : undefined;
    for (const other of others === undefined ? [] : notifications.where(others)) this.enqueue(other);
    return undefined;
  }

  #finish({ sequence, webhookId }: Notification, outcome: Outcome, accepted: boolean): DeliveryStatus {
    const { notifications, webhooks, policies } = this.#parts;
    const status = policies.finalStatus(outcome, accepted);
    notifications.setStatus(sequence, status);
    const webhook = webhooks.find(webhookId);
    if (webhook !== undefined) this.#count(webhook, accepted);
    return status;
  }

  #turnInactive({ webhookId }: Notification): Promise<void> {
    const { database, webhooks } = this.#parts;
    return database.write(() => {
      const webhook = webhooks.find(webhookId);
      if (webhook !== undefined) webhooks.update({ ...webhook, active: false });
    });
  }

  /** Section 3.2: repeated failures deactivate a webhook. */
  #count(webhook: Webhook, accepted: boolean): void {
    const { webhooks, policies, tuning } = this.#parts;
    const failures = accepted ? 0 : webhook.failures + 1;
    if (failures === webhook.failures) return;
    const active = webhook.active && (accepted || !policies.isDeactivated(failures, tuning));
    webhooks.update({ ...webhook, active, failures });
  }
}

/** How many redirects are followed at most, where a policy follows any. */
const mostHops = 5;

/** Makes one attempt (section 4.4): puts the request together and sends it. */
async function sendAttempt(
  attempt: Attempt,
  policies: ServicePolicies,
  tuning: DeliveryTuning,
  sender: Sender,
): Promise<Outcome> {
  const body = policies.attemptBody(attempt);
  const secret = policies.secretFor(attempt);
  const signature = secret === undefined ? undefined : policies.sign(body, secret);
  const headers = policies.requestHeaders({ signature, custom: policies.customHeaders(attempt) });
  const { answerLimit, timed } = policies;
  const head = policies.attemptHead({ method: policies.method, headers }, attempt);
  const request = { ...head, body, contentLength: policies.contentLength(body), answerLimit, timed };
  let url: string | undefined = policies.destination(attempt);
  let outcome: Outcome = { kind: 'broken', code: 'NO_DESTINATION' };
  for (let hop = 0; url !== undefined && hop <= mostHops; hop += 1) {
    outcome = await sender.send({ ...request, url, timeout: policies.timeout(tuning) });
    url = policies.redirect(outcome, url, attempt);
  }
  return outcome;
}

interface Lane<T> {
  readonly waiting: T[];
  running: number;
  /** How many of those that run have taken long already. */
  lingering: number;
}

/**
 * What waits for its turn, in lanes that are served in rotation. A lane in which much waits keeps no other waiting; one
 * whose turns take long comes after all others.
 */
class Lanes<T> {
  readonly #width: number;
  readonly #lanes = new Map<string, Lane<T>>();
  /** Lanes with something waiting and a free place, the next one first. */
  readonly #ready = new Set<Lane<T>>();

  /** @param width - how many of a lane run at once */
  constructor(width: number) {
    this.#width = width;
  }

  add(name: string, item: T): void {
    const lane = this.#lanes.get(name) ?? { waiting: [], running: 0, lingering: 0 };
    this.#lanes.set(name, lane);
    lane.waiting.push(item);
    this.#rank(lane);
  }

  /**
   * The next item, which runs until `release` is called; nothing where none may run.
   *
   * @param width - how many of its lane may run at once, where that is fewer than usual
   */
  take(width: number = this.#width): T | undefined {
    const free = () => this.#ready.values().filter(({ running }) => running < width);
    const lane = free().find(({ lingering }) => lingering === 0) ?? free().next().value;
    if (lane === undefined) return undefined;
    this.#ready.delete(lane);
    lane.running += 1;
    const item = lane.waiting.shift();
    this.#rank(lane);
    return item;
  }

  /** Says that a turn in this lane is taking long. */
  linger(name: string): void {
    const lane = this.#lanes.get(name);
    if (lane !== undefined) lane.lingering += 1;
  }

  /** Gives a lane's place back. @param lingered - whether `linger` was called for it */
  release(name: string, lingered: boolean): void {
    const lane = this.#lanes.get(name);
    if (lane === undefined) return;
    lane.running -= 1;
    if (lingered) lane.lingering -= 1;
    this.#rank(lane);
    if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(name);
  }

  #rank(lane: Lane<T>): void {
    if (lane.waiting.length > 0 && lane.running < this.#width) this.#ready.add(lane);
  }
}
