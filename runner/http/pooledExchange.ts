import { Client, type Dispatcher, type Pool } from 'undici';

import type { Answer, Delivery, Header } from '../../suites/delivery.ts';
import { afterTime, type Lateness } from '../engine/lateness.ts';
import { AnswerBody, deliveryLimits, type AnswerLimits } from './answerBody.ts';
import { failureCode } from './connector.ts';
import type { KeptConnections } from './connectionHabits.ts';
import { onAbort } from './onAbort.ts';

/**
 * What became of a delivery that was given to the pool. Beside an answer:
 *
 * - `by-hand`: undici refuses to write it; nothing was sent
 * - `stale`: it was sent, or about to be sent, over a kept connection, which closed before a byte of the answer came
 * - `interim`: the target sent an interim answer that undici cannot read
 */
export type PooledOutcome = Answer | 'by-hand' | 'stale' | 'interim';

export interface PooledOptions {
  /** Path and query. */
  readonly path: string;
  /** Milliseconds, from now to the end of the answer. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  /** By `performance.now`. Default: the kit is never late. */
  readonly lateness?: Lateness | undefined;
  /** How much of the answer is read. Default: {@link deliveryLimits}. */
  readonly limits?: AnswerLimits | undefined;
  /** Hears of what got no answer at all. */
  readonly kept?: Pick<KeptConnections, 'unanswered'> | undefined;
}

/** Codes of a connection that the other side closed. */
const closings: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Sends a delivery, or another request, over a connection of the pool. Never rejects. */
export function sendPooled(
  pool: Pool,
  delivery: Pick<Delivery, 'method' | 'headers' | 'body'>,
  options: PooledOptions,
): Promise<PooledOutcome> {
  return new Promise((resolve) => {
    const exchange = new PooledExchange(options, resolve);
    const { method, body } = delivery;
    pool.dispatch({ path: options.path, method, headers: delivery.headers.flat(), body }, exchange);
  });
}

/**
 * What became of a request that was sent again after `stale`. Where nothing takes connections any more, it is the first
 * sending that counts: the connection was not stale, but closed by a target that came to its end.
 */
export function afterStale(first: PooledOutcome, again: Answer): Answer {
  const isGone = first === 'stale' && again.kind === 'broken' && again.code === 'ECONNREFUSED';
  return isGone ? { ...again, code: 'CLOSED' } : again;
}

/** One connection of the pool after another, which knows whether the present one has answered before. */
export class CountingClient extends Client {
  #answers = 0;

  constructor(origin: string | URL, options: object) {
    super(origin, options);
    this.on('connect', () => {
      this.#answers = 0;
    });
  }

  /** Answers that came over the present connection. */
  get answers(): number {
    return this.#answers;
  }

  countAnswer(): void {
    this.#answers += 1;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (!(handler instanceof PooledExchange)) return super.dispatch(options, handler);
    handler.client = this;
    const isFree = super.dispatch(options, handler);
    // undici takes a client that refuses to write a request for a busy one, and gives it no other for good.
    return isFree || handler.isRefused;
  }
}

class PooledExchange implements Dispatcher.DispatchHandler {
  client: CountingClient | undefined;
  readonly #resolve: (outcome: PooledOutcome) => void;
  readonly #cancelTimer: () => void;
  readonly #body: AnswerBody;
  readonly #begun = performance.now();
  #started = this.#begun;
  #controller: Dispatcher.DispatchController | undefined;
  #reused = false;
  #answering = false;
  #status = 0;
  #headers: readonly Header[] = [];
  #settled = false;
  /** Whether undici refuses to write it. */
  isRefused = false;
  #unhear: (() => void) | undefined;

  constructor(options: PooledOptions, resolve: (outcome: PooledOutcome) => void) {
    this.#body = new AnswerBody(options.limits ?? deliveryLimits);
    this.#resolve = resolve;
    this.#cancelTimer = afterTime(options.timeout, options.lateness, () => {
      if (this.#status === 0) options.kept?.unanswered(this.#reused);
      this.#giveUp(this.#timedOut());
    });
    if (options.signal?.aborted) this.#abort();
    else if (options.signal) this.#unhear = onAbort(options.signal, this.#abort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#started = performance.now();
    this.#reused = this.client !== undefined && this.client.answers > 0;
    if (this.#settled) controller.abort(new Error('too late'));
  }

  onResponseStarted(): void {
    this.#answering = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = pairs(controller.rawHeaders);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#body.add(chunk)) this.#giveUp(this.#answered());
  }

  onResponseEnd(): void {
    this.client?.countAnswer();
    this.#settle(this.#answered());
  }

  onResponseError(_: unknown, error: Error): void {
    const outcome = this.#failed(error);
    this.isRefused = outcome === 'by-hand';
    this.#settle(outcome);
  }

  readonly #abort = (): void => this.#giveUp({ kind: 'broken', code: 'ABORTED_BY_KIT', ms: this.#ms() });

  #answered(): Answer {
    const body = this.#body.text();
    return { kind: 'answered', status: this.#status, headers: this.#headers, body, ...this.#body.cut, ms: this.#ms() };
  }

  /** The time-out counts the making of the connection too. */
  #timedOut(): Answer {
    return { kind: 'timed-out', ms: performance.now() - this.#begun, ...this.#begunAnswer };
  }

  /** The status of an answer whose head has come. */
  get #begunAnswer(): { readonly status?: number } {
    return this.#status === 0 ? {} : { status: this.#status };
  }

  #failed(error: Error): PooledOutcome {
    const code = failureCode(error);
    if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') return 'by-hand';
    if (code === 'UND_ERR_CONNECT_TIMEOUT') return this.#timedOut();
    const wasBegun = this.#controller !== undefined;
    if ((this.#reused || !wasBegun) && !this.#answering && closings.has(code)) return 'stale';
    // undici gives up on a 100 (Continue) that it has not asked for, though every client must skip it (RFC 9110, 15.2).
    if (code === 'UND_ERR_SOCKET' && error.message === 'bad response') return 'interim';
    const own = this.#ownCode(error, code);
    return { kind: 'broken', code: own, ms: this.#ms(), ...(own !== 'ABORTED_BY_KIT' && this.#begunAnswer) };
  }

  /** undici's codes in the words of the deliverer; the system's stay. */
  #ownCode(error: Error, code: string): string {
    // Its parser's errors have a code in some versions only.
    if (error.name === 'HTTPParserError') return /\bEOF\b/.test(error.message) ? 'TRUNCATED' : 'NOT_HTTP';
    if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'TRUNCATED';
    if (code === 'UND_ERR_SOCKET') return this.#answering ? 'TRUNCATED' : 'CLOSED';
    return code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED' ? 'ABORTED_BY_KIT' : code;
  }

  #ms(): number {
    return performance.now() - this.#started;
  }

  #giveUp(answer: Answer): void {
    this.#settle(answer);
    this.#controller?.abort(new Error('given up'));
  }

  #settle(outcome: PooledOutcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#cancelTimer();
    this.#unhear?.();
    this.#resolve(outcome);
  }
}

function pairs(raw: Dispatcher.DispatchController['rawHeaders']): readonly Header[] {
  if (!Array.isArray(raw)) return [];
  const text = (at: number): string => latin1(raw[at] ?? '');
  return Array.from({ length: raw.length / 2 }, (_, index): Header => [text(2 * index), text(2 * index + 1)]);
}

function latin1(bytes: Buffer | string): string {
  return typeof bytes === 'string' ? bytes : bytes.toString('latin1');
}
