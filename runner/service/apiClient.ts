import { isDeep } from '../../spec/parseJson.ts';
import type { Answer } from '../../suites/delivery.ts';
import type { ApiRequest } from '../../suites/exchange.ts';
import type { Access } from '../http/access.ts';
import type { AnswerLimits } from '../http/answerBody.ts';
import { perhapsHurried, type Silence } from '../http/answerTimes.ts';
import { ConnectionError, Connector, destroyed } from '../http/connector.ts';
import { TargetPool } from '../http/createPool.ts';
import type { Pace } from '../http/pace.ts';
import { paced, Slots } from '../http/slots.ts';
import { afterStale, sendPooled } from '../http/pooledExchange.ts';
import { plainWire, sendByHand } from '../http/wire.ts';
import type { AnswerBounds } from './plan.ts';

/** Bytes of the largest body that the pool sends: with larger ones undici often loses an early answer. */
const largestPooled = 1024 * 1024;

export interface ApiClientOptions extends Access {
  readonly base: URL;
  /** Milliseconds from the start of a call to the end of its answer. */
  readonly timeout: number;
  /** Calls in flight at most. */
  readonly concurrency: number | Pace;
  /** Calls begun per second at most. */
  readonly rate?: number | undefined;
  /** How much of an answer is read. */
  readonly bounds: Pick<AnswerBounds, 'bytes' | 'depth'>;
}

/** Calls the API of one service. Whatever the service or the network does becomes an {@link Answer}. */
export class ApiClient {
  readonly #options: ApiClientOptions;
  readonly #slots: Slots;
  readonly #pool: TargetPool;
  readonly #connector: Connector;
  readonly #limits: AnswerLimits;

  constructor(options: ApiClientOptions) {
    this.#options = options;
    this.#limits = { kept: options.bounds.bytes, read: options.bounds.bytes };
    this.#slots = new Slots(options);
    this.#pool = new TargetPool({ ...options, url: options.base });
    this.#connector = new Connector(options.base, options);
  }

  /**
   * Sends one call once a slot of `concurrency` (and of `rate`) is free.
   *
   * @param silence - asked when it is sent. Default: nothing is known
   */
  async send(request: ApiRequest, signal?: AbortSignal, silence?: () => Silence): Promise<Answer> {
    if (!(await this.#slots.acquire(signal))) return { kind: 'broken', code: 'ABORTED_BY_KIT', ms: 0 };
    try {
      const { isKnown, patience } = silence?.() ?? { isKnown: false };
      const isLarge = request.body.length > largestPooled;
      const answer = isLarge
        ? await this.#byHand(request, signal)
        : await paced(() => this.#pooled(request, signal, patience), this.#options.concurrency, this.#slots, isKnown);
      return perhapsHurried(this.#measured(answer), isLarge ? undefined : patience);
    } finally {
      this.#slots.release();
    }
  }

  /** Sends one call over a fresh connection, past the slots and the rate: to see whether the service answers at all. */
  ask(request: ApiRequest, signal?: AbortSignal): Promise<Answer> {
    return this.#byHand(request, signal);
  }

  /** Why no connection (TLS included) can be made: the system's code, or `TIMED_OUT`; nothing where one can. */
  async absence(): Promise<string | undefined> {
    try {
      const { socket } = await this.#connector.open(this.#options.timeout);
      await destroyed(socket);
      return undefined;
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      return error.code;
    }
  }

  /** Whether a connection (TLS included) can be made. */
  async reachable(): Promise<boolean> {
    return (await this.absence()) === undefined;
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.destroy(), this.#connector.closeAll()]);
  }

  /** What the pool refuses to send, or loses because a kept connection was closed, is sent once more by hand. */
  async #pooled(request: ApiRequest, signal: AbortSignal | undefined, patience?: number): Promise<Answer> {
    const timeout = patience ?? this.#options.timeout;
    const path = this.#path(request);
    const { current } = this.#pool;
    const outcome = await sendPooled(current, deliveryOf(request), { path, timeout, signal, limits: this.#limits });
    return typeof outcome === 'string' ? afterStale(outcome, await this.#byHand(request, signal, timeout)) : outcome;
  }

  async #byHand(
    request: ApiRequest,
    signal: AbortSignal | undefined,
    timeout = this.#options.timeout,
  ): Promise<Answer> {
    const { base } = this.#options;
    const started = performance.now();
    try {
      const connection = await this.#connector.open(timeout, signal);
      const url = new URL(base);
      // To resolve a path that begins with two slashes would take its first part for the name of a host.
      const [pathname = '', search = ''] = this.#path(request).split(/(?=\?)/, 2);
      Object.assign(url, { pathname, search });
      return await sendByHand({ ...deliveryOf(request), wire: plainWire }, connection, {
        url,
        timeout,
        signal,
        limits: this.#limits,
      });
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      const ms = performance.now() - started;
      return error.code === 'TIMED_OUT' ? { kind: 'timed-out', ms } : { kind: 'broken', code: error.code, ms };
    }
  }

  #measured(answer: Answer): Answer {
    const { depth } = this.#options.bounds;
    return answer.kind === 'answered' && isDeep(answer.body, depth) ? { ...answer, deep: true } : answer;
  }

  #path({ path }: ApiRequest): string {
    return `${this.#options.base.pathname.replace(/\/$/, '')}${path}`;
  }
}

function deliveryOf({ method, headers, body }: ApiRequest) {
  return { id: '', event: '', method, headers, body };
}
