import type { Pool } from 'undici';

import type { Answer, Delivery } from '../../suites/delivery.ts';
import { type DelivererOptions, customHeaders } from './delivererOptions.ts';
import { limitsOf, unended, SharedAnswers } from './answerBody.ts';
import { KeptConnections, ConnectionTurns } from './connectionHabits.ts';
import { openIdle, closed, type Connection, ConnectionError, Connector, destroyed } from './connector.ts';
import { Barrier, hasBarrier, Hold } from './barrier.ts';
import { createPool, TargetPool } from './createPool.ts';
import { perhapsHurried, type Silence } from './answerTimes.ts';
import { paced, Slots } from './slots.ts';
import { afterStale, sendPooled } from './pooledExchange.ts';
import { plainWire, sendByHand, type WireOptions } from './wire.ts';

/** Bytes of the largest body that the pool sends: with larger ones undici often loses an early answer. */
const largestPooled = 1024 * 1024;
/** Bytes of the largest body whose answer shows how much the target has to do. */
const largestPlain = 64 * 1024;

/** How one delivery is sent, where it is not in the usual way. */
export interface Manner {
  /** Milliseconds after which the sender gives up and closes the connection. Default: the deliverer's time-out. */
  readonly timeout?: number | undefined;
  /** Asked when it is sent. Default: nothing is known. */
  readonly silence?: () => Silence;
  /**
   * Over a connection of its own, never sent once more by the deliverer itself: for a target that is killed while it
   * answers, where a second attempt nobody knows of would count. Default false.
   */
  readonly fresh?: boolean;
}

/** Called of an answer when it comes, with the place of its delivery. */
export type Heard = (answer: Answer, place: number) => void;

/**
 * Sends deliveries to one target. Whatever the target or the network does becomes an {@link Answer}: nothing here
 * rejects because of it. Redirects are answers like any other.
 *
 * A delivery goes over a kept connection, unless its body has more than 1 MiB or it comes from an address of its own.
 * Where a connection that had answered before breaks without a byte of an answer, the target had closed it while it was
 * unused, and the delivery is sent once more over a fresh one; the same where the target sends interim answers that
 * nobody asked for.
 */
export interface Deliverer {
  /**
   * Sends one delivery once a slot of `concurrency` (and of `rate`) is free.
   *
   * @param signal - aborts the waiting and the delivery: the answer is then broken with `ABORTED_BY_KIT`
   */
  deliver(delivery: Delivery, signal?: AbortSignal, how?: Manner): Promise<Answer>;
  /**
   * Sends all at the same moment, each over a fresh connection, past the slots, though they count for `rate`: every
   * connection is made first, then all are written in one turn. The answers are in the order of the deliveries.
   *
   * @param heard - called with each answer when it comes, with the place of its delivery
   */
  together(deliveries: readonly Delivery[], heard?: Heard): Promise<readonly Answer[]>;
  /** Sends one delivery over a fresh connection, past the slots and the rate: to see whether the target answers at all. */
  ask(delivery: Delivery): Promise<Answer>;
  /**
   * Sends one after the other over one connection, which is theirs alone and is kept from one to the next where the target
   * keeps it: none is written by hand. Past the slots, though they count for `rate`.
   */
  inTurn(deliveries: readonly Delivery[], heard?: Heard): Promise<readonly Answer[]>;
  /**
   * Opens this many TCP connections that stay idle, runs the action beside them, and closes them. Where the target
   * takes fewer, the action runs beside fewer.
   */
  besideIdle<T>(connections: number, action: () => Promise<T>): Promise<T>;
  /**
   * Sends each delivery over a fresh connection up to its `hold` step, runs the action, then lets them go on. The
   * answers are in the order of the deliveries.
   */
  besideHeld<T>(
    deliveries: readonly Delivery[],
    action: () => Promise<T>,
    heard?: Heard,
  ): Promise<{ readonly result: T; readonly answers: readonly Answer[] }>;
  /** Closes the connections that are kept and unused. To be called while nothing is on its way. */
  closeKept(): Promise<void>;
  /** Who may have a connection to the target, and keep it, but for what is sent beside others on purpose. */
  readonly turns: ConnectionTurns;
  /** Why no connection (TLS included) can be made: the system's code, or `TIMED_OUT`; nothing where one can. */
  absence(): Promise<string | undefined>;
  /** Whether a connection (TLS included) can be made. */
  reachable(): Promise<boolean>;
  /** Breaks off what is under way and closes every connection. */
  close(): Promise<void>;
}

export function createDeliverer(options: DelivererOptions): Deliverer {
  return new HttpDeliverer(options);
}

class HttpDeliverer implements Deliverer {
  readonly turns: ConnectionTurns;
  readonly #options: DelivererOptions;
  readonly #path: string;
  readonly #withCustomHeaders: (delivery: Delivery) => Delivery;
  readonly #slots: Slots;
  readonly #pool: TargetPool;
  readonly #connector: Connector;
  readonly #kept = new KeptConnections();
  readonly #answers = new SharedAnswers();
  readonly #reading: Pick<WireOptions, 'lateness' | 'limits'>;
  /** Set once the target has sent an interim answer that the pool cannot read. */
  #avoidsPool = false;
  readonly #closing = new AbortController();

  constructor(options: DelivererOptions) {
    this.#options = options;
    this.#path = `${options.url.pathname}${options.url.search}`;
    this.#withCustomHeaders = customHeaders(options.headers);
    this.#slots = new Slots(options);
    this.#pool = new TargetPool(options);
    this.#connector = new Connector(options.url, options);
    this.turns = options.turns ?? new ConnectionTurns();
    this.#reading = { lateness: options.lateness, limits: limitsOf(options) };
  }

  async deliver(delivery: Delivery, signal?: AbortSignal, how: Manner = {}): Promise<Answer> {
    if (!(await this.#slots.acquire(signal))) return { kind: 'broken', code: 'ABORTED_BY_KIT', ms: 0 };
    try {
      const whole = this.#withCustomHeaders(delivery);
      const { isKnown = false, patience } = how.silence?.() ?? {};
      const timeout = how.timeout ?? patience ?? this.#options.timeout;
      const byHand = whole.wire !== undefined || how.fresh === true;
      const send = () => (byHand ? this.#sendByHand(whole, timeout, signal) : this.#sendPlain(whole, timeout, signal));
      const isPlain = !byHand && how.timeout === undefined && delivery.body.length <= largestPlain;
      const answer = await (isPlain ? paced(send, this.#options.concurrency, this.#slots, isKnown) : send());
      return this.#answers.shared(perhapsHurried(answer, how.timeout === undefined ? patience : undefined));
    } finally {
      this.#slots.release();
    }
  }

  async together(deliveries: readonly Delivery[], heard?: Heard): Promise<readonly Answer[]> {
    await this.#slots.charge(deliveries.length, this.#closing.signal);
    return this.turns.take(() => this.#atOnce(deliveries, heard));
  }

  async ask(delivery: Delivery): Promise<Answer> {
    return this.#sendByHand(this.#withCustomHeaders(delivery), this.#options.timeout, undefined);
  }

  async #atOnce(deliveries: readonly Delivery[], heard?: Heard): Promise<readonly Answer[]> {
    const barrier = new Barrier(deliveries.filter(hasBarrier).length);
    const connections = await Promise.all(deliveries.map(({ from }) => this.#connect(undefined, undefined, from)));
    const write = async (delivery: Delivery, index: number): Promise<Answer> => {
      const connection = connections[index] as Connection | Answer;
      if ('socket' in connection) return this.#write(this.#withCustomHeaders(delivery), connection, { barrier });
      if (hasBarrier(delivery)) barrier.leave();
      return connection;
    };
    return Promise.all(deliveries.map((delivery, index) => reported(write(delivery, index), index, heard)));
  }

  async inTurn(deliveries: readonly Delivery[], heard?: Heard): Promise<readonly Answer[]> {
    await this.#slots.charge(deliveries.length, this.#closing.signal);
    return this.turns.take(() => this.#overOne(deliveries, heard));
  }

  async #overOne(deliveries: readonly Delivery[], heard?: Heard): Promise<readonly Answer[]> {
    const { signal } = this.#closing;
    const pool = createPool({ ...this.#options, concurrency: 1 });
    try {
      const answers: Answer[] = [];
      for (const [place, delivery] of deliveries.entries()) {
        const coming = this.#sendPooled(this.#withCustomHeaders(delivery), this.#options.timeout, signal, pool);
        answers.push(await reported(coming, place, heard));
      }
      return answers;
    } finally {
      await pool.destroy();
    }
  }

  async besideIdle<T>(connections: number, action: () => Promise<T>): Promise<T> {
    const idle = await openIdle(connections, () => this.#connector.openTransport(this.#options.timeout));
    try {
      return await action();
    } finally {
      await Promise.all(idle.map(destroyed));
    }
  }

  async besideHeld<T>(deliveries: readonly Delivery[], action: () => Promise<T>, heard?: Heard) {
    await this.#slots.charge(deliveries.length, this.#closing.signal);
    // The action sends something as well, which must not wait while these are held.
    await this.#slots.charge(0, this.#closing.signal);
    const hold = new Hold();
    const connections = await Promise.all(deliveries.map(({ from }) => this.#connect(undefined, undefined, from)));
    const write = async (connection: Connection | Answer, index: number): Promise<Answer> =>
      'socket' in connection
        ? this.#write(this.#withCustomHeaders(deliveries[index] as Delivery), connection, { hold })
        : connection;
    const held = connections.map((connection, index) => reported(write(connection, index), index, heard));
    try {
      const result = await action();
      hold.release();
      return { result, answers: await Promise.all(held) };
    } finally {
      hold.release();
    }
  }

  closeKept(): Promise<void> {
    return this.#pool.renew();
  }

  absence(): Promise<string | undefined> {
    return this.turns.take(() => this.#absence());
  }

  async #absence(): Promise<string | undefined> {
    const connection = await this.#connect();
    if (!('socket' in connection)) return connection.kind === 'broken' ? connection.code : 'TIMED_OUT';
    await destroyed(connection.socket);
    return undefined;
  }

  async reachable(): Promise<boolean> {
    return (await this.absence()) === undefined;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#pool.destroy(), this.#connector.closeAll()]);
  }

  #sendPlain(delivery: Delivery, timeout: number, signal: AbortSignal | undefined): Promise<Answer> {
    const avoidsKept = !this.turns.areKept || this.#kept.areAvoided;
    const byHand = avoidsKept || delivery.from !== undefined || delivery.body.length > largestPooled;
    return byHand
      ? this.#sendByHand(delivery, timeout, signal)
      : this.#sendPooled(delivery, timeout, signal, this.#pool.current);
  }

  async #sendPooled(delivery: Delivery, timeout: number, signal: AbortSignal | undefined, pool: Pool): Promise<Answer> {
    if (this.#avoidsPool) return this.#writeByHand(delivery, timeout, signal);
    const { path = this.#path } = delivery;
    const outcome = await sendPooled(pool, delivery, { path, timeout, signal, kept: this.#kept, ...this.#reading });
    if (typeof outcome === 'object') return unended(outcome);
    if (outcome === 'interim') this.#avoidsPool = true;
    return afterStale(outcome, await this.#writeByHand(delivery, timeout, signal));
  }

  #sendByHand(delivery: Delivery, timeout: number, signal: AbortSignal | undefined): Promise<Answer> {
    return this.turns.take(() => this.#writeByHand(delivery, timeout, signal));
  }

  async #writeByHand(delivery: Delivery, timeout: number, signal: AbortSignal | undefined): Promise<Answer> {
    const connection = await this.#connect(timeout, signal, delivery.from);
    if (!('socket' in connection)) return connection;
    const answer = await this.#write(delivery, connection, { timeout, signal });
    if (this.turns.areTaken) await closed(connection.socket);
    return answer;
  }

  async #write(delivery: Delivery, connection: Connection, options: Partial<WireOptions>): Promise<Answer> {
    const { url, timeout } = this.#options;
    const settings = { url, timeout, ...this.#reading, ...options };
    const answer = await sendByHand({ wire: plainWire, ...delivery }, connection, settings);
    if (this.#closing.signal.aborted && answer.kind === 'broken') return { ...answer, code: 'ABORTED_BY_KIT' };
    return unended(answer);
  }

  async #connect(timeout = this.#options.timeout, signal?: AbortSignal, from?: string): Promise<Connection | Answer> {
    const started = performance.now();
    try {
      if (this.#closing.signal.aborted) throw new ConnectionError('CLOSED');
      return await this.#connector.open(timeout, signal, from);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      const ms = performance.now() - started;
      if (error.code === 'TIMED_OUT') return { kind: 'timed-out', ms };
      return {
        kind: 'broken',
        code: this.#closing.signal.aborted || signal?.aborted ? 'ABORTED_BY_KIT' : error.code,
        ms,
      };
    }
  }
}

async function reported(coming: Promise<Answer>, place: number, heard?: Heard): Promise<Answer> {
  const answer = await coming;
  heard?.(answer, place);
  return answer;
}
