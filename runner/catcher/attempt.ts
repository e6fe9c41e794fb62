import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { Header } from '../../suites/delivery.ts';
import type { Caught, CatchEnd, CatchStep } from '../../suites/exchange.ts';
import type { CatchingPlace } from './endpoint.ts';
import type { Ending, RequestBody } from './readBody.ts';

/** What attempts need of the catcher. */
export interface AttemptContext {
  /** Milliseconds of the run. */
  readonly elapsed: () => number;
  readonly keyOf: (body: Buffer, headers: readonly Header[]) => string;
  /** Breaks a connection with RST. */
  readonly reset: (socket: Socket) => void;
  /** Those that have not ended. */
  readonly open: Set<Attempt>;
}

/** Why nothing more is done with an attempt. Without one, each gets an error of its own, which takes a third of its time. */
const ended = new Error('the attempt has ended');

/** One request at an endpoint, from the arrival of its head to its end: what is recorded of it, and when. */
export class Attempt implements Ending {
  readonly caught: Caught;
  /** Whether there is nothing more to do: it has ended, its peer has gone, or the catcher is closed. */
  over = false;
  readonly #growing: GrowingCaught;
  readonly #endpoint: CatchingPlace;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #context: AttemptContext;
  readonly #order: number;
  #controller: AbortController | undefined;
  #goneAt: number | undefined;
  /** An end that came before the body had arrived: it is reported afterwards. */
  #early: Caught['end'];
  #arrived = false;
  #kept = false;

  constructor(endpoint: CatchingPlace, request: IncomingMessage, response: ServerResponse, context: AttemptContext) {
    this.#endpoint = endpoint;
    this.#request = request;
    this.#response = response;
    this.#context = context;
    this.#order = endpoint.nextHead();
    this.#growing = newCaught(endpoint.name, headOf(request), request.socket, context.elapsed());
    this.caught = this.#growing;
    context.open.add(this);
    request.socket.on('end', this.#onFin).on('close', this.#onClose);
    response.on('finish', this.#onAnswered).on('error', () => {});
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.over) this.#controller.abort(ended);
    return this.#controller.signal;
  }

  get open(): boolean {
    return this.#context.open.has(this);
  }

  /** Whether bytes of its body are still to come. */
  get reading(): boolean {
    return this.open && !this.#request.complete;
  }

  /** Milliseconds since its head arrived. */
  age(): number {
    return this.#context.elapsed() - this.caught.at;
  }

  /** Its body was read, or broke off: now it has a key, a number and a step. */
  arrive({ kept, bytes }: RequestBody): void {
    if (!this.open) return;
    const key = this.#keyOf(kept);
    const { number, step } = this.#endpoint.assign(key);
    const growing = this.#growing;
    growing.body = kept;
    growing.bytes = bytes;
    growing.key = key;
    growing.number = number;
    growing.step = step;
    this.#arrived = true;
    this.#kept = this.#endpoint.keep(this.caught, this.#order);
    if (this.#early !== undefined) this.#end(this.#early, this.#early.at);
  }

  /** Its body was read, and it is answered without being recorded. */
  pass(): void {
    this.#arrived = true;
    if (this.#early !== undefined) this.#end(this.#early, this.#early.at);
  }

  /** What is done with it, once its endpoint has decided that. */
  async decided(): Promise<CatchStep> {
    const step = await this.#endpoint.decide?.(this.caught, this.signal);
    if (step !== undefined) this.#growing.step = step;
    return this.caught.step;
  }

  /** Breaks the connection. */
  reset(): void {
    this.#end({ kind: 'reset' }, this.#context.elapsed());
    this.#context.reset(this.#request.socket);
  }

  /** Closes the connection in an orderly way. @param text - what is sent before */
  close(text: string): void {
    this.#closeAfter(text, { kind: 'closed' });
  }

  /** Answers with these bytes, and closes the connection. */
  answer(status: number, bytes: Buffer): void {
    this.#closeAfter(bytes, { kind: 'answered', status });
  }

  #closeAfter(bytes: string | Buffer, end: CatchEnd): void {
    const { socket } = this.#request;
    this.#end(end, this.#context.elapsed());
    socket.write(bytes);
    socket.destroySoon();
  }

  /** Lets nothing follow its answer on the connection. */
  closeAfterwards(): void {
    this.#response.shouldKeepAlive = false;
  }

  /** Gives up without an end, because the catcher is closed. */
  stop(): void {
    this.#detach();
    this.#finish();
  }

  #finish(): void {
    this.over = true;
    this.#controller?.abort(ended);
  }

  #keyOf(body: Buffer): string {
    try {
      return this.#context.keyOf(body, this.caught.headers);
    } catch {
      return '';
    }
  }

  readonly #onAnswered = (): void => {
    this.#end({ kind: 'answered', status: this.#response.statusCode }, this.#context.elapsed());
  };

  /** A peer that only ends its own side may still read an answer that is written already. */
  readonly #onFin = (): void => {
    this.#goneAt ??= this.#context.elapsed();
    if (!this.#response.writableEnded) this.#onGone();
  };

  readonly #onClose = (): void => {
    this.#goneAt ??= this.#context.elapsed();
    this.#onGone();
  };

  #onGone(): void {
    this.#end({ kind: 'abandoned' }, this.#goneAt ?? this.#context.elapsed());
  }

  #end(end: CatchEnd, at: number): void {
    if (!this.open) return;
    this.#finish();
    if (!this.#arrived) {
      this.#early ??= { ...end, at };
      return;
    }
    this.#growing.end = { ...end, at };
    this.#detach();
    if (end.kind === 'abandoned') this.#request.socket.destroy();
    if (this.#kept) this.#endpoint.tell(this.caught);
  }

  #detach(): void {
    this.#context.open.delete(this);
    this.#request.socket.off('end', this.#onFin).off('close', this.#onClose);
    this.#response.off('finish', this.#onAnswered);
  }
}

function headOf({ method = '', url = '', rawHeaders }: IncomingMessage): Parameters<typeof newCaught>[1] {
  const headers: Header[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) headers.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return { method, path: url, headers };
}

/** The body before it has arrived. */
const nothing = Buffer.alloc(0);

/** A {@link Caught} while the catcher still adds to it. */
type GrowingCaught = { -readonly [Member in keyof Caught]: Caught[Member] };

/** What is known of a request once its head is there, at `at` milliseconds of the run. */
export function newCaught(
  endpoint: string,
  { method, path, headers }: Pick<Caught, 'method' | 'path' | 'headers'>,
  socket: Socket,
  at: number,
): GrowingCaught {
  return {
    kind: 'caught',
    endpoint,
    method,
    path,
    headers,
    body: nothing,
    bytes: -1,
    peer: (socket.remoteAddress ?? '').replace(/^::ffff:(?=[\d.]+$)/i, ''),
    at,
    key: '',
    number: 0,
    step: { do: 'hang' },
    end: undefined,
  };
}
