import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

import { UsageError } from '../errors.ts';

/** What `http.createServer` takes; an Express or Connect app is one. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** What has a fetch handler: a Hono app, the default export of a worker. */
export interface FetchApp {
  fetch: FetchHandler;
}

/** What has a server of its own that is ready later: a Fastify app. */
export interface ServerApp {
  readonly server: Server;
  ready(): PromiseLike<unknown>;
}

/** An app that the kit can serve itself. */
export type RunnableApp = NodeHandler | FetchHandler | FetchApp | ServerApp | Server;

/**
 * An app, or a function without parameters that makes one. The function is called once, when the first test is needed.
 *
 * @example express().post('/hooks', ...)
 * @example async () => createApp(await openDatabase())
 */
export type App = RunnableApp | (() => RunnableApp | PromiseLike<RunnableApp>);

/** An app that takes connections. */
export interface ServedApp {
  /** `http://127.0.0.1:41233` */
  readonly origin: string;
  /** Closes what was opened for it. A server that was listening already goes on. */
  close(): Promise<void>;
}

/** Where apps are served: on this machine only, at a port that is free. */
const host = '127.0.0.1';

/**
 * Lets an app take connections.
 *
 * @throws UsageError for what is no app
 */
export async function servedApp(app: App): Promise<ServedApp> {
  const server = await serverOf(await madeApp(app));
  const protocol = 'setSecureContext' in server ? 'https' : 'http';
  const isMine = !server.listening;
  if (isMine) await once(server.listen(0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${protocol}://${host}:${port}`,
    close: async () => {
      if (!isMine) return;
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

async function madeApp(app: App): Promise<RunnableApp> {
  if (typeof app !== 'function' || app.length > 0) return app as RunnableApp;
  return (app as () => RunnableApp | PromiseLike<RunnableApp>)();
}

async function serverOf(app: RunnableApp): Promise<Server> {
  if (typeof app === 'function')
    return createServer(app.length < 2 ? fetchListener(app as FetchHandler) : (app as NodeHandler));
  if (typeof app !== 'object' || app === null) throw noApp(String(app));
  if ('listening' in app) return app;
  if ('ready' in app && 'server' in app) {
    await app.ready();
    return app.server;
  }
  if ('fetch' in app) return createServer(fetchListener((request) => app.fetch(request)));
  throw noApp('an object without a server and without a fetch handler');
}

function noApp(received: string): UsageError {
  return new UsageError('SW_OPTION_VALUE', {
    received: `app cannot be ${received}`,
    valid:
      'a node handler, an http.Server, an Express, Fastify or Hono app, a fetch handler, or a function without parameters that returns one of them',
    next: 'give what your program hands to its server, or give url or start instead',
  });
}

/** Answers a `Request` with a `Response`, as route handlers of Next and the apps of Hono do. */
export type FetchHandler = (request: Request) => Response | PromiseLike<Response>;

/** Methods that a `Request` cannot have. */
const impossible: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** Lets a fetch handler answer the requests of a `http.Server`. What it throws is answered with 500. */
function fetchListener(handler: FetchHandler): (request: IncomingMessage, response: ServerResponse) => void {
  return (incoming, outgoing) => void answer(handler, incoming, outgoing);
}

async function answer(handler: FetchHandler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const request = requestOf(incoming, gone.signal);
  if (request === undefined) return void outgoing.writeHead(400).end();
  try {
    await write(await handler(request), outgoing);
  } catch {
    // Where the answer has begun, or nobody waits for it any more, it can only be broken off.
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(500).end();
  }
}

/** Nothing where no `Request` can stand for it. */
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/', headers: received, rawHeaders } = incoming;
  const address = URL.parse(url, `http://${received.host ?? 'localhost'}`);
  if (address === null || impossible.has(method)) return undefined;
  try {
    const headers = new Headers();
    for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const body = hasBody
      ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' as const }
      : {};
    return new Request(address, { method, headers, signal, ...body });
  } catch {
    return undefined;
  }
}

async function write(response: Response, outgoing: ServerResponse): Promise<void> {
  const cookies = response.headers.getSetCookie();
  const headers = [...response.headers].filter(([name]) => name !== 'set-cookie').flat();
  outgoing.writeHead(response.status, [...headers, ...cookies.flatMap((cookie) => ['set-cookie', cookie])]);
  if (response.body === null) return void outgoing.end();
  await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing);
}
