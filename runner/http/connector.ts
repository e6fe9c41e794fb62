import { isIP, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';

import { type Access, bareHost } from './access.ts';
import { dial, tlsOptions, type Route } from './dial.ts';
import { onAbort } from './onAbort.ts';
import { patiently } from './ownWant.ts';

/** A connection that is ready for bytes. */
export interface Connection {
  /** What is read and written: the TLS socket for https. */
  readonly socket: Socket;
  /** The TCP socket below, the same for http: only it can be reset. */
  readonly transport: Socket;
}

/** Thrown where no connection can be made; `code` is the system's, or TLS's, or `TIMED_OUT` after the time-out. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(`No connection could be made (${code}).`, options);
    this.code = code;
  }
}

/** The code of whatever a socket failed with: the system's where there is one, else `CLOSED`. */
export function failureCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return failureCode(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'CLOSED';
}

/** How connections to a target are made. */
export interface ConnectorOptions extends Access, Pick<Route, 'localAddress'> {}

/** Opens connections to one target, and knows which are open. */
export class Connector {
  readonly #url: URL;
  readonly #options: ConnectorOptions;
  readonly #tls: ConnectionOptions | undefined;
  readonly #open = new Set<Socket>();

  constructor(url: URL, options: ConnectorOptions) {
    this.#url = url;
    this.#options = options;
    this.#tls = url.protocol === 'https:' ? tlsTo(url, options) : undefined;
  }

  /**
   * A new connection, TLS included.
   *
   * @param timeout - milliseconds
   * @param signal - aborts the connecting, and later the connection
   * @param from - the address that it comes from, where it is not the usual one
   * @throws ConnectionError
   */
  async open(timeout: number, signal?: AbortSignal, from?: string): Promise<Connection> {
    const transport = await this.openTransport(timeout, signal, from);
    if (this.#tls === undefined) return { socket: transport, transport };
    // To import it reads every export of it, and the list of authorities among them takes 20 ms of CPU.
    const socket = process.getBuiltinModule('node:tls').connect({ ...this.#tls, socket: transport });
    await ready(socket, 'secureConnect', timeout, transport);
    return { socket, transport };
  }

  /**
   * A new TCP connection, without TLS.
   *
   * @throws ConnectionError
   */
  async openTransport(timeout: number, signal?: AbortSignal, from = this.#options.localAddress): Promise<Socket> {
    // An address that this machine may not have is no want of ports.
    if (from !== this.#options.localAddress) return this.#openOnce(timeout, signal, from);
    const codeOf = (error: unknown): string => (error instanceof ConnectionError ? error.code : '');
    return patiently(() => this.#openOnce(timeout, signal, from), codeOf, { timeout, signal });
  }

  #openOnce(timeout: number, signal: AbortSignal | undefined, from: string | undefined): Promise<Socket> {
    const connected = (): Promise<Socket> => this.#connected(timeout, signal, from);
    return this.#options.spacing?.take(connected) ?? connected();
  }

  async #connected(timeout: number, signal: AbortSignal | undefined, from: string | undefined): Promise<Socket> {
    const socket = dial({ url: this.#url, localAddress: from }, this.#options);
    this.#open.add(socket);
    socket.on('error', ignore);
    socket.once('close', () => this.#open.delete(socket));
    if (signal) abortWith(socket, signal);
    await ready(socket, 'connect', timeout, socket);
    return socket;
  }

  /** Destroys all connections that are still open, and resolves when they are gone. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#open].map((socket) => destroyed(socket)));
  }
}

function tlsTo({ hostname }: URL, access: Access): ConnectionOptions {
  const host = bareHost(hostname);
  const name = isIP(host) === 0 ? { servername: host } : { host };
  return { ...tlsOptions(access), ALPNProtocols: ['http/1.1'], ...name };
}

/** Node's own option for it keeps the socket for as long as the signal exists, which is the whole run. */
function abortWith(socket: Socket, signal: AbortSignal): void {
  const abort = (): void => void socket.destroy(Object.assign(new Error('aborted by the kit'), { code: 'ABORT_ERR' }));
  if (signal.aborted) return abort();
  socket.once('close', onAbort(signal, abort));
}

/** Resolves when a socket is closed. */
export function closed(socket: Socket): Promise<void> {
  return socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', () => resolve()));
}

/** Destroys a socket and resolves when it is closed. */
export function destroyed(socket: Socket): Promise<void> {
  socket.destroy();
  return closed(socket);
}

function ready(socket: Socket, event: 'connect' | 'secureConnect', timeout: number, transport: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (action: () => void) => (): void => {
      clearTimeout(timer);
      socket.off(event, onReady).off('error', onError).off('close', onClose);
      action();
    };
    const fail = (code: string, cause?: unknown): void => {
      transport.destroy();
      reject(new ConnectionError(code, { cause }));
    };
    const onReady = settle(resolve);
    const onError = (error: unknown): void => settle(() => fail(failureCode(error), error))();
    const onClose = settle(() => fail('CLOSED'));
    const timer = setTimeout(
      settle(() => fail('TIMED_OUT')),
      timeout,
    );
    socket.on('error', ignore).once(event, onReady).once('error', onError).once('close', onClose);
  });
}

/** A socket that fails also closes, and that is where it is noticed. */
function ignore(): void {}

/** Connections that are opened at the same time, so that small listen queues do not overflow. */
const batch = 16;

/** Opens so many connections that stay idle; fewer where the target takes fewer. */
export async function openIdle(count: number, open: () => Promise<Socket>): Promise<readonly Socket[]> {
  const opened: Socket[] = [];
  for (let begun = 0; begun < count; begun += batch) {
    const settled = await Promise.allSettled(Array.from({ length: Math.min(batch, count - begun) }, open));
    const some = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    opened.push(...some);
    if (some.length === 0) break;
  }
  return opened;
}
