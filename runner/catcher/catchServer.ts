import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type ListenOptions,
  type Server as TcpServer,
  type Socket,
} from 'node:net';

/** The certificate that an https server shows, and its key; both PEM. */
export interface Credentials {
  readonly key: string;
  readonly cert: string;
}

/** The error of the parser, of TLS or of the system, with the bytes that no parser took. */
export interface UnreadableError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

export interface CatchServerOptions {
  /** Default: it speaks plain HTTP. */
  readonly credentials?: Credentials | undefined;
  /** True: a connection brings one request. Default: as many as the client sends there. */
  readonly alone?: true;
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

/**
 * Sockets that listen at the port. An event loop takes one connection a round from each of them: where hundreds come at once while
 * the kit is busy, with one socket the last is heard seconds late, and its sender has given up by then.
 */
const sockets = 16;

/** Whether several sockets of one process can listen at one port. */
const canShare = process.platform === 'linux';

/** An HTTP or HTTPS server that takes what comes, and can break a connection with RST, also below TLS. */
export class CatchServer {
  readonly #server: Server;
  /** The other sockets at its port. */
  readonly #others: TcpServer[] = [];
  readonly #shares: boolean;
  /** As Node's own servers: below TLS, a peer that ends its side has gone. */
  readonly #allowHalfOpen: boolean;
  /** The TCP connections, by where they come from: a TLS socket does not show the one below it. */
  readonly #connections = new Map<string, Socket>();
  /** How many connections were made so far. */
  connected = 0;

  constructor(handlers: CatchHandlers, { credentials, alone }: CatchServerOptions = {}) {
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
    if (alone) this.#server.maxRequestsPerSocket = 1;
    this.#shares = canShare && alone !== true;
    this.#allowHalfOpen = credentials === undefined;
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
   * @throws the system's error where it cannot listen there; nothing of it listens then
   */
  async listen(host: string, port: number): Promise<number> {
    try {
      return await this.#listenTo(host, port);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async #listenTo(host: string, port: number): Promise<number> {
    // Another program that shares its port as well would not be noticed otherwise.
    if (this.#shares && port !== 0) await closed(await listening(createTcpServer(), { host, port }));
    const own = await this.#listen(this.#server, { host, port });
    while (this.#shares && this.#others.length < sockets - 1) {
      const options = { allowHalfOpen: this.#allowHalfOpen, noDelay: true };
      const other = createTcpServer(options, (socket) => this.#server.emit('connection', socket));
      await this.#listen(other, { host, port: own });
      this.#others.push(other);
    }
    return own;
  }

  async #listen(server: TcpServer, where: ListenOptions): Promise<number> {
    await listening(server, { ...where, backlog, reusePort: this.#shares });
    server.on('error', () => {});
    return (server.address() as AddressInfo).port;
  }

  /** Breaks a connection with RST; `socket` is its own, or the TLS socket above it. */
  reset(socket: Socket): void {
    this.#connections.get(origin(socket))?.resetAndDestroy();
    socket.destroy();
  }

  /** Stops listening and closes every connection. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const over = [this.#server, ...this.#others].map(closed);
    this.#server.closeAllConnections();
    for (const socket of this.#connections.values()) socket.destroy();
    await Promise.all(over);
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

/** @throws the system's error where it cannot listen there */
async function listening(server: TcpServer, where: ListenOptions): Promise<TcpServer> {
  server.listen(where);
  await once(server, 'listening');
  return server;
}

/** Stops listening. Resolves once its connections are gone. */
function closed(server: TcpServer): Promise<unknown> {
  const over = once(server, 'close');
  server.close();
  return over;
}

function origin({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
