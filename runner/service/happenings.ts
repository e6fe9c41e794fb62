import { OutOfTime, Unproven } from '../../suites/check.ts';
import type { CatchingEndpoint, Happening } from '../../suites/serviceKit.ts';
import type { Causer } from './causer.ts';
import type { ServiceContext } from './context.ts';
import { settlingTime } from './patience.ts';
import type { Cause } from './post.ts';
import { waitFor } from './waiting.ts';

/** Milliseconds that the first delivery after a happening is waited for at most, while none has been seen. */
const firstArrival = 15_000;

interface Asked {
  readonly resolve: (happening: Happening) => void;
  readonly reject: (error: unknown) => void;
}

/** What a happening's deliveries are looked for by. */
export interface KnownHappening extends Happening {
  readonly cause: Cause;
  /** Milliseconds of the run at which the service had confirmed that it was told. */
  readonly done: number;
}

/**
 * Makes events happen, once for all cases that ask for the same one. Nothing happens before every case at work waits for
 * something, so that all cases that need it have registered their webhooks.
 */
export class Happenings {
  readonly #causer: Causer;
  readonly #asked = new Map<string, Asked[]>();
  #context: ServiceContext | undefined;
  #witness: CatchingEndpoint | undefined;
  /** Registers a webhook that refuses everything, to show when retries come. */
  #accompany: ((event: string) => Promise<void>) | undefined;
  /** Events of which nothing came although a whole retry window was waited for. */
  readonly #silent = new Set<string>();
  #busy = false;
  /** True while several events are being made to happen at the same time. */
  #crowded = false;
  /** Events that a refusing companion goes along with; for the others nobody knows when retries come. */
  #carriers: readonly string[] = [];

  constructor(causer: Causer) {
    this.#causer = causer;
  }

  /** @param accompany - called before an event of `carriers` is made to happen */
  begin(
    context: ServiceContext,
    witness: CatchingEndpoint,
    carriers: readonly string[],
    accompany: (event: string) => Promise<void>,
  ): void {
    this.#context = context;
    this.#witness = witness;
    this.#carriers = carriers;
    this.#accompany = accompany;
  }

  get events(): readonly string[] {
    return this.#causer.events;
  }

  /** True while nothing is being made to happen. */
  get idle(): boolean {
    return !this.#busy && this.#asked.size === 0;
  }

  /** How many notifications of an event the witness has been sent. */
  witnessed(event: string): number {
    if (this.#witness === undefined || this.#context === undefined) return 0;
    return this.#context.post.at(this.#witness).filter((letter) => letter.event === event).length;
  }

  /** Asks for an event. Resolves when its first deliveries are there, or did not come. */
  ask(event: string): Promise<Happening> {
    return new Promise((resolve, reject) => {
      const asked = this.#asked.get(event) ?? [];
      asked.push({ resolve, reject });
      this.#asked.set(event, asked);
      // Whoever asks from outside of the scenarios finds nobody at work who would begin it.
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
      const happening = { ...(await this.make(event)), at };
      for (const { resolve } of asked) resolve(happening);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  /** Makes one event happen now. @throws Unproven where it could not be caused */
  async make(event: string): Promise<KnownHappening> {
    const context = this.#context;
    if (context === undefined) throw new TypeError('happenings were asked for before the control');
    if (this.#silent.has(event))
      throw new OutOfTime(`nothing came of ${event} within the retry window, and it was not tried again`);
    if (this.#carriers.includes(event)) await this.#accompany?.(event);
    const cause = context.post.cause(event, context.elapsed());
    const caused = await this.#causer.cause(event);
    if (!caused.caused) throw new Unproven(caused.reason);
    const { by, call } = caused;
    const done = context.elapsed();
    const witnessed = await this.#arrivals(context, cause, by);
    if (witnessed.length === 0 && by !== 'emit') this.#silent.add(event);
    return { event, at: cause.at, by, ...(call && { call }), witnessed, cause, done };
  }

  /** Makes one event happen now, and waits for nothing that comes of it. @throws Unproven where it could not be caused */
  async raise(event: string): Promise<KnownHappening> {
    const context = this.#context;
    if (context === undefined) throw new TypeError('an event was raised before the control');
    const cause = context.post.cause(event, context.elapsed());
    const caused = await this.#causer.cause(event);
    if (!caused.caused) throw new Unproven(caused.reason);
    const { by, call } = caused;
    return { event, at: cause.at, by, ...(call && { call }), witnessed: [], cause, done: context.elapsed() };
  }

  async #arrivals(context: ServiceContext, cause: Cause, by: Happening['by']) {
    const look = () => {
      const found = this.#witness === undefined ? [] : context.post.at(this.#witness);
      const own = found.filter((letter) => context.post.causeOf(letter) === cause);
      return own.length > 0 ? own : undefined;
    };
    const from = context.elapsed();
    const witnessed = (await waitFor(context, look, () => from + this.#patience(context, by))) ?? [];
    const [letter] = witnessed;
    context.post.witnessed ||= letter !== undefined;
    // What the kit itself was late for, or what had to queue behind others, says nothing about the service's pace.
    const plain = letter !== undefined && !this.#crowded && context.lateness.within(from, letter.since) === 0;
    if (plain) context.slowestArrival = Math.max(context.slowestArrival ?? 0, letter.since - from);
    return witnessed;
  }

  /** What a tracking request leads to may take as long as the user waits; what was emitted comes soon. */
  #patience(context: ServiceContext, by: Happening['by']): number {
    const { retryWindow } = context.plan;
    if (by !== 'emit') return retryWindow;
    const usual = context.slowestArrival === undefined ? firstArrival : Math.max(5 * settlingTime(context), 5000);
    return Math.min(usual, retryWindow);
  }
}
