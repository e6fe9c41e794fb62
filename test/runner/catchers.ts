import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect, type Socket } from 'node:net';

import { afterEach } from 'vitest';

import { type Catcher, type CatcherOptions, createCatcher } from '../../runner/catcher/catcher.ts';
import type { Endpoint } from '../../runner/catcher/endpoint.ts';
import type { Caught } from '../../suites/exchange.ts';

/** Catchers that are closed after each test. Their keys are the bodies' member `id`. */
export function useCatchers(): (options?: Partial<CatcherOptions>) => Promise<Catcher> {
  const catchers: Catcher[] = [];
  afterEach(async () => {
    await Promise.all(catchers.splice(0).map((catcher) => catcher.close()));
  });
  return async (options = {}) => {
    const catcher = await createCatcher({
      protocol: 'http',
      keyOf: (body) => (JSON.parse(body.toString()) as { id: string }).id,
      elapsed: () => performance.now(),
      ...options,
    });
    catchers.push(catcher);
    return catcher;
  };
}

/** Resolves with the attempts once so many have ended. */
export function ended(endpoint: Endpoint, count = 1): Promise<readonly Caught[]> {
  return until(endpoint, (caught) => caught.filter(({ end }) => end !== undefined).length >= count);
}

/** Resolves with the attempts once they are as wanted. */
export function until(endpoint: Endpoint, wanted: (caught: readonly Caught[]) => boolean): Promise<readonly Caught[]> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!wanted(endpoint.caught)) return;
      off();
      resolve(endpoint.caught);
    };
    const off = endpoint.on(look);
    look();
  });
}

/** What a client of node:http made of one exchange. */
export interface Seen {
  readonly status: number;
  readonly headers: readonly string[];
  /** What came of the body. */
  readonly body: string;
  /** The code of the error that ended it; empty where it was complete. */
  readonly error: string;
}

/** Sends with node:http, on a connection of its own unless there is an agent. */
export async function post(url: string, body: string | Buffer = '', options: RequestOptions = {}): Promise<Seen> {
  const request = httpRequest(url, { method: 'POST', agent: false, ...options }).on('error', () => {});
  let response: IncomingMessage | undefined;
  let text = '';
  try {
    [response] = (await once(request.end(body), 'response')) as [IncomingMessage];
    for await (const chunk of response) text += String(chunk);
    return seen(response, text, '');
  } catch (error) {
    return seen(response, text, (error as NodeJS.ErrnoException).code ?? String(error));
  }
}

function seen(response: IncomingMessage | undefined, body: string, error: string): Seen {
  return { status: response?.statusCode ?? 0, headers: response?.rawHeaders ?? [], body, error };
}

/** A TCP connection to where the URL leads. */
export async function connected(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }).on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Everything that comes on a socket until it is closed, and the error's code that closed it, or an empty string. */
export async function untilClosed(socket: Socket): Promise<readonly [text: string, error: string]> {
  let text = '';
  let code = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', (error: NodeJS.ErrnoException) => (code = error.code ?? error.message));
  if (!socket.closed) await once(socket, 'close').catch(() => once(socket, 'close'));
  return [text, code];
}

/** A request with this body, written by hand. */
export function written(url: string, body: string, headers: readonly string[] = []): string {
  const { host, pathname } = new URL(url);
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, ...headers, length, '', body].join('\r\n');
}
