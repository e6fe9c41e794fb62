import type { Caught } from '../../suites/exchange.ts';
import { deliveryKey } from '../../suites/service/deliveryKey.ts';
import type { CatchingEndpoint, Notified } from '../../suites/serviceKit.ts';
import type { Catcher } from '../catcher/catcher.ts';

/** A notification at one endpoint, as the engine follows it. */
export interface CaughtDelivery extends Notified {
  readonly attempts: [Caught, ...Caught[]];
  /** When its first attempt came, in milliseconds of the run. */
  readonly since: number;
}

/** Something that was made to happen, as far as its deliveries are concerned. */
export interface Cause {
  readonly event: string;
  /** Milliseconds of the run. */
  readonly at: number;
}

/**
 * Sorts what is caught into notifications, and knows how long the retries of refused ones take.
 *
 * A notification belongs to the last cause of its event before it came; one that names no event, to the last of all.
 * `deliveryKey` says which attempts are of one delivery. But an id that is missing, or is used again, does not make one
 * notification of two: what comes after another cause, with other bytes, where the one before was accepted, is another.
 */
export class DeliveryLog {
  /** By endpoint, in the order in which they first came. */
  readonly #deliveries = new Map<string, CaughtDelivery[]>();
  /** In the order of time. */
  readonly #causes: Cause[] = [];
  /** By cause, then by the number of the attempt that was refused: milliseconds to the next one. */
  readonly #gaps = new Map<Cause, number[]>();
  /** The longest pause before each retry in the whole run. */
  readonly #longest: number[] = [];
  readonly #accepting: readonly number[];
  /** When a notification came somewhere for the first time, the last one so far. */
  newest = 0;
  /** The same, by what caused it. */
  readonly #newestOf = new Map<Cause, number>();
  /** The same, of those that came to a subscriber which had not heard of the cause and was there before anybody had. */
  readonly #spreadOf = new Map<Cause, number>();
  /** What came first of a cause to the endpoint of a webhook that takes what happens. */
  readonly #firstOf = new Map<Cause, CaughtDelivery>();
  /** The endpoints of webhooks that were created active, and when (in milliseconds of the run): a sample comes to others as well. */
  readonly subscribers = new Map<string, number>();
  /** Whether anything that was made to happen has come to the webhook that takes everything. */
  monitored = false;
  /** The events of which anything came to any of the {@link subscribers}. */
  readonly heard = new Set<string>();
  /** By cause: milliseconds from its first to its last attempt, for the one notification that had the most. */
  readonly #spans = new Map<Cause, { attempts: number; ms: number }>();

  /** By cause: after how many attempts a refused notification was listed as given up, at least. */
  readonly #givenUpAfter = new Map<Cause, number>();

  /** @param accepting - statuses that end a delivery */
  constructor(accepting: readonly number[]) {
    this.#accepting = accepting;
  }

  /** Says that an event is about to be made to happen. */
  cause(event: string, at: number): Cause {
    const cause = { event, at };
    this.#causes.push(cause);
    return cause;
  }

  /** Sorts an attempt in. @param event - the event that its body names */
  add(caught: Caught, event: string): CaughtDelivery {
    const deliveries = this.#deliveries.get(caught.endpoint) ?? [];
    this.#deliveries.set(caught.endpoint, deliveries);
    const key = deliveryKey({ id: caught.key, event });
    const known = deliveries.findLast((delivery) => deliveryKey(delivery) === key);
    const before = known?.attempts.at(-1);
    if (known && before && !this.#isAnother(known, before, caught)) {
      known.attempts.push(caught);
      this.#measure(known, before, caught);
      return known;
    }
    const delivery: CaughtDelivery = { id: caught.key, event, attempts: [caught], since: caught.at };
    deliveries.push(delivery);
    this.newest = caught.at;
    if (this.subscribers.has(caught.endpoint)) this.heard.add(event);
    const cause = this.causeOf(delivery);
    if (cause === undefined) return delivery;
    if (!this.#mayBeRetry(delivery, cause)) this.#newestOf.set(cause, caught.at);
    if (this.subscribers.has(caught.endpoint) && !this.#firstOf.has(cause)) this.#firstOf.set(cause, delivery);
    if (this.#spreads(delivery, cause)) this.#spreadOf.set(cause, caught.at);
    return delivery;
  }

  /** Whether it comes after another one of its cause that was not accepted there: its retry, under an id of its own. */
  #mayBeRetry(delivery: CaughtDelivery, cause: Cause): boolean {
    return this.beside(delivery).some((other) => !this.isAccepted(other) && this.causeOf(other) === cause);
  }

  /**
   * Whether the service still tells of a cause those whom it has to. The same event may happen again meanwhile, of what a
   * check asked for by itself: a subscriber that has heard of it, or came later, shows nothing of how far the service is.
   */
  #spreads(delivery: CaughtDelivery, cause: Cause): boolean {
    const { since } = this.#firstOf.get(cause) ?? delivery;
    const isThere = (this.subscribers.get(delivery.attempts[0].endpoint) ?? Infinity) <= since;
    return isThere && !this.beside(delivery).some((other) => this.causeOf(other) === cause);
  }

  /** The same as {@link newest}, where what had been caused by this time of the run still spread; 0 where nothing came of that. */
  spreadBy(at: number): number {
    const times = [...this.#spreadOf].map(([cause, newest]) => (cause.at <= at ? newest : 0));
    return Math.max(0, ...times);
  }

  /** The same, of what came of one cause; nothing where nothing did. */
  newestOf(cause: Cause): number | undefined {
    return this.#newestOf.get(cause);
  }

  /** What came first of a cause to any of the {@link subscribers}; nothing where nothing did. */
  firstOf(cause: Cause): CaughtDelivery | undefined {
    return this.#firstOf.get(cause);
  }

  /** Whether another endpoint was sent the same notification (GAP-21). */
  isShared({ id, attempts: [{ endpoint }] }: CaughtDelivery): boolean {
    return [...this.#deliveries].some(([name, all]) => name !== endpoint && all.some((other) => other.id === id));
  }

  /** Other notifications that came to the same endpoint. */
  beside(delivery: CaughtDelivery): readonly CaughtDelivery[] {
    const all = this.#deliveries.get(delivery.attempts[0].endpoint) ?? [];
    return all.filter((other) => other !== delivery);
  }

  /** What came to an endpoint, in the order in which it first came. */
  at({ url }: Pick<CatchingEndpoint, 'url'>): readonly CaughtDelivery[] {
    return [...(this.#deliveries.get(nameOf(url)) ?? [])];
  }

  /**
   * What a cause brought to an endpoint that hears of its event. While the service still delivers it, the same event may happen
   * again: where as many came as it has happened since, the first of them is of this cause, though it came after the next.
   */
  broughtBy(cause: Cause, endpoint: Pick<CatchingEndpoint, 'url'>): CaughtDelivery | undefined {
    const all = this.at(endpoint).filter(({ since }) => since >= cause.at);
    const own = all.find((delivery) => this.causeOf(delivery) === cause);
    const since = all.filter(({ event }) => event === cause.event);
    const again = this.#causes.filter(({ event, at }) => event === cause.event && at >= cause.at);
    return own ?? (since.length >= again.length ? since[0] : undefined);
  }

  /** Milliseconds from the attempt with this number to the next one, the slowest that this cause shows. */
  gap(cause: Cause | undefined, number: number): number | undefined {
    return (cause && this.#gaps.get(cause)?.[number]) ?? undefined;
  }

  /** The same over the whole run. */
  longestGap(): number;
  longestGap(number: number): number | undefined;
  longestGap(number?: number): number | undefined {
    return number === undefined ? Math.max(0, ...this.#longest.filter(Boolean)) : this.#longest[number];
  }

  /**
   * Notes that a refused notification is listed as given up, with the attempts that it had: no other of its cause is tried
   * once more after as many.
   */
  noteGivenUp(delivery: CaughtDelivery): void {
    const cause = this.causeOf(delivery);
    const known = cause && (this.#givenUpAfter.get(cause) ?? Infinity);
    if (cause && known) this.#givenUpAfter.set(cause, Math.min(known, delivery.attempts.length));
  }

  /** The longest pause before a retry of this cause, where none follows the attempt with this number, as the list says. */
  gapBeforeEnd(cause: Cause | undefined, number: number): number | undefined {
    const after = cause && this.#givenUpAfter.get(cause);
    if (cause === undefined || after === undefined || number < after) return undefined;
    return Math.max(0, ...(this.#gaps.get(cause) ?? []).filter(Boolean));
  }

  /** Whether the last attempt so far was answered with a status that ends a delivery. */
  isAccepted({ attempts }: CaughtDelivery): boolean {
    const { step } = attempts.at(-1) ?? attempts[0];
    return step.do === 'respond' && this.#accepting.includes(step.status);
  }

  /** Notifications of the same cause that were refused as often, the last time before this moment, and are quiet since. A few. */
  refusedTwins(delivery: CaughtDelivery, before: number): readonly CaughtDelivery[] {
    const cause = this.causeOf(delivery);
    const all = [...this.#deliveries.values()].flat();
    const isRefused = ({ step, end }: Caught) =>
      step.do === 'respond' && !this.#accepting.includes(step.status) && end !== undefined && end.at <= before;
    const isTwin = ({ attempts }: CaughtDelivery) =>
      attempts.length >= delivery.attempts.length && isRefused(attempts.at(-1)!);
    return cause === undefined ? [] : all.filter((each) => isTwin(each) && this.causeOf(each) === cause).slice(-3);
  }

  /** Milliseconds from the first to the last attempt of what was retried most often. */
  span(cause: Cause | undefined): { readonly attempts: number; readonly ms: number } | undefined {
    return cause && this.#spans.get(cause);
  }

  /** Forgets what came to an endpoint. @param name - of it */
  forgetAt(name: string): void {
    this.#deliveries.delete(name);
  }

  /** How many notifications and causes it knows. */
  get size(): number {
    return [...this.#deliveries.values()].reduce((sum, deliveries) => sum + deliveries.length, this.#causes.length);
  }

  /** Forgets all notifications and causes, though not how long retries take. To be called where nobody waits for any. */
  forget(): void {
    this.#deliveries.clear();
    this.#causes.length = 0;
    this.#gaps.clear();
    this.#spans.clear();
    this.#givenUpAfter.clear();
    this.#newestOf.clear();
    this.#firstOf.clear();
  }

  /** Which cause a notification came of; nothing where nobody caused it. */
  causeOf({ event, since }: CaughtDelivery): Cause | undefined {
    return this.#causes.findLast((cause) => cause.at <= since && (event === '' || cause.event === event));
  }

  /** Whether an attempt is of another notification than the one whose id and event it has. */
  #isAnother(delivery: CaughtDelivery, { step, body }: Caught, now: Caught): boolean {
    const accepted = step.do === 'respond' && this.#accepting.includes(step.status);
    const same = delivery.id !== '' && body.equals(now.body);
    return accepted && !same && this.causeOf({ ...delivery, since: now.at }) !== this.causeOf(delivery);
  }

  #measure(delivery: CaughtDelivery, before: Caught, now: Caught): void {
    const { step } = before;
    const refused = step.do === 'respond' && !this.#accepting.includes(step.status) && step.delay === undefined;
    const cause = this.causeOf(delivery);
    if (!refused || cause === undefined) return;
    const ms = now.at - (before.end?.at ?? before.at);
    const attempts = delivery.attempts.length;
    const gaps = this.#gaps.get(cause) ?? [];
    this.#gaps.set(cause, gaps);
    gaps[attempts - 1] = Math.max(gaps[attempts - 1] ?? 0, ms);
    this.#longest[attempts - 1] = Math.max(this.#longest[attempts - 1] ?? 0, ms);
    const span = this.#spans.get(cause);
    if (span === undefined || attempts >= span.attempts)
      this.#spans.set(cause, {
        attempts,
        ms: Math.max(now.at - delivery.since, attempts === span?.attempts ? span.ms : 0),
      });
  }
}

/** The last part of an endpoint's address is its name. A slash may follow. */
export function nameOf(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return path.split('/').findLast((part) => part !== '') ?? '';
}

/** The endpoints at which nobody looks any more: what came to them goes where the catcher has little room left. */
export class LeftEndpoints {
  readonly #catcher: Pick<Catcher, 'isCrowded' | 'forget'>;
  readonly #deliveryLog: DeliveryLog;
  readonly #names = new Set<string>();
  /** When its webhook, or the last of them, had been deleted, in milliseconds of the run. */
  readonly #deletedAt = new Map<string, number>();

  constructor(catcher: Pick<Catcher, 'isCrowded' | 'forget'>, deliveryLog: DeliveryLog) {
    this.#catcher = catcher;
    this.#deliveryLog = deliveryLog;
  }

  /** @param at - when the deletion of a webhook there had succeeded */
  noteDeletion(name: string | undefined, at: number): void {
    if (name !== undefined) this.#deletedAt.set(name, at);
  }

  add(names: readonly string[]): void {
    for (const name of names) this.#names.add(name);
    if (!this.#catcher.isCrowded) return;
    for (const name of this.#names) {
      this.#catcher.forget(name);
      this.#deliveryLog.forgetAt(name);
    }
  }
  /** Whether notifications came of two things that were caused after its webhook had been deleted: one alone may have been late. */
  isStillNotified(name: string): boolean {
    const since = this.#deletedAt.get(name);
    if (since === undefined) return false;
    const causes = this.#deliveryLog.at({ url: name }).map((delivery) => this.#deliveryLog.causeOf(delivery));
    return new Set(causes.filter((cause) => cause !== undefined && cause.at > since)).size > 1;
  }
}
