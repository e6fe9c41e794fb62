import { OutOfTime, Unproven } from '../../suites/check.ts';
import type { Caught } from '../../suites/exchange.ts';
import { counted } from '../../suites/items.ts';
import type { CatchingEndpoint, TriggeredEvent, ListedNotification, Notified } from '../../suites/serviceKit.ts';
import type { Activity } from '../engine/activity.ts';
import type { ServiceContext } from './serviceContext.ts';
import type { KnownTriggeredEvent } from './triggeredEvents.ts';
import { longerThan, overdue, quietBy, settlingTime, windowEnd, waitFor } from './settlingTime.ts';
import type { CaughtDelivery } from './deliveryLog.ts';
import { areApart, openRetries } from '../../suites/service/redelivery.ts';
import { isListedOver } from '../../suites/service/listItems.ts';
import { offers } from '../../spec/serviceTerms.ts';

/** Milliseconds between two readings of a list. */
const pace = 150;

/** Milliseconds after which nothing may be expected any more of a service that has not sent anything yet: it is not awaited for long. */
const newFor = 10_000;

/** How a client leaves that does not trust a certificate: Node without a word, others with an alert of TLS. */
const untrusted = /^CLOSED_WITHOUT_REQUEST$|_ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)$/;

/** What the user says of a number. */
const finds = { trackable: 'finds', untrackable: 'does not find' } as const;

/** A service that never had more under way may have no room for more. */
const fewAtOnce = 4;

/**
 * The waits of one case. While it waits it gives its place to others, so that all waits of a run are spent together.
 */
export class Deliveries {
  readonly #context: ServiceContext;
  readonly #activity: Activity;
  readonly #watched = new Map<CaughtDelivery, () => boolean>();

  constructor(context: ServiceContext, activity: Activity) {
    this.#context = context;
    this.#activity = activity;
  }

  trigger(event: string): Promise<TriggeredEvent> {
    const { triggeredEvents } = this.#context;
    if (triggeredEvents.isMuteFor(event))
      return Promise.reject(
        new OutOfTime('nothing has come to any webhook of all that was raised, so nothing more was raised'),
      );
    return this.#activity.park(triggeredEvents.ask(event));
  }

  triggerAll(events: readonly string[]): Promise<readonly TriggeredEvent[]> {
    return this.#activity.park(Promise.all(events.map((event) => this.#context.triggeredEvents.ask(event))));
  }

  arrival(endpoint: CatchingEndpoint, triggered: TriggeredEvent): Promise<CaughtDelivery | undefined> {
    const { deliveryLog } = this.#context;
    const { cause } = triggered as KnownTriggeredEvent;
    return this.#wait(
      () => deliveryLog.broughtBy(cause, endpoint),
      () => this.#settled(triggered),
    );
  }

  async arrivals(endpoint: CatchingEndpoint, triggered: TriggeredEvent): Promise<readonly CaughtDelivery[]> {
    await this.#wait(
      () => undefined,
      () => this.#settled(triggered),
    );
    return this.#context.deliveryLog.at(endpoint).filter(({ since }) => since >= triggered.at);
  }

  async untilAttempt(notified: Notified, number: number): Promise<boolean> {
    const delivery = notified as CaughtDelivery;
    const isGivenUp = this.#givenUp(delivery);
    const look = () => {
      if (delivery.attempts.length >= number) return 'came';
      return isGivenUp() ? 'given up' : this.#cameInstead(delivery) ? 'instead' : undefined;
    };
    const seen = await this.#untilDue(delivery, look, overdue);
    if (seen === 'came') return true;
    if (seen === 'given up') return false;
    if ((overdue(this.#context, delivery) ?? Infinity) <= this.#context.elapsed()) return false;
    if (seen === undefined) throw new OutOfTime(this.#stillOpen(delivery, number));
    throw new Unproven('what came after it shows another id or none: see service/retries/same-notification');
  }

  async staysQuiet(notified: Notified): Promise<boolean> {
    const delivery = notified as CaughtDelivery;
    const count = delivery.attempts.length;
    const due: typeof quietBy = (...asked) => (this.#givenUp(delivery)(), quietBy(...asked));
    if (await this.#untilDue(delivery, () => delivery.attempts.length > count || undefined, due)) return false;
    if (this.isOverdue(delivery)) return true;
    throw new OutOfTime(this.#stillOpen(delivery, count + 1));
  }

  async untilCaught(endpoint: CatchingEndpoint, count: number): Promise<readonly Caught[]> {
    const context = this.#context;
    const from = context.elapsed();
    context.awaitedSince ??= from;
    const isNew = context.slowestArrival === undefined && from - context.awaitedSince < newFor;
    const unknown = isNew ? 5000 : 0;
    const look = () => (endpoint.caught.length >= count ? true : undefined);
    await this.#wait(look, () => Math.max(from + Math.max(unknown, settlingTime(context)), this.#turnBy(from)));
    if (endpoint.caught.length > 0) context.slowestArrival ??= (endpoint.caught[0]?.at ?? from) - from;
    return endpoint.caught;
  }

  soon<T>(look: () => T | undefined, ms: number): Promise<T | undefined> {
    const until = this.#context.elapsed() + ms;
    return this.#wait(look, () => until);
  }

  async stillHeld<T>(look: () => T | undefined): Promise<T | undefined> {
    const found = await this.soon(look, this.#context.awaitsClaims ? this.#context.plan.retryWindow : 0);
    this.#context.awaitsClaims &&= found !== undefined;
    return found;
  }

  async settle(): Promise<void> {
    const until = this.#context.elapsed() + settlingTime(this.#context);
    await this.#wait(
      () => undefined,
      () => until,
    );
  }

  async untilListed(id: string, statuses: readonly string[]): Promise<ListedNotification | undefined> {
    let last: ListedNotification | undefined;
    const found = await this.#poll(
      async () => {
        last = (await this.#context.listedNotifications.lookUp([id])).get(id);
        const reached = statuses.length === 0 || (typeof last?.status === 'string' && statuses.includes(last.status));
        return last && reached ? last : undefined;
      },
      Math.min(
        settlingTime(this.#context) + 2 * (this.#context.deliveryLog.longestGap() ?? 0),
        this.#context.plan.retryWindow,
      ),
    );
    return found ?? last;
  }

  until<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.#poll(ask, this.#context.plan.retryWindow);
  }

  async #poll<T>(ask: () => Promise<T | undefined>, timeLimit: number): Promise<T | undefined> {
    const { lateness } = this.#context;
    const from = this.#context.elapsed();
    for (;;) {
      const found = await ask();
      const isOver = this.#context.elapsed() >= lateness.extended(from, from + timeLimit);
      if (found !== undefined || isOver || this.#context.triggeredEvents.isMute) return found;
      const next = this.#context.elapsed() + pace;
      await this.#wait(
        () => undefined,
        () => next,
      );
    }
  }

  /**
   * Says whether the service lists a notification as one that it is done with, although its last attempt was not accepted, so
   * that nothing is left to wait for, and notes the same of others of its cause. The list is read now and then while no attempt
   * comes. One that webhooks share says nothing of the attempts at one of them.
   */
  #givenUp(delivery: CaughtDelivery): () => boolean {
    const known = this.#watched.get(delivery) ?? this.#watch(delivery);
    this.#watched.set(delivery, known);
    return known;
  }

  #watch(delivery: CaughtDelivery): () => boolean {
    const context = this.#context;
    const { plan, deliveryLog, listedNotifications } = context;
    const { notification } = plan.terms;
    if (notification === undefined || !offers(plan.contract, 'notifications')) return () => false;
    let [next, isGivenUp] = [0, false];
    return () => {
      const last = delivery.attempts.at(-1)?.end?.at ?? Infinity;
      const lull = settlingTime(context) + 2 * deliveryLog.longestGap();
      if (isGivenUp || context.elapsed() < Math.max(next, last + lull) || deliveryLog.isShared(delivery))
        return isGivenUp;
      next = context.elapsed() + lull;
      const twins = deliveryLog.refusedTwins(delivery, context.elapsed() - lull);
      const asked = [...new Set([delivery, ...twins])];
      const listed = listedNotifications.lookUp(asked.map(({ id }) => id));
      const note = (found: Awaited<typeof listed>): void => {
        const isDone = ({ id }: CaughtDelivery) => isListedOver(plan.terms, found.get(id));
        const over = asked.filter((each) => !deliveryLog.isAccepted(each) && isDone(each));
        for (const each of over) deliveryLog.noteGivenUp(each);
        isGivenUp = over.includes(delivery);
      };
      void listed.then(note).catch(() => {});
      return false;
    };
  }

  #wait<T>(look: () => T | undefined, due: () => number | undefined): Promise<T | undefined> {
    return this.#activity.park(waitFor(this.#context, look, due));
  }

  /** Where nothing has ever come, waiting once more would only take time. */
  #nothingCame({ event, by }: TriggeredEvent): Unproven {
    const asked = by === 'emit' ? '' : `; a number of --${by} was asked for: is it one that the service ${finds[by]}?`;
    const reason = `no notification of ${event} came, not even to a webhook that accepts everything${asked}${this.#unreadable()}${this.#turns()}`;
    return this.#context.deliveryLog.monitored ? new Unproven(reason) : new OutOfTime(reason);
  }

  /** A limit of the service for each host holds for all endpoints of the kit together. */
  #turns(): string {
    const { traffic } = this.#context;
    const { most } = traffic;
    const now = this.#context.elapsed();
    const isIdle = now > traffic.fullAt(now) + settlingTime(this.#context);
    if (most === 0 || most > fewAtOnce || isIdle) return '';
    return `; the service never had more than ${counted(most, 'delivery', 'deliveries')} under way at once, so this one may have waited for its turn`;
  }

  /** What else came to the catcher: a service that does not trust its certificate leaves such traces. */
  #unreadable(): string {
    const [code] = this.#context.catcher.unreadable.keys();
    if (code === undefined) return '';
    const asked = untrusted.test(code) ? `: does the service trust the authority of the kit's endpoints?` : '';
    return `; connections to the kit brought no request (${code})${asked}`;
  }

  /**
   * When a delivery that came to the monitor, or to any webhook where the monitor was passed over, is overdue elsewhere.
   *
   * @throws Unproven where it came to nobody
   */
  #settled(triggered: TriggeredEvent): number {
    const { monitored, done, cause } = triggered as KnownTriggeredEvent;
    const { deliveryLog, plan } = this.#context;
    const first = monitored[0] ?? deliveryLog.firstOf(cause);
    if (first === undefined) throw this.#nothingCame(triggered);
    const { since } = first as CaughtDelivery;
    const newest = deliveryLog.spreadBy(done);
    const settling = settlingTime(this.#context);
    const due = since + Math.max(settling, longerThan(since - done));
    // While first deliveries of what had happened by then still come in anywhere, the service is busy with that. Where it has
    // too little of its machine, what is still to come may take as long again.
    const lull = Math.max(settling, newest - done);
    return Math.min(Math.max(due, newest + lull, this.#turnBy(since)), since + plan.retryWindow);
  }

  /** When a service that sends no more at once than it has under way would have come to what is awaited since then. */
  #turnBy(since: number): number {
    const { traffic, plan } = this.#context;
    const now = this.#context.elapsed();
    return Math.min(traffic.fullAt(now) + settlingTime(this.#context), since + plan.retryWindow);
  }

  /** What came beside it, until it was this case's turn again, may have put off when it is due. */
  async #untilDue<T>(delivery: CaughtDelivery, look: () => T | undefined, dueBy: typeof overdue) {
    const context = this.#context;
    const due = () => Math.min(dueBy(context, delivery) ?? Infinity, windowEnd(context, delivery));
    for (;;) {
      const seen = await this.#wait(look, due);
      if (seen !== undefined || due() <= context.elapsed()) return seen;
    }
  }

  attemptSeen(number: number): boolean {
    return this.#context.deliveryLog.longestGap(number - 1) !== undefined;
  }

  isOverdue(notified: Notified): boolean {
    const delivery = notified as CaughtDelivery;
    this.#givenUp(delivery)();
    if (this.#cameInstead(delivery)) return true;
    return (quietBy(this.#context, delivery) ?? Infinity) <= this.#context.elapsed();
  }

  #stillOpen(delivery: CaughtDelivery, number: number): string {
    const { retryWindow } = this.#context.plan;
    const { attempts } = delivery;
    const came = this.#besides(delivery);
    if (areApart(came)) return openRetries(came, { attempts: number });
    const seen = `${attempts.length} attempt${attempts.length === 1 ? '' : 's'} came`;
    return `${seen} within the retry window of ${retryWindow / 1000} s, and nothing shows when attempt ${number} would come: give a longer --retry-window`;
  }

  /** Whether retries came that do not show whose they are: with no id, or several with an id each that came once only. */
  #cameInstead(delivery: CaughtDelivery): boolean {
    const there = this.#context.deliveryLog.at({ url: `/${delivery.attempts[0].endpoint}` });
    const isBare = ({ id, since }: CaughtDelivery) => id === '' && since > delivery.since;
    const came = this.#besides(delivery);
    return delivery.id !== '' && (there.some(isBare) || (came.length > 2 && areApart(came)));
  }

  /** What came to the same endpoint since, and of the same triggered event, whatever its id. */
  #besides(delivery: CaughtDelivery): readonly CaughtDelivery[] {
    const { deliveryLog } = this.#context;
    const cause = deliveryLog.causeOf(delivery);
    const there = deliveryLog.at({ url: `/${delivery.attempts[0].endpoint}` });
    return there.filter((other) => other.since >= delivery.since && deliveryLog.causeOf(other) === cause);
  }
}
