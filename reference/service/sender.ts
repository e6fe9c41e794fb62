import { createHmac } from 'node:crypto';
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';

import { Agent, buildConnector, type Dispatcher } from 'undici';

import type { Header, Outcome } from './records.ts';

/** A request that the service makes of a receiver. */
export interface Sending {
  readonly method: string;
  readonly url: string;
  /** All but Host, Connection and Content-Length. */
  readonly headers: readonly Header[];
  readonly body: Buffer;
  /** What Content-Length says. */
  readonly contentLength: number;
  /** Milliseconds for all of it, from the look-up of the name to the end of the answer; Infinity for no bound. */
  readonly timeout: number;
  /** What that is for: all of it, or as far as the head of the answer. Default: all. */
  readonly timed?: 'whole' | 'head';
  /** How many bytes of the answer's body are read at most; the answer counts as complete then. */
  readonly answerLimit: number;
}

export interface SenderOptions {
  /** PEM of an authority that is trusted beside the usual ones. */
  readonly ca?: string | undefined;
  /** How connections are made. Default: to this machine only. */
  readonly connect?: buildConnector.connector | undefined;
  /** The address that connections come from. */
  readonly localAddress?: string | undefined;
}

/**
 * Milliseconds that an idle connection is kept. Few, since a receiver may be closing it at the very moment at which it
 * is used again, which would cost an attempt.
 */
const idleTime = 1000;

const stopped = new Error('The service is closing.');

/** Makes requests: no redirect is followed, nothing is repeated, nothing is waited for without a bound. */
export class Sender {
  readonly #agent: Agent;
  readonly #running = new Set<AbortController>();

  constructor({ ca, connect = connectHere(ca), localAddress }: SenderOptions = {}) {
    this.#agent = new Agent({
      pipelining: 1,
      keepAliveTimeout: idleTime,
      keepAliveMaxTimeout: idleTime,
      headersTimeout: 0,
      bodyTimeout: 0,
      strictContentLength: false,
      allowH2: false,
      ...(localAddress === undefined ? {} : { localAddress }),
      connect,
    });
  }

  /** Sends once. Settles when the answer has been read; never throws. */
  async send(sending: Sending): Promise<Outcome> {
    const abort = new AbortController();
    this.#running.add(abort);
    const timer = Number.isFinite(sending.timeout)
      ? setTimeout(() => abort.abort(timedOut), sending.timeout)
      : undefined;
    try {
      return await this.#exchange(sending, abort.signal, () => sending.timed === 'head' && clearTimeout(timer));
    } catch (error) {
      return abort.signal.reason === timedOut ? { kind: 'timed-out' } : { kind: 'broken', code: codeOf(error) };
    } finally {
      clearTimeout(timer);
      this.#running.delete(abort);
    }
  }

  /** Breaks off what is still running. */
  async close(): Promise<void> {
    for (const abort of this.#running) abort.abort(stopped);
    await this.#agent.destroy();
  }

  async #exchange(sending: Sending, signal: AbortSignal, onHead: () => void): Promise<Outcome> {
    const { method, headers, body, contentLength } = sending;
    const { origin, pathname, search } = new URL(sending.url);
    const lengths: readonly Header[] = contentLength === body.length ? [] : [['Content-Length', String(contentLength)]];
    const answer = await this.#agent.request({
      origin,
      path: pathname + search,
      method: method as Dispatcher.HttpMethod,
      headers: [...headers, ...lengths].flat(),
      body,
      signal,
    });
    onHead();
    const start = await readUpTo(answer.body, sending.answerLimit);
    const { location, 'retry-after': retryAfter, 'content-length': length } = answer.headers;
    return {
      kind: 'answered',
      status: answer.statusCode,
      reason: answer.statusText,
      location: first(location),
      retryAfter: first(retryAfter),
      length: first(length),
      body: start.toString(),
    };
  }
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

const timedOut = new Error('The answer did not come in time.');

/** Bytes of an answer's body that are kept. */
const kept = 256;

/** Reads a stream to its end or to the limit, whichever comes first, and keeps its beginning. */
async function readUpTo(stream: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  let [size, start] = [0, Buffer.alloc(0)];
  for await (const chunk of stream) {
    size += chunk.length;
    if (start.length < kept) start = Buffer.concat([start, chunk]).subarray(0, kept);
    if (size > limit) break;
  }
  return start;
}

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: string; name: string };
  return code ?? name;
}

/** A connection that would have left this machine. */
class NotHere extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

/** 127.0.0.0/8 and ::1, written in either way. */
const here = /^(?:127\.[\d.]+|::1|::ffff:127\.[\d.]+|::ffff:7f[\da-f]{2}:[\da-f]{1,4})$/i;

/**
 * Makes connections to this machine, and to nowhere else: anybody who can register a webhook says where this service
 * sends. The address decides that the connection is made to, whatever its name is.
 *
 * @param ca - PEM of an authority that is trusted beside the usual ones
 */
function connectHere(ca?: string): buildConnector.connector {
  const trust =
    ca === undefined ? {} : { secureContext: createSecureContext({ ca: [...getCACertificates('default'), ca] }) };
  const connect = buildConnector({ allowH2: false, lookup, ...trust });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) === 0 || here.test(host)) return connect(target, callback);
    queueMicrotask(() => callback(new NotHere(`${host} is not on this machine`), null));
  };
}

const lookup: LookupFunction = (name, options, callback) => {
  systemLookup(name, { ...options, all: true }, (error, addresses) => {
    const away = error === null ? addresses.find(({ address }) => !here.test(address)) : undefined;
    const trouble = away === undefined ? error : new NotHere(`${name} leads to ${away.address}`);
    const [first] = trouble === null ? addresses : [];
    if (trouble !== null || options.all === true || first === undefined)
      callback(trouble, trouble === null ? addresses : '');
    else callback(null, first.address, first.family);
  });
};

/** The header that carries the signature (section 5.2). */
export const signatureHeader = 'X-SVC-Webhook-Signature';

/** Lower-case hex HMAC-SHA256 over the raw bytes, keyed with the secret as UTF-8: what fills GAP-14. */
export function sign(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}
