import type { Contract } from '../../spec/contract.ts';
import type { CaughtCheck, CaughtKit } from '../../suites/caught/caughtCheck.ts';
import type { Answer } from '../../suites/delivery.ts';
import type { Caught, CatchStep } from '../../suites/exchange.ts';
import { type Catcher, createCatcher } from '../catcher/catcher.ts';
import type { CatchingPlace } from '../catcher/endpoint.ts';
import { listenFailed } from '../http/listen.ts';
import { textAt } from '../service/located.ts';
import { CommandQueue, type Forwarder } from './forwarder.ts';
import { type CaughtRecord, DeliveryStore, type Executed } from './deliveryStore.ts';
import { judgeCaught } from './judge.ts';
import { answerChoices, NextAnswer } from './nextAnswer.ts';

/** The address at which the listener listens: this machine alone. */
const listenerHost = '127.0.0.1';

/** Bytes of a body that are read, and kept. */
const bodyLimit = 16 * 1024 * 1024;

export interface ListenerOptions {
  /** By what deliveries are judged. */
  readonly kit: CaughtKit;
  /** What is asked of each delivery. */
  readonly checks: readonly CaughtCheck[];
  /** Where it listens on 127.0.0.1; 0: any free port. */
  readonly port: number;
  /** Passes every delivery on. Default: nothing is. */
  readonly forwarder?: Forwarder | undefined;
  /** A shell command that is run for each delivery, and where. Default: none. */
  readonly exec?: { readonly command: string; readonly cwd: string } | undefined;
}

/** What happens to a delivery, in this order; what is not asked for does not happen. */
export type ListenerMoment = 'arrived' | 'forwarded' | 'answered' | 'executed';

type ListenerHeard = (moment: ListenerMoment, record: CaughtRecord) => void;

/** Catches deliveries at one address, tests each against the contract, answers as was chosen, and keeps the newest. */
export class Listener {
  readonly contract: Contract;
  readonly kit: CaughtKit;
  readonly checks: readonly CaughtCheck[];
  readonly store = new DeliveryStore();
  readonly next: NextAnswer;
  readonly forwarder: Forwarder | undefined;
  readonly #options: ListenerOptions;
  readonly #began = performance.now();
  readonly #heard = new Set<ListenerHeard>();
  readonly #records = new WeakMap<Caught, CaughtRecord>();
  readonly #commands: CommandQueue | undefined;
  readonly #forwarding = new Set<Promise<unknown>>();
  #catcher: Catcher | undefined;
  #heads = 0;

  constructor(options: ListenerOptions) {
    const { kit, forwarder, exec } = options;
    const { contract } = kit;
    this.#options = options;
    this.contract = contract;
    this.kit = options.kit;
    this.checks = options.checks;
    this.forwarder = forwarder;
    const [first, ...others] = answerChoices(contract, forwarder !== undefined);
    this.next = new NextAnswer([first!, ...others]);
    const onEnd = (record: CaughtRecord, executed: Executed): void => {
      record.executed = executed;
      this.#report('executed', record);
    };
    this.#commands = exec && new CommandQueue({ ...exec, onEnd });
  }

  /** Where deliveries are sent to: any path below it does. */
  get url(): string {
    return `${this.#catcher?.origin ?? ''}/`;
  }

  /** Connections that brought no HTTP, by the code of what was wrong. */
  get unreadable(): ReadonlyMap<string, number> {
    return this.#catcher?.unreadable ?? new Map<string, number>();
  }

  /** Deliveries for which `--exec` was not run, because it did not keep up. */
  get skipped(): number {
    return this.#commands?.skipped ?? 0;
  }

  /** Milliseconds since the listener was made. */
  elapsed(): number {
    return Math.round((performance.now() - this.#began) * 10) / 10;
  }

  /** Starts to listen. @throws UsageError where the port cannot be had */
  async listen(): Promise<void> {
    const { contract } = this;
    const { port } = this.#options;
    const listen = { host: listenerHost, port };
    this.#catcher = await createCatcher({
      protocol: 'http',
      listen,
      keyOf: (body, headers) => textAt({ headers, body }, contract.delivery.id?.at),
      bodyLimit,
      elapsed: () => this.elapsed(),
      otherwise: this.#place(),
    }).catch((cause: unknown) => {
      throw listenFailed(listen, cause, '--port');
    });
  }

  /** @returns stops the listening */
  on(heard: ListenerHeard): () => void {
    this.#heard.add(heard);
    return () => void this.#heard.delete(heard);
  }

  /** Says that a record has changed, to those that show it. */
  changed(record: CaughtRecord): void {
    this.store.touch(record);
  }

  /** Stops listening, and ends what is going on. */
  async close(): Promise<void> {
    await this.#catcher?.close();
    await Promise.all([this.#commands?.close(), this.forwarder?.close()]);
    await Promise.allSettled(this.#forwarding);
  }

  #place(): CatchingPlace {
    return {
      name: '',
      nextHead: () => (this.#heads += 1),
      slowness: () => 0,
      assign: (key) => ({ number: key === '' ? 1 : this.store.countOf(key) + 1, step: { do: 'hang' } }),
      decide: (caught, signal) => this.#decide(caught, signal),
      keep: (caught) => this.#arrive(caught),
      tell: (caught) => this.#report('answered', this.#records.get(caught)),
    };
  }

  #arrive(caught: Caught): true {
    const event = this.kit.delivered(caught, 'event');
    const record = this.store.add(
      caught,
      { at: Date.now(), event: typeof event === 'string' ? event : '' },
      (earlier, alike) => judgeCaught(this.kit, this.checks, { caught, earlier, alike }),
    );
    this.#records.set(caught, record);
    this.#report('arrived', record);
    if (caught.bytes >= 0) this.#commands?.add(record);
    return true;
  }

  async #decide(caught: Caught, signal: AbortSignal): Promise<CatchStep> {
    const own = this.next.take().step(this.contract);
    const { forwarder } = this;
    if (forwarder === undefined) return own ?? { do: 'hang' };
    const forwarding = this.#forward(forwarder, caught, own === undefined ? signal : undefined);
    if (own !== undefined) return own;
    return forwarder.stepOf(await forwarding);
  }

  async #forward(forwarder: Forwarder, caught: Caught, signal: AbortSignal | undefined): Promise<Answer> {
    const forwarding = forwarder.forward(caught, signal);
    this.#forwarding.add(forwarding);
    const answer = await forwarding.finally(() => this.#forwarding.delete(forwarding));
    const record = this.#records.get(caught);
    if (record !== undefined) record.forwarded = answer;
    this.#report('forwarded', record);
    return answer;
  }

  #report(moment: ListenerMoment, record: CaughtRecord | undefined): void {
    if (record === undefined) return;
    this.store.touch(record);
    for (const heard of this.#heard) heard(moment, record);
  }
}
