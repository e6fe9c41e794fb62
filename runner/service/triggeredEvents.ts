import { OutOfTime, Unproven } from '../../suites/check.ts';
import type { CatchingEndpoint, TriggeredEvent } from '../../suites/serviceKit.ts';
import type { CaughtDelivery, Cause } from './deliveryLog.ts';
import type { EventTrigger } from './eventTrigger.ts';
import type { RunState } from './runState.ts';
import { settlingTime, waitFor } from './settlingTime.ts';

/** Milliseconds that the first delivery after a triggered event is waited for at most, while none has been seen. */
const firstArrival = 15_000;

/** A service of which nothing came although so much happened is not waited for as if it had only begun. */
const manyInVain = 12;

interface Asked {
  readonly resolve: (triggered: TriggeredEvent) => void;
  readonly reject: (error: unknown) => void;
}

/** What a triggered event's deliveries are looked for by. */
export interface KnownTriggeredEvent extends TriggeredEvent {
  readonly cause: Cause;
  /** Milliseconds of the run at which the service had confirmed that it was reported. */
  readonly done: number;
}

/**
 * Makes events happen, once for all cases that ask for the same one. Nothing happens before every case at work waits for
 * something, so that all cases that need it have registered their webhooks.
 */
export class TriggeredEvents {
  readonly #eventTrigger: EventTrigger;
  readonly #asked = new Map<string, Asked[]>();
  #context: RunState | undefined;
  #monitor: CatchingEndpoint | undefined;
  /** Registers a webhook that refuses everything, to show when retries come. */
  #registerRefusedTwin: ((event: string) => Promise<void>) | undefined;
  /** Events of which nothing came although a whole retry window was waited for. */
  readonly #silent = new Set<string>();
  /** How often something happened, and nothing had come of anything by then. */
  #inVain = 0;
  /** Events of which something came. */
  readonly #heard = new Set<string>();
  #busy = false;
  /** True while several events are being made to happen at the same time. */
  #crowded = false;
  /** Whether others were notified of something that the monitor was not: it is not awaited for long any more. */
  #isPassedOver = false;
  /** Events that a refused twin goes along with; for the others nobody knows when retries come. */
  #scenarioEvents: readonly string[] = [];

  constructor(eventTrigger: EventTrigger) {
    this.#eventTrigger = eventTrigger;
  }

  /** @param registerRefusedTwin - called before an event of `scenarioEvents` is made to happen */
  begin(
    context: RunState,
    monitor: CatchingEndpoint,
    scenarioEvents: readonly string[],
    registerRefusedTwin: (event: string) => Promise<void>,
  ): void {
    this.#context = context;
    this.#monitor = monitor;
    this.#scenarioEvents = scenarioEvents;
    this.#registerRefusedTwin = registerRefusedTwin;
  }

  get events(): readonly string[] {
    return this.#eventTrigger.events;
  }

  /** True while nothing is being made to happen. */
  get idle(): boolean {
    return !this.#busy && this.#asked.size === 0;
  }

  /** True where much was raised, and nothing has come of it to anybody: what waits for more would only take time. */
  get isMute(): boolean {
    return this.#inVain >= manyInVain && !this.#isHeard;
  }

  /** Whether more of an event would be waited for in vain. */
  isMuteFor(event: string): boolean {
    return this.isMute && !this.#eventTrigger.isApart(event);
  }

  get #isHeard(): boolean {
    return [...(this.#context?.deliveryLog.heard ?? [])].some((event) => !this.#eventTrigger.isApart(event));
  }

  /** What the monitor has been sent. @param event - of it. Default: all */
  monitored(event?: string): readonly CaughtDelivery[] {
    if (this.#monitor === undefined || this.#context === undefined) return [];
    const all = this.#context.deliveryLog.at(this.#monitor);
    return event === undefined ? all : all.filter((delivery) => delivery.event === event);
  }

  /** Asks for an event. Resolves when its first deliveries are there, or did not come. */
  ask(event: string): Promise<TriggeredEvent> {
    return new Promise((resolve, reject) => {
      const asked = this.#asked.get(event) ?? [];
      asked.push({ resolve, reject });
      this.#asked.set(event, asked);
      // A caller that asks from outside of the scenarios finds nobody at work who would begin it.
      setImmediate(() => this.stage());
    });
  }

  /** Makes happen what was asked for, if no scenario is at work. To be called whenever none is. */
  stage(): void {
    if (this.#busy || this.#asked.size === 0 || this.#context?.scenarios.idle !== true) return;
    this.#busy = true;
    const asked = [...this.#asked];
    this.#asked.clear();
    this.#crowded = asked.length > 1;
    const at = this.#context.elapsed();
    void Promise.all(asked.map(([event, all]) => this.#make(event, all, at))).then(() => {
      this.#busy = false;
      this.stage();
    });
  }

  /** Makes one event happen for all who asked. */
  async #make(event: string, asked: readonly Asked[], at: number): Promise<void> {
    try {
      const triggered = { ...(await this.make(event)), at };
      for (const { resolve } of asked) resolve(triggered);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  /** Makes one event happen now. @throws Unproven where it could not be caused */
  async make(event: string): Promise<KnownTriggeredEvent> {
    const context = this.#context;
    if (context === undefined) throw new TypeError('events were asked for before the control');
    if (this.#silent.has(event))
      throw new OutOfTime(`nothing came of ${event} within the retry window, and it was not tried again`);
    if (this.#scenarioEvents.includes(event)) await this.#registerRefusedTwin?.(event);
    const cause = context.deliveryLog.cause(event, context.elapsed());
    const caused = await this.#eventTrigger.cause(event);
    if (!caused.caused) throw new Unproven(caused.reason);
    const { by, call } = caused;
    const done = context.elapsed();
    const monitored = await this.#arrivals(context, cause, by);
    if (!this.#eventTrigger.isApart(event) && !this.#isHeard) this.#inVain += 1;
    if (monitored.length > 0) this.#heard.add(event);
    else if (by !== 'emit' && context.deliveryLog.newestOf(cause) === undefined) this.#silent.add(event);
    return { event, at: cause.at, by, ...(call && { call }), monitored, cause, done };
  }

  /** Makes one event happen now, and waits for nothing that comes of it. @throws Unproven where it could not be caused */
  async raise(event: string): Promise<KnownTriggeredEvent> {
    const context = this.#context;
    if (context === undefined) throw new TypeError('an event was raised before the control');
    const cause = context.deliveryLog.cause(event, context.elapsed());
    const caused = await this.#eventTrigger.cause(event);
    if (!caused.caused) throw new Unproven(caused.reason);
    const { by, call } = caused;
    return { event, at: cause.at, by, ...(call && { call }), monitored: [], cause, done: context.elapsed() };
  }

  async #arrivals(context: RunState, cause: Cause, by: TriggeredEvent['by']) {
    const look = () => {
      const found = this.#monitor === undefined ? [] : context.deliveryLog.at(this.#monitor);
      const own = found.filter((delivery) => context.deliveryLog.causeOf(delivery) === cause);
      return own.length > 0 ? own : undefined;
    };
    const from = context.elapsed();
    const due = (): number => {
      const limit = from + this.#timeLimit(context, cause, by);
      // What has come to others comes to the monitor as well, or not at all.
      const elsewhere = context.deliveryLog.newestOf(cause);
      const patience = this.#isPassedOver ? settlingTime(context) : Math.max(5 * settlingTime(context), 5000);
      return elsewhere === undefined ? limit : Math.min(limit, elsewhere + patience);
    };
    const monitored = (await waitFor(context, look, due)) ?? [];
    const [delivery] = monitored;
    this.#isPassedOver ||= delivery === undefined && context.deliveryLog.firstOf(cause) !== undefined;
    context.deliveryLog.monitored ||= delivery !== undefined;
    // What the kit itself was late for, or what had to queue behind others, says nothing about the service's pace.
    const plain = delivery !== undefined && !this.#crowded && context.lateness.within(from, delivery.since) === 0;
    if (plain) context.slowestArrival = Math.max(context.slowestArrival ?? 0, delivery.since - from);
    return monitored;
  }

  /**
   * What a tracking request leads to may take as long as the user waits, the first time; what came before comes about as
   * soon again, and what was emitted comes soon.
   */
  #timeLimit(context: RunState, { event }: Cause, by: TriggeredEvent['by']): number {
    const { retryWindow } = context.plan;
    if (by !== 'emit' && !this.#heard.has(event)) return retryWindow;
    const settled = Math.max(5 * settlingTime(context), 5000);
    const isNew = by === 'emit' && context.slowestArrival === undefined && !this.isMute;
    return Math.min(isNew || by !== 'emit' ? Math.max(firstArrival, settled) : settled, retryWindow);
  }
}
