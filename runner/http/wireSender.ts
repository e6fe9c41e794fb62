import type { Delivery, WireStep, Header } from '../../suites/delivery.ts';
import type { Barrier, Hold } from './barrier.ts';
import type { Connection } from './connector.ts';

/** Bytes that the system usually takes at once; more are written in pieces. */
const large = 1024 * 1024;
const piece = 64 * 1024;

type SendStep = Extract<WireStep, { send: unknown }>;

export interface WireSenderOptions {
  readonly url: URL;
  readonly steps: readonly WireStep[];
  readonly barrier?: Barrier | undefined;
  readonly hold?: Hold | undefined;
  /** Called before each step and after the last: from now on the target is waited for. */
  readonly onBusy: () => void;
  /** Called where the kit itself waits: a pause, a barrier, an interim answer. */
  readonly onIdle: () => void;
}

/** Milliseconds beyond twice a pause after which the whole process has stood still meanwhile. */
const stall = 20;

/** Takes the steps of a delivery that is written by hand, one after the other, at the pace of the connection. */
export class WireSender {
  readonly #delivery: Delivery;
  readonly #connection: Connection;
  readonly #options: WireSenderOptions;
  readonly #lastBodyStep: number;
  readonly #wait = new Wait();
  #awaitsContinue = false;
  #continued = false;
  #stopped = false;
  #state: 'sending' | 'sent' | 'ended' | 'reset' = 'sending';

  constructor(delivery: Delivery, connection: Connection, options: WireSenderOptions) {
    this.#delivery = delivery;
    this.#connection = connection;
    this.#options = options;
    this.#lastBodyStep = options.steps.findLastIndex((step) => 'send' in step && step.send === 'body');
  }

  /** How far it came: `ended` after a `fin` step, `reset` after a `rst` step, `sent` after all others. */
  get state(): 'sending' | 'sent' | 'ended' | 'reset' {
    return this.#state;
  }

  /** Resolves when there is nothing left to do. What can be written at once is written before this returns. */
  async perform(): Promise<void> {
    const { socket } = this.#connection;
    // What can be written at once leaves at once: a target that answers the head could close before the body is written.
    socket.cork();
    for (const [index, step] of this.#options.steps.entries()) {
      this.#options.onBusy();
      const wait = this.#take(step, index);
      if (wait !== undefined) {
        socket.uncork();
        await wait;
        socket.cork();
      }
      if (this.#stopped || this.#state === 'reset') return;
    }
    socket.uncork();
    if (this.#state === 'sending') this.#state = 'sent';
    this.#options.onBusy();
  }

  /** Takes no further step. */
  stop(): void {
    this.#stopped = true;
    this.#wait.end();
  }

  /** An interim 100 (Continue) came. */
  proceed(): void {
    this.#continued = true;
    if (this.#awaitsContinue) this.#wait.end();
  }

  /** @returns nothing where the next step may be taken in the same turn */
  #take(step: WireStep, index: number): Promise<void> | undefined {
    if ('send' in step) return this.#write(this.#bytesOf(step, index));
    if ('end' in step) return step.end === 'fin' ? this.#finish() : this.#reset();
    if ('pause' in step) return this.#pause(step.pause);
    if ('awaitContinue' in step) return this.#awaitContinue(step.awaitContinue);
    const { barrier, hold } = this.#options;
    if ('hold' in step) return hold === undefined ? undefined : this.#idle((done) => hold.arrive(done));
    return barrier === undefined ? undefined : this.#idle((done) => barrier.arrive(done));
  }

  #bytesOf(step: SendStep, index: number): readonly Buffer[] {
    const { body, wire } = this.#delivery;
    if (step.send === 'head') return [requestHead(this.#delivery, this.#options.url).subarray(step.from, step.to)];
    if (step.send === 'bytes') return [Buffer.from(step.base64, 'base64')];
    const part = body.subarray(Math.round(step.from * body.length), Math.round(step.to * body.length));
    if (wire?.framing !== 'chunked') return [part];
    return index === this.#lastBodyStep && step.to === 1 ? [...chunk(part), lastChunk] : chunk(part);
  }

  /** @returns nothing where all is written and the connection takes more at once */
  #write(parts: readonly Buffer[]): Promise<void> | undefined {
    if (parts.every((part) => part.length <= large)) {
      return parts.map((part) => this.#takes(part)).every(Boolean) ? undefined : this.#drained();
    }
    return this.#writeInPieces(parts);
  }

  /**
   * The system is looked at for an answer after each piece: a target that answers early and closes makes the next write
   * fail, and with that what has not been read is lost.
   */
  async #writeInPieces(parts: readonly Buffer[]): Promise<void> {
    for (const part of parts) {
      for (let at = 0; at < part.length && !this.#stopped; at += piece) {
        if (!this.#takes(part.subarray(at, at + piece))) await this.#drained();
        await nextPoll();
      }
    }
  }

  /** @returns whether more may be written before the connection has drained */
  #takes(bytes: Buffer): boolean {
    const { socket } = this.#connection;
    return socket.destroyed || socket.write(bytes);
  }

  #drained(): Promise<void> {
    const { socket } = this.#connection;
    return this.#wait.until((done) => {
      socket.once('drain', done);
      return () => socket.off('drain', done);
    });
  }

  #finish(): undefined {
    this.#state = 'ended';
    this.#connection.socket.end();
  }

  /** A reset throws away what is still queued here, so the bytes written so far are handed to the system first. */
  async #reset(): Promise<void> {
    const { socket, transport } = this.#connection;
    if (socket.writableLength > 0) {
      await this.#wait.until((done) => {
        socket.write('', done);
        return () => {};
      });
    }
    if (this.#stopped) return;
    this.#state = 'reset';
    transport.resetAndDestroy();
  }

  async #pause(ms: number): Promise<void> {
    const began = performance.now();
    await this.#sleep(ms);
    // The target may have stood still as well, and has read nothing of what was sent before.
    if (performance.now() - began > 2 * ms + stall) await this.#sleep(ms);
    await nextPoll();
  }

  async #awaitContinue(ms: number): Promise<void> {
    if (this.#continued) return;
    this.#awaitsContinue = true;
    await this.#sleep(ms);
    this.#awaitsContinue = false;
  }

  #sleep(ms: number): Promise<void> {
    return this.#idle((done) => {
      const timer = setTimeout(done, ms);
      return () => clearTimeout(timer);
    });
  }

  #idle(arm: (done: () => void) => () => void): Promise<void> {
    this.#options.onIdle();
    return this.#wait.until(arm);
  }
}

/** Resolves after what has arrived meanwhile was read: the first immediate may come before the system is asked. */
async function nextPoll(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

/** What ends a chunked body: the chunk of size 0 and no trailer (RFC 9112, section 7.1). */
const lastChunk: Buffer = Buffer.from('0\r\n\r\n');

const lineEnd = Buffer.from('\r\n');

/** The pieces of one chunk: its size, the data (not copied), the line end. No data is no chunk: it would end the body. */
function chunk(data: Buffer): readonly Buffer[] {
  return data.length === 0 ? [] : [Buffer.from(`${data.length.toString(16)}\r\n`), data, lineEnd];
}

/** One wait at a time for something that may never come, which can be ended from outside. */
class Wait {
  #pass: (() => void) | undefined;

  /**
   * Resolves when `done` was called, or {@link end}.
   *
   * @param arm - starts the waiting and returns what stops it; must not call `done` itself
   */
  until(arm: (done: () => void) => () => void): Promise<void> {
    return new Promise((resolve) => {
      const disarm = arm(() => this.end());
      this.#pass = (): void => {
        disarm();
        resolve();
      };
    });
  }

  /** Ends the wait, if there is one. */
  end(): void {
    const pass = this.#pass;
    this.#pass = undefined;
    pass?.();
  }
}

/**
 * The request line and the headers of a delivery that is written by hand, with the empty line: Host first, then the
 * delivery's own with their casing, then the framing header and `Connection: close` unless they hold a Connection.
 *
 * Each character of a name or value goes out as one byte (ISO 8859-1, so that any byte can be sent); a value with
 * characters beyond U+00FF goes out as UTF-8.
 */
function requestHead(delivery: Delivery, url: URL): Buffer {
  const { method, path = `${url.pathname}${url.search}`, headers, wire } = delivery;
  const lines = [wire?.requestLine ?? `${method} ${path} HTTP/1.1`];
  const write = ([name, value]: Header): number => lines.push(`${name}${wire?.colon ?? ': '}${value}`);
  if (!holds(headers, 'host')) write(['Host', url.host]);
  headers.forEach(write);
  framingHeaders(delivery).forEach(write);
  if (!holds(headers, 'connection')) write(['Connection', 'close']);
  return Buffer.concat(lines.map((line) => bytesOf(`${line}\r\n`)).concat(Buffer.from('\r\n')));
}

/** True where one of the headers has this name, given in lower case. */
function holds(headers: readonly Header[], name: string): boolean {
  return headers.some(([key]) => key.length === name.length && key.toLowerCase() === name);
}

function framingHeaders({ wire, body }: Delivery): readonly Header[] {
  if (wire?.framing === 'chunked') return [['Transfer-Encoding', 'chunked']];
  return wire?.framing === 'none' ? [] : [['Content-Length', `${body.length}`]];
}

function bytesOf(line: string): Buffer {
  return Buffer.from(line, /[\u0100-\uffff]/.test(line) ? 'utf8' : 'latin1');
}
