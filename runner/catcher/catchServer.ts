import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** The certificate that an https server shows, and its key; both PEM. */
export interface Credentials {
  readonly key: string;
  readonly cert: string;
}

/** The error of the parser, of TLS or of the system, with the bytes that no parser took. */
export interface UnreadableError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/** What becomes of what arrives; `server` is where it did. */
export interface CatchHandlers {
  onRequest(request: IncomingMessage, response: ServerResponse, server: CatchServer): void;
  /** A connection that brought no HTTP or no TLS, or not all of it. */
  onUnreadable(error: UnreadableError, socket: Socket, server: CatchServer): void;
  /** A connection that was closed while TLS was agreed upon, or then, with nothing sent: so distrust may look. */
  onSilent(): void;
  /** A CONNECT request, of which the server answers nothing. */
  onConnect(socket: Socket): void;
}

/** No time-out of ours ends what is going on: the time limit that counts is the peer's. */
const serverOptions = {
  requestTimeout: 0,
  headersTimeout: 0,
  keepAliveTimeout: 0,
  maxHeaderSize: 1024 * 1024,
  requireHostHeader: false,
} as const;

/** Connections that may wait to be accepted. */
const backlog = 4096;

/** An HTTP or HTTPS server that takes what comes, and can break a connection with RST, also below TLS. */
export class CatchServer {
  readonly #server: Server;
  /** The TCP connections, by where they come from: a TLS socket does not show the one below it. */
  readonly #connections = new Map<string, Socket>();
  /** How many connections were made so far. */
  connected = 0;

  constructor(handlers: CatchHandlers, credentials?: Credentials) {
    this.#server =
      credentials === undefined
        ? createServer(serverOptions)
        : createTlsServer({ ...serverOptions, ...credentials, ALPNProtocols: ['http/1.1'] });
    const silent = new WeakSet<Socket>();
    const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
      silent.delete(request.socket);
      handlers.onRequest(request, response, this);
    };
    this.#server.maxHeadersCount = 0;
    this.#server
      .on('connection', (socket: Socket) => {
        this.connected += 1;
        this.#keep(socket);
      })
      .on('request', onRequest)
      .on('checkExpectation', onRequest)
      .on('connect', (_, socket) => handlers.onConnect((socket as Socket).on('error', () => {})))
      .on('secureConnection', (socket: Socket) => {
        silent.add(socket);
        socket.on('close', () => silent.has(socket) && handlers.onSilent());
      })
      .on('tlsClientError', ({ code }: NodeJS.ErrnoException) => code === 'ECONNRESET' && handlers.onSilent())
      .on('clientError', (error: UnreadableError, socket) => {
        if (error.rawPacket !== undefined) silent.delete(socket as Socket);
        handlers.onUnreadable(error, socket as Socket, this);
      });
  }

  /**
   * @returns the port
   * @throws the system's error where it cannot listen there
   */
  async listen(host: string, port: number): Promise<number> {
    this.#server.listen({ host, port, backlog });
    await once(this.#server, 'listening');
    this.#server.on('error', () => {});
    return (this.#server.address() as AddressInfo).port;
  }

  /** Breaks a connection with RST; `socket` is its own, or the TLS socket above it. */
  reset(socket: Socket): void {
    this.#connections.get(origin(socket))?.resetAndDestroy();
    socket.destroy();
  }

  /** Stops listening and closes every connection. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    for (const socket of this.#connections.values()) socket.destroy();
    await closed;
  }

  #keep(socket: Socket): void {
    const from = origin(socket);
    this.#connections.set(from, socket.setMaxListeners(0));
    socket.on('error', () => {}).on('close', () => this.#forget(from, socket));
  }

  #forget(from: string, socket: Socket): void {
    if (this.#connections.get(from) === socket) this.#connections.delete(from);
  }
}

function origin({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
