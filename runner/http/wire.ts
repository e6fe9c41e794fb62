import type { Answer, Delivery, Wire } from '../../suites/delivery.ts';
import { afterTime, type Lateness } from '../engine/lateness.ts';
import type { AnswerLimits } from './answerBody.ts';
import type { Barrier, Hold } from './barrier.ts';
import { type Connection, failureCode } from './connector.ts';
import { type HttpResponse, HttpResponseReader, ResponseError } from './httpResponse.ts';
import { onAbort } from './onAbort.ts';
import { WireSender } from './wireSender.ts';

/** The plain way, written by hand: one request with a content length. */
export const plainWire: Wire = { framing: 'length', steps: [{ send: 'head' }, { send: 'body', from: 0, to: 1 }] };

/** Milliseconds of silence after the answer until the connection is closed from here, where the target does not. */
const lingering = 250;
/** Bytes that are read after the answer at most. */
const surplus = 1024 * 1024;

export interface WireOptions {
  readonly url: URL;
  /**
   * Milliseconds for the answer, counted anew from each step: what the steps themselves wait (pauses, barriers,
   * interim answers) is the kit's own time.
   */
  readonly timeout: number;
  /** By `performance.now`. Default: the kit is never late. */
  readonly lateness?: Lateness | undefined;
  /** Shared by the deliveries of one `together`; without it, barrier steps are passed at once. */
  readonly barrier?: Barrier | undefined;
  /** Where `hold` steps wait; without it they are passed at once. */
  readonly hold?: Hold | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How much of the answer is read. Default: `deliveryLimits`. */
  readonly limits?: AnswerLimits | undefined;
}

/**
 * Writes a delivery by hand, step by step, over a fresh connection, and reads the answer meanwhile: one that comes
 * early ends the sending. The first steps are written before this returns.
 *
 * Codes of a broken answer, beside the system's: `CLOSED` (closed without an answer), `TRUNCATED` (closed within one),
 * `NOT_HTTP`, `RESET_BY_KIT` (a `rst` step), `ENDED_BY_KIT` (closed without an answer after a `fin` step),
 * `ABORTED_BY_KIT` (the signal).
 */
export function sendByHand(delivery: Delivery, connection: Connection, options: WireOptions): Promise<Answer> {
  return new Promise((resolve) => {
    new WireExchange(delivery, connection, options, resolve).start();
  });
}

class WireExchange {
  readonly #connection: Connection;
  readonly #options: WireOptions;
  readonly #resolve: (answer: Answer) => void;
  readonly #reader: HttpResponseReader;
  readonly #sender: WireSender;
  readonly #meetsOthers: boolean;
  readonly #readsOn: boolean;
  readonly #started = performance.now();
  #cancelTimer = (): void => {};
  #unhear: (() => void) | undefined;
  #failure: unknown;
  #settled = false;
  #skipped = 0;

  constructor(delivery: Delivery, connection: Connection, options: WireOptions, resolve: (answer: Answer) => void) {
    const { steps, readsOn = false } = delivery.wire ?? plainWire;
    this.#connection = connection;
    this.#options = options;
    this.#resolve = resolve;
    this.#meetsOthers = steps.some((step) => 'barrier' in step);
    this.#readsOn = readsOn;
    this.#reader = new HttpResponseReader(delivery.method, (status) => this.#onInterim(status), options.limits);
    this.#sender = new WireSender(delivery, connection, {
      url: options.url,
      steps,
      barrier: options.barrier,
      hold: options.hold,
      onBusy: () => this.#restartTimer(),
      onIdle: () => this.#cancelTimer(),
    });
  }

  start(): void {
    this.#connection.socket
      .on('data', (bytes: Buffer) => (this.#settled ? this.#skip(bytes) : this.#read(() => this.#reader.push(bytes))))
      .on('end', () => this.#read(() => this.#reader.end()))
      .on('error', (error) => (this.#failure ??= error))
      .on('close', () => this.#onClose());
    const { signal } = this.#options;
    const { socket } = this.#connection;
    if (signal?.aborted) return this.#abort();
    if (socket.destroyed) return this.#break(failureCode(socket.errored));
    if (signal) this.#unhear = onAbort(signal, this.#abort);
    void this.#sender.perform().then(() => this.#onSent());
  }

  readonly #abort = (): void => this.#break('ABORTED_BY_KIT');

  #restartTimer(): void {
    this.#cancelTimer();
    if (this.#settled) return;
    const { timeout, lateness } = this.#options;
    this.#cancelTimer = afterTime(timeout, lateness, () =>
      this.#settle({ kind: 'timed-out', ms: this.#ms(), ...this.#reader.begun }),
    );
  }

  #onSent(): void {
    if (this.#sender.state === 'reset') this.#break('RESET_BY_KIT');
  }

  #onInterim(status: number): void {
    if (status === 100) this.#sender.proceed();
  }

  #onClose(): void {
    if (this.#sender.state === 'reset') this.#break('RESET_BY_KIT');
    else if (this.#failure !== undefined) this.#break(failureCode(this.#failure), this.#reader.begun);
    else this.#read(() => this.#reader.end());
  }

  #read(next: () => HttpResponse | undefined): void {
    if (this.#settled) return;
    try {
      const response = next();
      if (response !== undefined) this.#settle({ kind: 'answered', ...response, ms: this.#ms() });
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      const unanswered = error.code === 'CLOSED' && this.#sender.state === 'ended';
      if (unanswered) this.#break('ENDED_BY_KIT');
      else this.#break(error.code, this.#reader.begun);
    }
  }

  /** @param begun - what had come of the answer, where the target broke it off */
  #break(code: string, begun: { readonly status?: number } = {}): void {
    this.#settle({ kind: 'broken', code, ms: this.#ms(), ...begun });
  }

  #ms(): number {
    return performance.now() - this.#started;
  }

  #settle(answer: Answer): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#cancelTimer();
    this.#unhear?.();
    const sent = this.#sender.state !== 'sending';
    this.#sender.stop();
    if (this.#meetsOthers) this.#options.barrier?.leave();
    const { socket } = this.#connection;
    const lingers = sent && answer.kind === 'answered' && !this.#reader.cut && !socket.destroyed;
    if (lingers) this.#linger();
    else socket.destroy();
    if (lingers && this.#readsOn) socket.once('close', () => this.#resolve({ ...answer, ...this.#reader.surplus }));
    else this.#resolve({ ...answer, ...(this.#readsOn && this.#reader.surplus) });
  }

  /** Something else may still be answered on this connection (a pipelined request), so the target closes it first. */
  #linger(): void {
    const { socket } = this.#connection;
    socket.setTimeout(lingering, () => socket.destroy());
  }

  #skip(bytes: Buffer): void {
    if (this.#readsOn) this.#reader.push(bytes);
    this.#skipped += bytes.length;
    if (this.#skipped > surplus) this.#connection.socket.destroy();
  }
}
