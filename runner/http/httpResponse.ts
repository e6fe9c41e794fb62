import type { Header } from '../../suites/delivery.ts';
import { AnswerBody, deliveryLimits } from './answerBody.ts';
import { headerValue } from '../../spec/headerText.ts';

/** Bytes that the head of an answer may have, interim answers included. */
const longestHead = 64 * 1024;

/** Bytes behind an answer that are shown of it. */
const shownSurplus = 200;

/** An answer as it was read. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  /** Read as UTF-8, as far as it is kept. */
  readonly body: string;
  /** Where the body was longer than what is read of it: after how many bytes it was cut off. */
  readonly cut?: number;
}

/**
 * Thrown where bytes are no whole answer. `NOT_HTTP`: they never were one; `TRUNCATED`: it began and did not end;
 * `CLOSED`: not a byte came.
 */
export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  readonly code: 'NOT_HTTP' | 'TRUNCATED' | 'CLOSED';

  constructor(code: ResponseError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

type State = 'status' | 'headers' | 'sized' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer' | 'until-close' | 'done';

/**
 * Reads one HTTP/1.x answer from the bytes of a connection (RFC 9112): interim answers are skipped, the body ends by
 * its length, its last chunk, or the connection's end, and is read up to a limit. Bytes after the answer are no part of it.
 */
export class HttpResponseReader {
  readonly #bodiless: boolean;
  readonly #onInterim: (status: number) => void;
  readonly #body: AnswerBody;
  #state: State = 'status';
  #rest: Buffer = Buffer.alloc(0);
  #headBytes = 0;
  #cut = false;
  #remaining = 0;
  #status = 0;
  #headers: Header[] = [];

  /**
   * @param method - of the request: the answer to a HEAD has no body
   * @param limits - how much of the body is kept and read
   * @param onInterim - called with the status of each 1xx answer but 101, which is final
   */
  constructor(method: string, onInterim: (status: number) => void = () => {}, limits = deliveryLimits) {
    this.#body = new AnswerBody(limits);
    this.#bodiless = method === 'HEAD';
    this.#onInterim = onInterim;
  }

  /** The status of an answer whose head has come. */
  get begun(): { readonly status?: number } {
    return this.#state === 'status' || this.#state === 'headers' ? {} : { status: this.#status };
  }

  /** True where the body was longer than what is read of it. */
  get cut(): boolean {
    return this.#cut;
  }

  /** The first bytes that came behind the answer, as text. A line end counts for nothing. */
  get surplus(): { readonly surplus?: string } {
    const text = this.#state === 'done' && !this.#cut ? this.#rest.toString('latin1', 0, shownSurplus) : '';
    return text.trim() === '' ? {} : { surplus: text };
  }

  /**
   * Takes the next bytes.
   *
   * @returns the answer once it is whole
   * @throws ResponseError with `NOT_HTTP`
   */
  push(chunk: Buffer): HttpResponse | undefined {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (this.#advance());
    return this.#state === 'done' ? this.#response() : undefined;
  }

  /**
   * The connection ended.
   *
   * @throws ResponseError where the answer is not whole by now
   */
  end(): HttpResponse {
    if (this.#state === 'done' || this.#state === 'until-close') return this.#response();
    if (this.#headBytes === 0 && this.#rest.length === 0)
      throw new ResponseError('CLOSED', 'The connection was closed without an answer.');
    throw new ResponseError('TRUNCATED', 'The connection was closed before the answer had ended.');
  }

  /** Reads one line or one piece of the body. @returns false where more bytes are needed, or none */
  #advance(): boolean {
    switch (this.#state) {
      case 'sized':
      case 'chunk':
      case 'until-close':
        return this.#readBody();
      case 'done':
        return false;
      default: {
        const line = this.#takeLine();
        if (line !== undefined) this.#readLine(line);
        return line !== undefined;
      }
    }
  }

  #takeLine(): string | undefined {
    const end = this.#rest.indexOf(0x0a);
    if (this.#state === 'status') this.#refuseWhatIsNotHttp();
    if (this.#headBytes + (end === -1 ? this.#rest.length : end) > longestHead) throw notHttp('its head is too long');
    if (end === -1) return undefined;
    const line = this.#rest.toString('latin1', 0, end);
    this.#rest = this.#rest.subarray(end + 1);
    // Chunk sizes are bounded by the chunks, which are never empty; they may add up to more than a head.
    if (this.#state !== 'chunk-size' && this.#state !== 'chunk-end') this.#headBytes += end + 1;
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }

  /** Garbage is distinguished from an answer by its first bytes, which may be all that ever comes. */
  #refuseWhatIsNotHttp(): void {
    const start = this.#rest.toString('latin1', 0, 7);
    if (!'HTTP/1.'.startsWith(start)) throw notHttp('it does not begin with HTTP/1.');
  }

  #readLine(line: string): void {
    switch (this.#state) {
      case 'status':
        return this.#readStatus(line);
      case 'headers':
        return line === '' ? this.#endHead() : this.#readHeader(line);
      case 'chunk-size':
        return this.#readChunkSize(line);
      case 'chunk-end':
        if (line !== '') throw notHttp('a chunk is longer than its size');
        this.#state = 'chunk-size';
        return;
      default:
        if (line === '') this.#state = 'done';
    }
  }

  #readStatus(line: string): void {
    const status = /^HTTP\/1\.\d (\d{3})(?: |$)/.exec(line)?.[1];
    if (status === undefined) throw notHttp(`${JSON.stringify(line.slice(0, 80))} is no status line`);
    this.#status = Number(status);
    this.#state = 'headers';
  }

  #readHeader(line: string): void {
    const colon = line.indexOf(':');
    const last = this.#headers.at(-1);
    if (/^[ \t]/.test(line) && last !== undefined) {
      this.#headers[this.#headers.length - 1] = [last[0], `${last[1]} ${line.trim()}`];
    } else if (colon > 0) {
      this.#headers.push([line.slice(0, colon), line.slice(colon + 1).trim()]);
    } else throw notHttp(`${JSON.stringify(line.slice(0, 80))} is no header`);
  }

  #endHead(): void {
    if (this.#status >= 100 && this.#status < 200 && this.#status !== 101) return this.#endInterim();
    const coding = this.#header('transfer-encoding');
    const length = this.#header('content-length');
    if (this.#bodiless || this.#status === 101 || this.#status === 204 || this.#status === 304) this.#state = 'done';
    else if (coding !== undefined) this.#state = /\bchunked$/i.test(coding) ? 'chunk-size' : 'until-close';
    else if (length === undefined) this.#state = 'until-close';
    else this.#expectBytes('sized', /^\d{1,15}$/.test(length) ? Number(length) : Number.NaN);
  }

  #endInterim(): void {
    this.#onInterim(this.#status);
    this.#headers = [];
    this.#state = 'status';
  }

  #header(name: string): string | undefined {
    return headerValue(this.#headers, name);
  }

  #readChunkSize(line: string): void {
    const size = /^[0-9a-f]{1,12}(?=[ \t]*(?:;|$))/i.exec(line)?.[0];
    this.#expectBytes('chunk', size === undefined ? Number.NaN : Number.parseInt(size, 16));
  }

  #expectBytes(state: 'sized' | 'chunk', bytes: number): void {
    if (Number.isNaN(bytes)) throw notHttp('the length of its body is no number');
    this.#remaining = bytes;
    this.#state = bytes > 0 ? state : state === 'chunk' ? 'trailer' : 'done';
  }

  #readBody(): boolean {
    if (this.#rest.length === 0) return false;
    const size = this.#state === 'until-close' ? this.#rest.length : Math.min(this.#remaining, this.#rest.length);
    const more = this.#body.add(this.#rest.subarray(0, size));
    this.#rest = this.#rest.subarray(size);
    this.#cut = !more;
    if (this.#cut) this.#state = 'done';
    else if (this.#state !== 'until-close') this.#countDown(size);
    return true;
  }

  #countDown(bytes: number): void {
    this.#remaining -= bytes;
    if (this.#remaining === 0) this.#state = this.#state === 'chunk' ? 'chunk-end' : 'done';
  }

  #response(): HttpResponse {
    return { status: this.#status, headers: this.#headers, body: this.#body.text(), ...this.#body.cut };
  }
}

function notHttp(why: string): ResponseError {
  return new ResponseError('NOT_HTTP', `What came back is no HTTP/1.1 answer: ${why}.`);
}
