import { OutOfTime, Unproven } from '../../suites/check.ts';
import type { Caught } from '../../suites/exchange.ts';
import type { CatchingEndpoint, Happening, ListedNotification, Notified } from '../../suites/serviceKit.ts';
import type { Activity } from '../engine/activity.ts';
import type { ServiceContext } from './context.ts';
import type { KnownHappening } from './happenings.ts';
import { overdue, settlingTime, windowEnd } from './patience.ts';
import type { Letter } from './post.ts';
import { waitFor } from './waiting.ts';

/** Milliseconds between two readings of a list. */
const pace = 150;

/**
 * The waits of one case. While it waits it gives its place to others, so that all waits of a run are spent together.
 */
export class Deliveries {
  readonly #context: ServiceContext;
  readonly #activity: Activity;

  constructor(context: ServiceContext, activity: Activity) {
    this.#context = context;
    this.#activity = activity;
  }

  happen(event: string): Promise<Happening> {
    return this.#activity.park(this.#context.happenings.ask(event));
  }

  happenAll(events: readonly string[]): Promise<readonly Happening[]> {
    return this.#activity.park(Promise.all(events.map((event) => this.#context.happenings.ask(event))));
  }

  arrival(endpoint: CatchingEndpoint, happening: Happening): Promise<Letter | undefined> {
    const { post } = this.#context;
    const { cause } = happening as KnownHappening;
    const look = () => post.at(endpoint).find((letter) => post.causeOf(letter) === cause);
    return this.#wait(look, () => this.#settled(happening));
  }

  async arrivals(endpoint: CatchingEndpoint, happening: Happening): Promise<readonly Letter[]> {
    await this.#wait(
      () => undefined,
      () => this.#settled(happening),
    );
    return this.#context.post.at(endpoint).filter(({ since }) => since >= happening.at);
  }

  async untilAttempt(notified: Notified, number: number): Promise<boolean> {
    const letter = notified as Letter;
    const look = () => (letter.attempts.length >= number ? true : undefined);
    if ((await this.#wait(look, () => this.#dueOf(letter))) === true) return true;
    if (this.#isOverdue(letter)) return false;
    throw new OutOfTime(this.#stillOpen(letter, number));
  }

  async staysQuiet(notified: Notified): Promise<boolean> {
    const letter = notified as Letter;
    const count = letter.attempts.length;
    const look = () => (letter.attempts.length > count ? true : undefined);
    if ((await this.#wait(look, () => this.#dueOf(letter))) === true) return false;
    if (this.#isOverdue(letter)) return true;
    throw new OutOfTime(this.#stillOpen(letter, count + 1));
  }

  async untilCaught(endpoint: CatchingEndpoint, count: number): Promise<readonly Caught[]> {
    const context = this.#context;
    const from = context.elapsed();
    const unknown = context.slowestArrival === undefined ? 5000 : 0;
    const look = () => (endpoint.caught.length >= count ? true : undefined);
    await this.#wait(look, () => from + Math.max(unknown, settlingTime(context)));
    if (endpoint.caught.length > 0) context.slowestArrival ??= (endpoint.caught[0]?.at ?? from) - from;
    return endpoint.caught;
  }

  soon<T>(look: () => T | undefined, ms: number): Promise<T | undefined> {
    const until = this.#context.elapsed() + ms;
    return this.#wait(look, () => until);
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
        last = (await this.#context.ledger.lookUp([id])).get(id);
        const reached = statuses.length === 0 || (typeof last?.status === 'string' && statuses.includes(last.status));
        return last && reached ? last : undefined;
      },
      Math.min(
        settlingTime(this.#context) + 2 * (this.#context.post.longestGap() ?? 0),
        this.#context.plan.retryWindow,
      ),
    );
    return found ?? last;
  }

  until<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.#poll(ask, this.#context.plan.retryWindow);
  }

  async #poll<T>(ask: () => Promise<T | undefined>, patience: number): Promise<T | undefined> {
    const until = this.#context.elapsed() + patience;
    for (;;) {
      const found = await ask();
      if (found !== undefined || this.#context.elapsed() >= until) return found;
      const next = this.#context.elapsed() + pace;
      await this.#wait(
        () => undefined,
        () => next,
      );
    }
  }

  #wait<T>(look: () => T | undefined, due: () => number | undefined): Promise<T | undefined> {
    return this.#activity.park(waitFor(this.#context, look, due));
  }

  /** Where nothing has ever come, waiting once more would only take time. */
  #nothingCame(event: string): Unproven {
    const reason = `no notification of ${event} came, not even to a webhook that accepts everything${this.#unreadable()}`;
    return this.#context.post.witnessed ? new Unproven(reason) : new OutOfTime(reason);
  }

  /** What else came to the catcher: a service that does not trust its certificate leaves such traces. */
  #unreadable(): string {
    const { unreadable } = this.#context.catcher;
    const [first] = unreadable;
    return first === undefined ? '' : `; ${first[1]} connections to the kit brought no request (${first[0]})`;
  }

  /** When a delivery that the witness had is overdue elsewhere. @throws Unproven where the witness had none */
  #settled(happening: Happening): number {
    const { witnessed, event, done } = happening as KnownHappening;
    const [first] = witnessed;
    if (first === undefined) throw this.#nothingCame(event);
    const { since } = first as Letter;
    const settling = settlingTime(this.#context);
    const due = since + Math.max(settling, 5 * (since - done));
    // While first deliveries still come in anywhere, the service is busy with what happened.
    return Math.min(Math.max(due, this.#context.post.newest + settling), since + this.#context.plan.retryWindow);
  }

  #dueOf(letter: Letter): number {
    return Math.min(overdue(this.#context, letter) ?? Infinity, windowEnd(this.#context, letter));
  }

  #isOverdue(letter: Letter): boolean {
    return (overdue(this.#context, letter) ?? Infinity) <= this.#context.elapsed();
  }

  #stillOpen({ attempts }: Letter, number: number): string {
    const { retryWindow } = this.#context.plan;
    const seen = `${attempts.length} attempt${attempts.length === 1 ? '' : 's'} came`;
    return `${seen} within the retry window of ${retryWindow / 1000} s, and nothing shows when attempt ${number} would come: give a longer --retry-window`;
  }
}
